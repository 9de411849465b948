import ImageSandbox
import Testing

@Suite struct ImageKindTests {
    @Test func `each kind is told by its first bytes`() {
        #expect(ImageKind(of: Pictures.jpeg) == .jpeg)
        #expect(ImageKind(of: Pictures.transparentPNG) == .png)
        #expect(ImageKind(of: Pictures.transparentGIF) == .gif)
        #expect(ImageKind(of: Pictures.transparentWebP) == .webp)
        #expect(ImageKind(of: Pictures.tiff) == .tiff)
        #expect(ImageKind(of: Pictures.heic) == .heif)
        #expect(ImageKind(of: Pictures.avif) == .heif)
    }

    @Test func `a film in the same container is no image`() {
        #expect(ImageKind(of: [0, 0, 0, 24] + Array("ftypmp42".utf8)) == nil)
    }

    @Test func `a beginning that is too short is no image`() {
        for image in [Pictures.jpeg, Pictures.transparentPNG, Pictures.transparentWebP, Pictures.tiff, Pictures.heic] {
            #expect(ImageKind(of: Array(image.prefix(2))) == nil)
        }
        #expect(ImageKind(of: []) == nil)
    }
}
