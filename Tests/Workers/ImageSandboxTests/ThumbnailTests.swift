import ImageSandbox
import Linux
import Testing

/// The real program, started as the resident program starts it.
@Suite struct ThumbnailTests {
    private static let red: [UInt8] = [255, 0, 0]
    private static let blue: [UInt8] = [0, 0, 255]
    private static let white: [UInt8] = [255, 255, 255]

    @Test(arguments: [Pictures.jpeg, Pictures.heic, Pictures.avif, Pictures.tiff])
    func `each kind becomes a JPEG of the same picture`(_ image: [UInt8]) throws {
        let thumbnail = try DecodedImage(make(image))
        #expect(thumbnail.width == 96 && thumbnail.height == 64)
        #expect(thumbnail.isNear(Self.red, x: 10, y: 32) && thumbnail.isNear(Self.blue, x: 85, y: 32))
    }

    @Test(arguments: [Pictures.transparentPNG, Pictures.transparentGIF, Pictures.transparentWebP])
    func `what is transparent becomes white`(_ image: [UInt8]) throws {
        let thumbnail = try DecodedImage(make(image))
        #expect(thumbnail.isNear(Self.white, x: 10, y: 32) && thumbnail.isNear(Self.blue, x: 85, y: 32))
    }

    @Test(arguments: [
        Pictures.jpeg, Pictures.heic, Pictures.tiff, Pictures.transparentPNG, Pictures.transparentWebP,
    ])
    func `pixels are those of the picture, upright and opaque, and fit the side that was wanted`(
        _ image: [UInt8]
    ) throws {
        let answer = try ImageRun.run(.pixels, of: image.span.bytes, longestSide: 48, program: Program.path)
        guard case .pixels(let pixels) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(pixels.width == 48 && pixels.height == 32 && pixels.bytes.count == 48 * 32 * 3)
        let right = pixels.bytes.dropFirst((16 * 48 + 43) * 3).prefix(3).map { Int($0) }
        #expect(right[0] < 16 && right[1] < 16 && right[2] > 239, "\(right)")
    }

    @Test func `a picture that the camera held upright is turned, and its metadata is gone`() throws {
        let camera = "Somebody's camera"
        let output = try make(Self.withExif(Pictures.jpeg, orientation: 6, maker: camera))
        let thumbnail = try DecodedImage(output)
        #expect(thumbnail.width == 64 && thumbnail.height == 96)
        #expect(thumbnail.isNear(Self.red, x: 32, y: 10) && thumbnail.isNear(Self.blue, x: 32, y: 85))
        #expect(!output.contains(Array(camera.utf8)) && !output.contains(Array("Exif".utf8)))
    }

    @Test func `a large picture is made smaller, in proportion`() throws {
        let thumbnail = try DecodedImage(make(DecodedImage.makeJPEG(width: 3000, height: 1500)))
        #expect(thumbnail.width == 512 && thumbnail.height == 256)
    }

    @Test(arguments: [
        "no image", "%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
        "P5 2 2 255 1234", "GIF89a", "#!/bin/sh", "ftypheic",
    ])
    func `what is no picture is refused`(_ text: String) {
        let failure = failure(Array(text.utf8))
        #expect(failure == .refused(.notAnImage) || (text.hasPrefix("GIF") && failure == .refused(.damaged)))
    }

    @Test func `no bytes are no picture`() {
        #expect(failure([], program: "/bin/false") == .refused(.notAnImage))
    }

    @Test(arguments: [
        Pictures.jpeg, Pictures.heic, Pictures.avif, Pictures.tiff, Pictures.transparentPNG, Pictures.transparentGIF,
        Pictures.transparentWebP,
    ])
    func `a picture without its end is refused, wherever it was cut`(_ image: [UInt8]) {
        let refusals: [ImageError] = [.refused(.damaged), .refused(.notAnImage), .refused(.unsupported)]
        // The last bytes of some formats are no pixels: a trailer may be missing.
        for count in stride(from: 1, to: image.count * 3 / 4, by: image.count / 8) {
            let failure = failure(Array(image.prefix(count)))
            #expect(failure.map(refusals.contains) == true, "\(count) of \(image.count) bytes")
        }
    }

    @Test(arguments: [(65_000, 65_000), (20_000, 12_000)])
    func `a header that promises more pixels than are decoded is refused`(_ width: Int, _ height: Int) throws {
        var image = Pictures.jpeg
        let frame = try #require(image.indices.first { image[$0...].starts(with: [0xFF, 0xC0]) })
        image[frame + 5] = UInt8(height >> 8)
        image[frame + 6] = UInt8(height & 0xFF)
        image[frame + 7] = UInt8(width >> 8)
        image[frame + 8] = UInt8(width & 0xFF)
        let failure = failure(image)
        #expect(failure == .refused(.tooManyPixels) || failure == .refused(.damaged))
    }

    @Test func `an image of too many bytes is refused before anything is started`() {
        let image = [UInt8](repeating: 0, count: Thumbnail.longestInput + 1)
        #expect(failure(image, program: "/bin/false") == .tooLarge)
    }

    @Test func `damaged pictures end in a thumbnail or an error, and never in a crash`() {
        var numbers = SystemRandomNumberGenerator()
        for image in [Pictures.jpeg, Pictures.heic, Pictures.tiff, Pictures.transparentPNG] {
            for _ in 0..<10 {
                var damaged = image
                for _ in 0..<4 { damaged[Int.random(in: 12..<image.count, using: &numbers)] ^= 0x41 }
                switch failure(damaged) {
                case nil, .refused: break
                case let failure: #expect(failure == nil, "\(damaged)")
                }
            }
        }
    }

    private func make(_ image: [UInt8]) throws -> [UInt8] {
        try Thumbnail.make(of: image.span.bytes, program: Program.path)
    }

    private func failure(_ image: [UInt8], program: String = Program.path) -> ImageError? {
        do throws(ImageError) {
            let answer = try ImageRun.run(.thumbnail, of: image.span.bytes, program: program)
            if case .refused(let refusal) = answer { return .refused(refusal) }
            return nil
        } catch { return error }
    }

    @Test func `what a note is told is shorter`() {
        #expect(throws: ThumbnailError.notAnImage) { try make(Array("text".utf8)) }
        #expect(throws: ThumbnailError.notAnImage) { try make(Array(Pictures.tiff.prefix(100))) }
    }

    /// Puts an Exif segment with two entries behind the JPEG's first marker.
    private static func withExif(_ jpeg: [UInt8], orientation: UInt8, maker: String) -> [UInt8] {
        let text = Array(maker.utf8) + [0]
        var exif: [UInt8] = Array("Exif".utf8) + [0, 0] + Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 2]
        exif += [0x01, 0x0F, 0, 2, 0, 0, 0, UInt8(text.count), 0, 0, 0, 38]
        exif += [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0] + [0, 0, 0, 0] + text
        return Array(jpeg.prefix(2)) + [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif + Array(jpeg.dropFirst(2))
    }
}
