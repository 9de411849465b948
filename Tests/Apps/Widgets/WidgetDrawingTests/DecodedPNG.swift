import CPango
import Foundation

/// A PNG as another reader sees it.
struct DecodedPNG {
    let width: Int
    let height: Int
    /// Of one channel.
    let bitDepth: Int
    /// 0 grey, 6 red, green, blue and opacity; ISO/IEC 15948, table 9.
    let colorType: Int
    /// As cairo has them: opacity, red, green, blue, from the highest byte on.
    private let pixels: [UInt32]

    /// Nil for what is no PNG, or damaged.
    init?(_ png: [UInt8]) {
        guard png.count > 57, png.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) else { return nil }
        bitDepth = Int(png[24])
        colorType = Int(png[25])
        let path = NSTemporaryDirectory() + "tresor-draw-" + UUID().uuidString + ".png"
        defer { try? FileManager.default.removeItem(atPath: path) }
        guard (try? Data(png).write(to: URL(fileURLWithPath: path))) != nil,
            let surface = cairo_image_surface_create_from_png(path)
        else { return nil }
        defer { cairo_surface_destroy(surface) }
        guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS else { return nil }
        let (wide, high) = (Int(cairo_image_surface_get_width(surface)), Int(cairo_image_surface_get_height(surface)))
        guard let copy = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(wide), Int32(high)),
            let context = cairo_create(copy)
        else { return nil }
        defer { cairo_surface_destroy(copy) }
        cairo_set_source_surface(context, surface, 0, 0)
        cairo_paint(context)
        cairo_destroy(context)
        cairo_surface_flush(copy)
        let stride = Int(cairo_image_surface_get_stride(copy))
        guard let data = cairo_image_surface_get_data(copy) else { return nil }
        pixels = (0..<high).flatMap { y in
            let line = UnsafeRawPointer(data + y * stride)
            return (0..<wide).map { line.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
        }
        (width, height) = (wide, high)
    }

    func pixel(_ x: Int, _ y: Int) -> UInt32 { pixels[y * width + x] }

    /// How many pixels there are of each colour.
    var colors: [UInt32: Int] { pixels.reduce(into: [:]) { $0[$1, default: 0] += 1 } }
}
