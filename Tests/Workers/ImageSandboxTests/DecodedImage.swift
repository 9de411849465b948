import Checkout
import CVips
import Foundation
import Testing

/// Where the programs under test are.
enum Program {
    static let path = Checkout.programs + "/tresor-thumb"
}

/// The pixels of a JPEG, read by libvips in the test's own process.
struct DecodedImage {
    let width: Int
    let height: Int
    private let pixels: [UInt8]

    private static let isStarted = cvips_start("tests") == 0

    init(_ jpeg: [UInt8]) throws {
        try #require(Self.isStarted)
        var size = 0
        var extent = (width: 0, height: 0)
        pixels = try jpeg.withUnsafeBytes { bytes in
            let image = try #require(cvips_open(bytes.baseAddress, bytes.count))
            defer { g_object_unref(image) }
            extent = (Int(vips_image_get_width(image)), Int(vips_image_get_height(image)))
            let memory = try #require(vips_image_write_to_memory(image, &size))
            defer { g_free(memory) }
            return [UInt8](UnsafeRawBufferPointer(start: memory, count: size))
        }
        (width, height) = extent
        try #require(pixels.count == width * height * 3)
    }

    func isNear(_ color: [UInt8], x: Int, y: Int) -> Bool {
        zip(color, pixels.dropFirst((y * width + x) * 3)).allSatisfy { abs(Int($0) - Int($1)) < 16 }
    }

    /// A white one.
    static func makeJPEG(width: Int, height: Int) throws -> [UInt8] {
        try #require(Self.isStarted)
        let pixels = [UInt8](repeating: 255, count: width * height * 3)
        return try pixels.withUnsafeBytes { buffer in
            let image = try #require(
                vips_image_new_from_memory(
                    buffer.baseAddress, buffer.count, Int32(width), Int32(height), 3, VIPS_FORMAT_UCHAR))
            defer { g_object_unref(image) }
            var bytes: UnsafeMutableRawPointer?
            var count = 0
            try #require(cvips_write_jpeg(image, 80, &bytes, &count) == 0)
            defer { g_free(bytes) }
            return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
        }
    }
}
