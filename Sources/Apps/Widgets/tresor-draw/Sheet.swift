import CJpeg
import CPango
import CZlib
import Glibc
import WidgetDrawing
import Widgets

/// The pixels of a frame, and a pen of cairo's on them.
///
/// The one file that meets cairo, libjpeg and zlib; Pango is in `TextPen.swift`.
@safe final class Sheet {
    /// Pixels.
    let width: Int
    /// Pixels.
    let height: Int
    private let surface: OpaquePointer
    private let context: OpaquePointer
    private var scale = 1.0
    private var isInk = false

    init(width: Int, height: Int) throws(CanvasError) {
        guard let surface = unsafe cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(width), Int32(height)),
            let context = unsafe cairo_create(surface), unsafe cairo_status(context) == CAIRO_STATUS_SUCCESS
        else { throw .failed }
        self.width = width
        self.height = height
        unsafe self.surface = unsafe surface
        unsafe self.context = unsafe context
    }

    deinit {
        unsafe cairo_destroy(context)
        unsafe cairo_surface_destroy(surface)
    }

    static func silenceLibraries() { cpango_be_silent() }

    /// Wipes what was drawn; from here to ``end()`` a unit is a point.
    func begin(scale: Int, isInk: Bool) {
        self.scale = Double(scale)
        self.isInk = isInk
        unsafe cairo_save(context)
        unsafe cairo_set_operator(context, CAIRO_OPERATOR_CLEAR)
        unsafe cairo_paint(context)
        unsafe cairo_set_operator(context, CAIRO_OPERATOR_OVER)
        unsafe cairo_scale(context, Double(scale), Double(scale))
        unsafe cairo_set_antialias(context, isInk ? CAIRO_ANTIALIAS_NONE : CAIRO_ANTIALIAS_GOOD)
    }

    func end() throws(CanvasError) {
        unsafe cairo_restore(context)
        unsafe cairo_surface_flush(surface)
        guard unsafe cairo_status(context) == CAIRO_STATUS_SUCCESS else { throw .failed }
    }

    /// What is drawn with from here on.
    func use(_ color: WidgetColor, opacity: Double) {
        let (red, green, blue) = (Double(color.red), Double(color.green), Double(color.blue))
        unsafe cairo_set_source_rgba(context, red / 255, green / 255, blue / 255, opacity)
    }

    func cover(_ color: WidgetColor) {
        use(color, opacity: 1)
        unsafe cairo_paint(context)
    }

    func fill(_ box: DrawBox, radius: Double) {
        trace(box, radius)
        unsafe cairo_fill(context)
    }

    private func trace(_ box: DrawBox, _ radius: Double) {
        let radius = min(radius, box.width / 2, box.height / 2)
        guard radius > 0 else { return unsafe cairo_rectangle(context, box.x, box.y, box.width, box.height) }
        let (right, bottom) = (box.x + box.width, box.y + box.height)
        unsafe cairo_new_sub_path(context)
        unsafe cairo_arc(context, right - radius, box.y + radius, radius, -.pi / 2, 0)
        unsafe cairo_arc(context, right - radius, bottom - radius, radius, 0, .pi / 2)
        unsafe cairo_arc(context, box.x + radius, bottom - radius, radius, .pi / 2, .pi)
        unsafe cairo_arc(context, box.x + radius, box.y + radius, radius, .pi, .pi * 3 / 2)
        unsafe cairo_close_path(context)
    }

    /// Draws a path of round ends and joins, whose grid is as large as the box.
    func stroke(_ steps: [PathStep], in box: DrawBox, lineWidth: Double, grid: Double) {
        unsafe cairo_save(context)
        unsafe cairo_translate(context, box.x, box.y)
        unsafe cairo_scale(context, box.width / grid, box.height / grid)
        for step in steps {
            switch step {
            case .move(let x, let y): unsafe cairo_move_to(context, x, y)
            case .line(let x, let y): unsafe cairo_line_to(context, x, y)
            case .curve(let x1, let y1, let x2, let y2, let x, let y):
                unsafe cairo_curve_to(context, x1, y1, x2, y2, x, y)
            case .close: unsafe cairo_close_path(context)
            }
        }
        unsafe cairo_set_line_width(context, lineWidth)
        unsafe cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
        unsafe cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
        unsafe cairo_stroke(context)
        unsafe cairo_restore(context)
    }

    /// Draws so much of a ring, from the top on.
    func strokeArc(_ box: DrawBox, lineWidth: Double, part: Double) {
        let (x, y, radius) = (box.x + box.width / 2, box.y + box.height / 2, (box.width - lineWidth) / 2)
        unsafe cairo_new_sub_path(context)
        unsafe cairo_arc(context, x, y, radius, -.pi / 2, .pi * (2 * part - 0.5))
        unsafe cairo_set_line_width(context, lineWidth)
        unsafe cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
        unsafe cairo_stroke(context)
    }

    /// Draws a picture as large as it has to be to fill the box; what is over is cut.
    func draw(_ image: DecodedPicture, filling box: DrawBox, radius: Double, opacity: Double) {
        let (width, height) = (Double(image.width), Double(image.height))
        let zoom = max(box.width / width, box.height / height)
        unsafe cairo_save(context)
        trace(box, radius)
        unsafe cairo_clip(context)
        let (x, y) = (box.x + (box.width - width * zoom) / 2, box.y + (box.height - height * zoom) / 2)
        unsafe cairo_translate(context, x, y)
        unsafe cairo_scale(context, zoom, zoom)
        unsafe cairo_set_source_surface(context, image.surface, 0, 0)
        // What is less than half as large would lose pixels.
        let isClose = zoom * scale > 0.5
        let filter = isClose ? CAIRO_FILTER_BILINEAR : CAIRO_FILTER_GOOD
        unsafe cairo_pattern_set_filter(cairo_get_source(context), filter)
        unsafe cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD)
        unsafe cairo_paint_with_alpha(context, opacity)
        unsafe cairo_restore(context)
        if isInk { diffuse(box) }
    }

    /// Makes greys in a box black and white, and gives what each pixel lacks to its neighbours (Floyd and Steinberg
    /// 1976): a photo keeps its edges, which a pattern would take.
    private func diffuse(_ box: DrawBox) {
        unsafe cairo_surface_flush(surface)
        guard let data = unsafe cairo_image_surface_get_data(surface) else { return }
        let stride = Int(unsafe cairo_image_surface_get_stride(surface))
        let (left, right) = (max(0, Int(box.x * scale)), min(width, Int((box.x + box.width) * scale)))
        let (top, bottom) = (max(0, Int(box.y * scale)), min(height, Int((box.y + box.height) * scale)))
        guard left < right, top < bottom else { return }
        // With a place at each end that nobody reads.
        var (errors, below) = (
            [Int](repeating: 0, count: right - left + 2), [Int](repeating: 0, count: right - left + 2)
        )
        for y in top..<bottom {
            let line = unsafe UnsafeMutableRawPointer(data + y * stride).assumingMemoryBound(to: UInt32.self)
            for x in left..<right {
                let place = x - left + 1
                let wanted = Int(unsafe Self.grey(line[x])) + errors[place] / 16
                let isWhite = wanted > 127
                let error = wanted - (isWhite ? 255 : 0)
                errors[place + 1] += error * 7
                below[place - 1] += error * 3
                below[place] += error * 5
                below[place + 1] += error
                unsafe line[x] = isWhite ? 0xffff_ffff : 0xff00_0000
            }
            (errors, below) = (below, [Int](repeating: 0, count: right - left + 2))
        }
        unsafe cairo_surface_mark_dirty(surface)
    }

    /// By what the eye sees of each colour (ITU-R BT.709).
    private static func grey(_ pixel: UInt32) -> UInt32 {
        ((pixel >> 16 & 255) * 54 + (pixel >> 8 & 255) * 183 + (pixel & 255) * 19) >> 8
    }

    /// Draws at most so many lines, as far apart as the font says whatever letters stand in them.
    func draw(_ run: TextRun, _ box: DrawBox, _ limit: Int, _ alignment: Alignment, with pen: TextPen) {
        unsafe pen.draw(run, box, limit, alignment, on: context)
    }

    func png(_ depth: DrawDepth) throws(CanvasError) -> [UInt8] {
        guard let data = unsafe cairo_image_surface_get_data(surface) else { throw .failed }
        let stride = Int(unsafe cairo_image_surface_get_stride(surface))
        let image = PNGImage(width: width, height: height, isBlackAndWhite: depth == .ink)
        let length = image.lineByteCount
        let lines = unsafe [UInt8](unsafeUninitializedCapacity: length * height) { bytes, count in
            let target = UnsafeMutableRawBufferPointer(bytes)
            for y in 0..<height {
                let pixels = unsafe UnsafeRawBufferPointer(start: data + y * stride, count: width * 4)
                    .bindMemory(to: UInt32.self)
                let line = unsafe UnsafeMutableRawBufferPointer(rebasing: target[y * length..<(y + 1) * length])
                // Filter 0, none: lines repeat each other, and deflate finds that itself.
                unsafe line[0] = 0
                switch depth {
                case .color: unsafe Self.copy(pixels, to: line)
                case .ink: unsafe Self.dither(pixels, y, to: line)
                }
            }
            count = length * height
        }
        return image.file(compressed: try Zlib.compressed(lines), checksum: Zlib.checksum)
    }

    /// Of cairo's pixels, which are multiplied by their opacity.
    private static func copy(_ pixels: UnsafeBufferPointer<UInt32>, to line: UnsafeMutableRawBufferPointer) {
        for index in 0..<pixels.count {
            let pixel = unsafe pixels[index]
            let opacity = pixel >> 24
            var value = pixel & 0xff00_ff00 | pixel >> 16 & 255 | (pixel & 255) << 16
            if opacity < 255 && opacity > 0 {
                value = opacity << 24
                for shift: UInt32 in [0, 8, 16] {
                    value |= min(255, ((pixel >> shift & 255) * 255 + opacity / 2) / opacity) << (16 - shift)
                }
            }
            unsafe line.storeBytes(of: value.littleEndian, toByteOffset: 1 + index * 4, as: UInt32.self)
        }
    }

    /// A pixel is white where it is lighter than its place in a pattern.
    private static func dither(
        _ pixels: UnsafeBufferPointer<UInt32>, _ y: Int, to line: UnsafeMutableRawBufferPointer
    ) {
        for index in 1..<line.count { unsafe line[index] = 0 }
        for x in 0..<pixels.count {
            let grey = unsafe Self.grey(pixels[x])
            if grey > DitherPattern.threshold(x, y) { unsafe line[1 + x >> 3] |= 0x80 >> UInt8(x & 7) }
        }
    }
}

/// A PNG or JPEG with its pixels.
@safe final class DecodedPicture {
    /// Pixels.
    let width: Int
    /// Pixels.
    let height: Int
    /// Pixels that were decoded for it.
    var cost: Int { width * height }
    fileprivate let surface: OpaquePointer
    private let pixels: UnsafeMutablePointer<UInt8>?

    /// - Parameters:
    ///   - wanted: how many pixels are drawn; a JPEG is made smaller while it is decoded.
    ///   - most: pixels that it may have.
    init?(_ picture: Picture, wanted: (width: Int, height: Int), most: Int) {
        guard let kind = picture.fileKind else { return nil }
        let file = picture.file
        var decoded: UnsafeMutablePointer<UInt8>?
        let made: OpaquePointer?
        if kind == .jpeg {
            var size = (width: Int32(0), height: Int32(0))
            unsafe decoded = unsafe cjpeg_decode(
                file, file.count, most, UInt32(wanted.width), UInt32(wanted.height), &size.width, &size.height)
            guard unsafe decoded != nil else { return nil }
            unsafe made = unsafe cairo_image_surface_create_for_data(
                decoded, CAIRO_FORMAT_RGB24, size.width, size.height, size.width * 4)
        } else {
            guard let said = PNGImage(header: file), said.width * said.height <= most else { return nil }
            unsafe made = unsafe Self.read(file)
        }
        guard let surface = unsafe made, unsafe cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS else {
            unsafe cairo_surface_destroy(made)
            unsafe free(decoded)
            return nil
        }
        width = Int(unsafe cairo_image_surface_get_width(surface))
        height = Int(unsafe cairo_image_surface_get_height(surface))
        unsafe pixels = unsafe decoded
        unsafe self.surface = unsafe surface
    }

    deinit {
        unsafe cairo_surface_destroy(surface)
        unsafe free(pixels)
    }

    /// Bytes that cairo asks for one after the other.
    @safe private final class Source {
        let bytes: UnsafeRawBufferPointer
        var offset = 0

        init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = unsafe bytes }

        func copy(to target: UnsafeMutablePointer<UInt8>?, _ count: Int) -> cairo_status_t {
            guard let target = unsafe target, unsafe count <= bytes.count - offset else {
                return CAIRO_STATUS_READ_ERROR
            }
            let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
            unsafe UnsafeMutableRawBufferPointer(start: target, count: count).copyMemory(from: part)
            offset += count
            return CAIRO_STATUS_SUCCESS
        }
    }

    private static func read(_ file: [UInt8]) -> OpaquePointer? {
        unsafe file.withUnsafeBytes { bytes in
            let source = unsafe Source(bytes)
            let surface = unsafe cairo_image_surface_create_from_png_stream(
                { closure, target, count in
                    guard let closure = unsafe closure else { return CAIRO_STATUS_READ_ERROR }
                    let source = unsafe Unmanaged<Source>.fromOpaque(closure).takeUnretainedValue()
                    return unsafe source.copy(to: target, Int(count))
                }, Unmanaged.passUnretained(source).toOpaque())
            return unsafe withExtendedLifetime(source) { unsafe surface }
        }
    }
}

/// Deflate, and the checksum of PNG.
private enum Zlib {
    /// Level 1: a widget is flat, and is drawn more often than sent.
    static func compressed(_ bytes: [UInt8]) throws(CanvasError) -> [UInt8] {
        var count = compressBound(UInt(bytes.count))
        var result = Z_OK
        let packed = unsafe [UInt8](unsafeUninitializedCapacity: Int(count)) { target, used in
            result = unsafe compress2(target.baseAddress, &count, bytes, UInt(bytes.count), 1)
            used = result == Z_OK ? Int(count) : 0
        }
        guard result == Z_OK else { throw .failed }
        return packed
    }

    static func checksum(_ bytes: [UInt8]) -> UInt32 { UInt32(unsafe crc32(0, bytes, UInt32(bytes.count))) }
}

/// Standard output, by write(2) alone: the filter knows no send(2), which our other programs take for sockets.
enum AnswerStream {
    /// False when nobody reads any more.
    static func write(_ bytes: [UInt8]) -> Bool {
        var used = 0
        while used < bytes.count {
            let put = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.write(STDOUT_FILENO, $0.baseAddress?.advanced(by: used), $0.count - used)
            }
            if put > 0 { used += put } else if put == 0 || errno != EINTR { return false }
        }
        return true
    }
}
