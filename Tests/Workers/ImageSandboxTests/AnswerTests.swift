import Linux
import Testing

@testable import ImageSandbox

/// The bytes between a decoder and whoever asked it: each value has one form, and no other is read.
@Suite struct AnswerTests {
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]

    static let facts: ImageFacts = {
        var facts = ImageFacts(width: 65_535, height: 1)
        facts.wallClock = -62_135_596_800
        facts.offsetMinutes = -1439
        facts.place = ImagePlace(latitude: -90_000_000_000, longitude: 180_000_000_000)
        facts.orientation = 8
        facts.camera = String(repeating: "é", count: 64)
        return facts
    }()

    static let answers: [ImageAnswer] =
        [
            .pictures(facts, thumbnail: jpeg, preview: jpeg + [1]),
            .pictures(ImageFacts(width: 1, height: 1), thumbnail: jpeg, preview: nil), .file(jpeg),
            .facts(facts), .facts(ImageFacts(width: 1, height: 1)),
        ] + [PixelImage(width: 2, height: 3, [UInt8](0..<18))].compactMap(\.self).map { .pixels($0) }
        + ImageRefusal.allCases.map { .refused($0) }

    @Test(arguments: answers) func `what is written is read`(_ answer: ImageAnswer) throws {
        #expect(try ImageAnswer(answer.encoded) == answer)
    }

    @Test(arguments: answers) func `one byte more or less is no answer`(_ answer: ImageAnswer) {
        let bytes = answer.encoded
        for count in bytes.indices {
            #expect(throws: ImageError.badAnswer) { try ImageAnswer(Array(bytes.prefix(count))) }
        }
        #expect(throws: ImageError.badAnswer) { try ImageAnswer(bytes + [0]) }
    }

    @Test(arguments: answers) func `each change of a byte is refused, or is another answer's form`(
        _ answer: ImageAnswer
    ) {
        let bytes = answer.encoded
        for position in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[position] ^= 1 << UInt8(bit)
                if let read = try? ImageAnswer(changed) { #expect(read.encoded == changed && read != answer) }
            }
        }
    }

    @Test func `lengths beyond the limits are refused before anything is taken`() {
        let head = ImageAnswer.pictures(ImageFacts(width: 1, height: 1), thumbnail: [], preview: nil).encoded.dropLast(
            8)
        let tooLong = Array(head) + ExifBlock.bytes(UInt32(ImageAnswer.longestThumbnail + 1))
        #expect(throws: ImageError.badAnswer) {
            try ImageAnswer(tooLong + Self.jpeg + [UInt8](repeating: 0, count: ImageAnswer.longestThumbnail))
        }
    }

    @Test func `requests have one form, too`() throws {
        for job in ImageJob.allCases {
            let request = try ImageRequest(job, beginning: Pictures.heic, imageByteCount: 12_345)
            #expect(try ImageRequest(request.encoded) == request && request.encoded.count == ImageRequest.byteCount)
        }
        let good: [UInt8] = [1, 1, 0, 0, 0, 0, 0, 1]
        #expect(try ImageRequest(good).kind == nil)
        for bad: [UInt8] in [
            [], [2, 1, 0, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0, 0, 1], [1, 7, 0, 0, 0, 0, 0, 1], [1, 1, 7, 0, 0, 0, 0, 1],
            [1, 6, 0, 0, 0, 0, 0, 1], [1, 6, 0, 129, 0, 0, 0, 1],
            [1, 1, 0, 1, 0, 0, 0, 1], [1, 1, 0, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0x10, 0, 0, 1], good + [0],
        ] { #expect(throws: ImageError.badAnswer) { try ImageRequest(bad) } }
    }

    @Test func `pixels are asked for by their side, in steps, and larger ones are no answer`() throws {
        func request(_ side: Int) throws -> ImageRequest {
            try ImageRequest(.pixels, beginning: Pictures.jpeg, imageByteCount: 1, longestSide: side)
        }
        #expect(try request(100).longestSide == 112 && request(1 << 20).longestSide == 2048)
        #expect(try request(0).longestSide == 16 && ImageRequest(request(320).encoded) == request(320))
        let image = try #require(PixelImage(width: 17, height: 1, [UInt8](repeating: 9, count: 51)))
        #expect(try ImageAnswer.pixels(image).answers(request(32)))
        #expect(try !ImageAnswer.pixels(image).answers(request(16)), "17 pixels, where 16 were wanted")
        #expect(PixelImage(width: 17, height: 1, [UInt8](repeating: 9, count: 50)) == nil)
    }

    @Test func `an answer to another question is none`() throws {
        let thumbnail = try ImageRequest(.thumbnail, beginning: Pictures.jpeg, imageByteCount: 1)
        let preview = try ImageRequest(.preview, beginning: Pictures.jpeg, imageByteCount: 1)
        let strip = try ImageRequest(.strip, beginning: Pictures.transparentPNG, imageByteCount: 1)
        #expect(Self.answers[1].answers(thumbnail) && !Self.answers[0].answers(thumbnail))
        #expect(Self.answers[0].answers(preview) && !Self.answers[1].answers(preview))
        #expect(!Self.answers[2].answers(strip) && !Self.answers[2].answers(thumbnail))
        #expect(ImageAnswer.refused(.damaged).answers(strip))
    }
}
