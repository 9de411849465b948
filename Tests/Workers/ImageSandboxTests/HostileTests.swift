import Foundation
import Testing

@testable import ImageSandbox

/// Images made to hurt whoever opens them: the program refuses or dies, and whoever asked goes on.
@Suite struct HostileTests {
    /// What becomes of an image in each job: an answer, a refusal, or an error that names the decoder's end.
    private func outcomes(_ image: [UInt8]) -> [ImageJob: Result<ImageAnswer, ImageError>] {
        var outcomes: [ImageJob: Result<ImageAnswer, ImageError>] = [:]
        for job in ImageJob.allCases {
            do throws(ImageError) {
                outcomes[job] = .success(try ImageRun.run(job, of: image.span.bytes, program: Program.path))
            } catch { outcomes[job] = .failure(error) }
        }
        return outcomes
    }

    private func isRefused(_ image: [UInt8], _ refusals: ImageRefusal...) -> Bool {
        let outcomes = outcomes(image)
        return [ImageJob.thumbnail, .preview, .convert].allSatisfy { job in
            guard case .success(.refused(let refusal)) = outcomes[job] else { return false }
            return refusals.contains(refusal)
        }
    }

    /// Both headers say 65,535 by 65,535.
    @Test func `bombs are told by their headers`() throws {
        var jpeg = Pictures.jpeg
        let frame = try #require(jpeg.indices.first { jpeg[$0...].starts(with: [0xFF, 0xC0]) })
        jpeg.replaceSubrange((frame + 5)..<(frame + 9), with: [0xFF, 0xDC, 0xFF, 0xDC])
        #expect(isRefused(jpeg, .tooManyPixels, .damaged))
        let header = ExifBlock.bytes(UInt32(60_000)) + ExifBlock.bytes(UInt32(60_000)) + [8, 2, 0, 0, 0]
        let png =
            Array(Pictures.transparentPNG.prefix(8)) + Files.chunk("IHDR", header)
            + Files.chunk("IDAT", Array(Pictures.transparentPNG.dropFirst(62).dropLast(16))) + Files.chunk("IEND", [])
        #expect(isRefused(png, .tooManyPixels, .damaged))
        var webp = Pictures.transparentWebP
        webp.replaceSubrange(24..<30, with: [0xFE, 0x3F, 0, 0xFE, 0x3F, 0])
        #expect(isRefused(webp, .tooManyPixels, .damaged))
    }

    /// 80 million pixels in half a megabyte.
    @Test func `a picture of a hundred times its file's size costs no more than it may`() throws {
        let header = ExifBlock.bytes(UInt32(20_000)) + ExifBlock.bytes(UInt32(4_000)) + [8, 0, 0, 0, 0]
        let png =
            Array(Pictures.transparentPNG.prefix(8)) + Files.chunk("IHDR", header)
            + Files.chunk("IDAT", Self.deflatedZeros(20_001 * 4_000)) + Files.chunk("IEND", [])
        #expect(png.count < 600_000)
        guard
            case .pictures(let facts, let thumbnail, nil) = try ImageRun.run(
                .thumbnail, of: png.span.bytes, program: Program.path)
        else { return #expect(Bool(false), "no pictures") }
        #expect(facts.width == 20_000 && facts.height == 4_000 && thumbnail.count < 20_000)
    }

    /// RFC 1950 and 1951: one block of fixed codes, a zero and then copies of it, 258 at a time.
    private static func deflatedZeros(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = [0x78, 0x9C]
        var (pending, width): (UInt32, UInt32) = (0, 0)
        /// Codes stand with their first bit first, and a byte is filled from its lowest bit.
        func append(_ code: UInt32, _ bits: UInt32) {
            for bit in (0..<bits).reversed() {
                pending |= (code >> bit & 1) << width
                width += 1
                if width == 8 {
                    bytes.append(UInt8(pending))
                    (pending, width) = (0, 0)
                }
            }
        }
        append(0b110, 3)
        for _ in 0..<(1 + (count - 1) % 258) { append(0b0011_0000, 8) }
        for _ in 0..<((count - 1) / 258) { append(0b1100_0101_00000, 13) }
        append(0, 7)
        append(0, width == 0 ? 0 : 8 - width)
        return bytes + ExifBlock.bytes(UInt32(count % 65_521) << 16 | 1)
    }

    @Test func `one that calls itself something else is refused by what it is`() {
        let beginnings = [
            Pictures.jpeg, Pictures.transparentPNG, Pictures.heic, Pictures.tiff, Pictures.transparentWebP,
        ]
        for (number, image) in beginnings.enumerated() {
            let other = beginnings[(number + 1) % beginnings.count]
            let mislabelled = Array(image.prefix(16)) + Array(other.dropFirst(16))
            #expect(isRefused(mislabelled, .damaged, .notAnImage, .unsupported, .tooManyPixels))
        }
        #expect(isRefused(Array("GIF89a".utf8) + Pictures.jpeg, .damaged, .notAnImage))
    }

    @Test func `ten megabytes of Exif are read past`() throws {
        let junk = [UInt8](repeating: 0x41, count: 10 << 20)
        let exif = ExifBlock.photo(orientation: 6).tiff
        let png = Files.png(with: Files.chunk("eXIf", exif + junk))
        let webp = Files.webp(Files.webpPicture + Files.webpChunk("EXIF", exif + junk))
        let segments = [[UInt8]](
            repeating: Files.segment(0xE1, Files.exifPrefix + exif + [UInt8](repeating: 0x41, count: 60_000)),
            count: 180)
        let jpeg = Files.jpeg(with: segments.flatMap { $0 })
        for image in [png, webp, jpeg] {
            let outcomes = outcomes(image)
            #expect(image.count > 10 << 20)
            guard case .success(.file(let stripped)) = outcomes[.strip] else {
                return #expect(Bool(false), "not stripped")
            }
            #expect(stripped.count < 2048)
            if case .success(.pictures(let facts, _, _)) = outcomes[.thumbnail] {
                #expect(facts.width <= 96)
            } else {
                #expect(outcomes[.thumbnail] == .success(.refused(.damaged)))
            }
        }
        // What cameras write at most is no reason to refuse a picture.
        let ordinary = Files.jpeg(
            with: Files.segment(0xE1, Files.exifPrefix + exif + [UInt8](repeating: 0x41, count: 64_000)))
        guard case .success(.pictures(let facts, _, _)) = outcomes(ordinary)[.thumbnail] else {
            return #expect(Bool(false), "no pictures")
        }
        #expect(facts.camera == "Maker Model 5" && facts.orientation == 6)
    }

    @Test func `directories that lead in a circle come to an end`() throws {
        var exif = ExifBlock.photo(orientation: 3)
        exif.isCyclic = true
        for image in [
            Files.jpeg(exif), Files.png(with: Files.chunk("eXIf", exif.tiff)),
            Files.webp(Files.webpPicture + Files.webpChunk("EXIF", exif.tiff)),
        ] {
            guard case .success(.pictures(let facts, _, _)) = outcomes(image)[.thumbnail] else {
                return #expect(Bool(false), "no pictures")
            }
            #expect(facts.orientation == 3 && facts.width == 96)
        }
        // The same in the file of an image: its directory is its own next one.
        var tiff = Pictures.tiff
        let directory = 164
        let next = directory + 2 + 12 * Int(tiff[directory])
        tiff.replaceSubrange(next..<(next + 4), with: [UInt8(directory), 0, 0, 0])
        let outcome = outcomes(tiff)[.thumbnail]
        if case .success(.pictures(let facts, _, _)) = outcome {
            #expect(facts.width == 96)
        } else {
            #expect(outcome == .success(.refused(.damaged)))
        }
    }

    @Test func `a colour profile that lies leaves the picture`() throws {
        var profile = ExifBlock.bytes(UInt32(600)) + Array("lcms".utf8) + [4, 0x20, 0, 0] + Array("mntrRGB XYZ ".utf8)
        profile += [UInt8](repeating: 0, count: 128 - profile.count)
        profile.replaceSubrange(36..<40, with: Array("acsp".utf8))
        // A hundred million tags, the first of which lies behind the end.
        profile +=
            ExifBlock.bytes(UInt32(100_000_000)) + Array("A2B0".utf8) + ExifBlock.bytes(UInt32.max)
            + ExifBlock.bytes(UInt32.max)
        for content in [profile, [UInt8](repeating: 0xFF, count: 5000), []] {
            let jpeg = Files.jpeg(
                with: Files.segment(0xE2, Array("ICC_PROFILE".utf8) + [0, 1, 1] + content))
            guard case .success(.pictures(_, let thumbnail, _)) = outcomes(jpeg)[.thumbnail] else {
                return #expect(Bool(false), "no pictures")
            }
            let decoded = try DecodedImage(thumbnail)
            #expect(decoded.isNear([255, 0, 0], x: 10, y: 32) && decoded.isNear([0, 0, 255], x: 85, y: 32))
        }
    }

    @Test func `a container whose codec nobody has is told from a damaged one`() throws {
        var heic = Pictures.heic
        let box = try #require(heic.indices.first { heic[$0...].starts(with: "hvc1".utf8) })
        heic.replaceSubrange(box..<(box + 4), with: Array("vvc1".utf8))
        #expect(isRefused(heic, .unsupported))
    }
}
