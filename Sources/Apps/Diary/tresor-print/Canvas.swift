import CPango
import Glibc
import Linux
import PrintStream

/// Why nothing more can be drawn.
enum DrawingError: Error {
    /// What came of write(2).
    case cannotWrite(LinuxError)
    /// What cairo or Pango refuses: memory, fonts.
    case failed
}

/// The PDF on standard output: the one place that meets cairo and Pango.
@safe final class Canvas {
    private let output: UnsafeMutablePointer<cpango_output>
    private let surface: OpaquePointer
    private let context: OpaquePointer
    private let layouts: OpaquePointer
    private var scales: [Face.Family: FontScale] = [:]

    /// Opens the fonts.
    ///
    /// - Parameter sheet: the size of all pages.
    init(_ sheet: Sheet, language: String) throws(DrawingError) {
        cpango_be_silent()
        guard let output = unsafe cpango_new_output(),
            let surface = unsafe cpango_new_pdf(output, sheet.width, sheet.height),
            let context = unsafe cairo_create(surface), let map = unsafe pango_cairo_font_map_get_default()
        else { throw .failed }
        // One unit of a layout is a point of the paper.
        unsafe pango_cairo_font_map_set_resolution(OpaquePointer(map), 72)
        guard let layouts = unsafe pango_font_map_create_context(map) else { throw .failed }
        let options = unsafe cairo_font_options_create()
        // Letters stand where their face wants them: a printer has no pixels to keep to.
        unsafe cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        unsafe cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        unsafe pango_cairo_context_set_font_options(layouts, options)
        unsafe cairo_font_options_destroy(options)
        unsafe pango_context_set_round_glyph_positions(layouts, 0)
        unsafe pango_context_set_language(layouts, pango_language_from_string(language))
        unsafe self.output = unsafe output
        unsafe self.surface = unsafe surface
        unsafe self.context = unsafe context
        unsafe self.layouts = unsafe layouts
        for family in [Face.Family.serif, .mono] {
            let letter = try layOut([PrintSpan("x")], Face(family: family, size: 100), width: nil)
            guard letter.hasFont else { throw .failed }
            scales[family] = FontScale(of: letter)
        }
    }

    deinit {
        unsafe g_object_unref(UnsafeMutableRawPointer(layouts))
        unsafe cairo_destroy(context)
        unsafe cairo_surface_destroy(surface)
        unsafe free(output)
    }

    /// What readers show of the document besides its pages; no date, which would be that of the printing.
    func describe(title: String) {
        unsafe cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title)
        unsafe cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "Tresor")
        unsafe cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "")
    }

    /// - Parameter parent: what it is below of; the document where nil.
    /// - Returns: its number, to be a parent.
    func addOutline(_ name: String, page: Int, y: Double, below parent: Int32?) -> Int32 {
        let place = "page=\(page) pos=[0 \(Int(y))]"
        let root = Int32(CAIRO_PDF_OUTLINE_ROOT)
        // What is not below another is open: of a year its months are seen.
        let flags = parent == nil ? CAIRO_PDF_OUTLINE_FLAG_OPEN : cairo_pdf_outline_flags_t(rawValue: 0)
        return unsafe cairo_pdf_surface_add_outline(surface, parent ?? root, name, place, flags)
    }

    func endPage() throws(DrawingError) {
        unsafe cairo_show_page(context)
        try check()
    }

    /// Writes what is left.
    func finish() throws(DrawingError) {
        unsafe cairo_surface_finish(surface)
        unsafe cpango_flush(output)
        try check()
    }

    private func check() throws(DrawingError) {
        let failure = unsafe output.pointee.failure
        if failure != 0 { throw .cannotWrite(LinuxError(call: "write", code: failure)) }
        guard unsafe cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS,
            unsafe cairo_status(context) == CAIRO_STATUS_SUCCESS
        else { throw .failed }
    }

    /// Fills a rectangle.
    func fill(x: Double, y: Double, width: Double, height: Double, grey: Double) {
        unsafe cairo_set_source_rgb(context, grey, grey, grey)
        unsafe cairo_rectangle(context, x, y, width, height)
        unsafe cairo_fill(context)
    }

    /// Draws the edge of a rectangle, half a point wide.
    func frame(x: Double, y: Double, width: Double, height: Double, grey: Double) {
        unsafe cairo_set_source_rgb(context, grey, grey, grey)
        unsafe cairo_set_line_width(context, 0.5)
        unsafe cairo_rectangle(context, x, y, width, height)
        unsafe cairo_stroke(context)
    }

    /// Draws lines of a map, half a point wide; one without length is a dot.
    ///
    /// - Parameters:
    ///   - map: whose coasts.
    ///   - x: its left side.
    ///   - y: its top.
    ///   - scale: points for each of its units.
    func stroke(_ map: PrintMap, x: Double, y: Double, scale: Double, grey: Double) {
        unsafe cairo_save(context)
        unsafe cairo_set_source_rgb(context, grey, grey, grey)
        unsafe cairo_set_line_width(context, 0.5)
        unsafe cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
        unsafe cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
        for line in map.coast {
            for (index, point) in line.enumerated() {
                let (right, down) = (x + Double(point.x) * scale, y + Double(point.y) * scale)
                if index == 0 {
                    unsafe cairo_move_to(context, right, down)
                } else {
                    unsafe cairo_line_to(context, right, down)
                }
            }
            unsafe cairo_stroke(context)
        }
        unsafe cairo_restore(context)
    }

    /// Draws a dot with a light edge, so that each of several that overlap is seen.
    func dot(x: Double, y: Double, radius: Double) {
        unsafe cairo_new_sub_path(context)
        unsafe cairo_arc(context, x, y, radius, 0, 2 * .pi)
        unsafe cairo_set_source_rgb(context, 0.7, 0.15, 0.12)
        unsafe cairo_fill_preserve(context)
        unsafe cairo_set_source_rgb(context, 1, 1, 1)
        unsafe cairo_set_line_width(context, 0.6)
        unsafe cairo_stroke(context)
    }

    /// Makes a part of this page lead to another.
    func link(toPage page: Int, at target: Double, x: Double, y: Double, width: Double, height: Double) {
        let box = "rect=[\(x) \(y) \(width) \(height)] page=\(page) pos=[0 \(Int(target))]"
        unsafe cairo_tag_begin(context, "P", "")
        unsafe cairo_tag_begin(context, CAIRO_TAG_LINK, box)
        unsafe cairo_tag_end(context, CAIRO_TAG_LINK)
        unsafe cairo_tag_end(context, "P")
    }

    /// Puts a JPEG into the document as it is.
    ///
    /// - Parameter jpeg: one of which ``JPEGSize`` knows the size.
    func draw(_ jpeg: [UInt8], x: Double, y: Double, width: Double, height: Double) {
        let made = unsafe jpeg.withUnsafeBytes { unsafe cpango_new_jpeg($0.baseAddress, $0.count) }
        guard let picture = unsafe made else { return }
        unsafe cairo_save(context)
        unsafe cairo_translate(context, x, y)
        unsafe cairo_scale(context, width, height)
        unsafe cairo_set_source_surface(context, picture, 0, 0)
        unsafe cairo_rectangle(context, 0, 0, 1, 1)
        unsafe cairo_fill(context)
        unsafe cairo_restore(context)
        unsafe cairo_surface_destroy(picture)
    }

    /// Breaks a text into lines.
    ///
    /// - Parameter width: points; nil for one line.
    func layOut(_ spans: [PrintSpan], _ face: Face, width: Double?) throws(DrawingError) -> Lines {
        guard let layout = unsafe pango_layout_new(layouts) else { throw .failed }
        return unsafe Lines(layout, spans, face, scales[face.family] ?? FontScale(), width: width)
    }

    /// Draws one line of a text; each is drawn once.
    ///
    /// - Parameters:
    ///   - x: where the text's left side is.
    ///   - y: the line's top.
    func draw(_ index: Int, of lines: Lines, x: Double, y: Double) {
        let place = lines.places[index]
        guard let line = unsafe pango_layout_get_line(lines.layout, Int32(index)) else { return }
        let grey = lines.face.grey
        unsafe cairo_set_source_rgb(context, grey, grey, grey)
        unsafe cpango_draw_line(context, line, x + place.x, y + place.baseline)
        for link in lines.links {
            for (from, to) in unsafe Self.extents(of: link.range, in: line) where to > from {
                let box = "rect=[\(x + from) \(y) \(to - from) \(place.height)] uri='\(link.address)'"
                // cairo 1.16 writes the element that a link names only where the link is part of another.
                unsafe cairo_tag_begin(context, "P", "")
                unsafe cairo_tag_begin(context, CAIRO_TAG_LINK, box)
                unsafe cairo_tag_end(context, CAIRO_TAG_LINK)
                unsafe cairo_tag_end(context, "P")
            }
        }
    }

    /// Where bytes of a text stand in a line, from the text's left side.
    private static func extents(
        of range: Range<Int32>, in line: UnsafeMutablePointer<PangoLayoutLine>
    ) -> [(from: Double, to: Double)] {
        let start = unsafe max(range.lowerBound, line.pointee.start_index)
        let end = unsafe min(range.upperBound, line.pointee.start_index + line.pointee.length)
        guard start < end else { return [] }
        var ranges: UnsafeMutablePointer<Int32>?
        var count: Int32 = 0
        unsafe pango_layout_line_get_x_ranges(line, start, end, &ranges, &count)
        guard let found = unsafe ranges else { return [] }
        defer { unsafe g_free(found) }
        return (0..<Int(count)).map { index in
            (from: unsafe Lines.points(found[2 * index]), to: unsafe Lines.points(found[2 * index + 1]))
        }
    }
}

/// What a font is measured by: its letters of 100 points.
private struct FontScale {
    /// By how much it is enlarged, so that small letters are of one height in every font.
    var size = 1.0
    /// Of a line, per point.
    var height = 0.0

    init() {}

    init(of letter: Lines) {
        size = min(max(49 / max(letter.inkHeight, 1), 0.9), 1.12)
        // Against no usual height the line has all of its letters on top of what the face says.
        height = (letter.height / 100 - letter.face.leading) * size
    }
}

/// A text broken into lines.
@safe final class Lines {
    struct Place {
        /// Of its first letter, from the text's left side.
        let x: Double
        /// From its top.
        let baseline: Double
        let height: Double
    }

    /// In the order of the text.
    let places: [Place]
    let isRightToLeft: Bool
    fileprivate let face: Face
    fileprivate let layout: OpaquePointer
    fileprivate let links: [(range: Range<Int32>, address: String)]

    /// - Parameter layout: becomes this value's.
    fileprivate init(_ layout: OpaquePointer, _ spans: [PrintSpan], _ face: Face, _ scale: FontScale, width: Double?) {
        unsafe self.layout = unsafe layout
        self.face = face
        let text = spans.map(\.text).joined()
        unsafe pango_layout_set_text(layout, text, Int32(clamping: text.utf8.count))
        unsafe pango_layout_set_width(layout, width.map { Int32($0 * Double(PANGO_SCALE)) } ?? -1)
        unsafe pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        unsafe pango_layout_set_alignment(layout, face.alignment == .center ? PANGO_ALIGN_CENTER : PANGO_ALIGN_LEFT)
        unsafe Self.setFont(of: layout, face, size: face.size * scale.size)
        links = unsafe Self.setStyles(of: layout, spans, face)
        isRightToLeft = unsafe pango_layout_get_direction(layout, 0) == PANGO_DIRECTION_RTL
        places = unsafe Self.places(in: layout, face, usual: face.size * scale.height)
    }

    deinit { unsafe g_object_unref(UnsafeMutableRawPointer(layout)) }

    var height: Double { places.reduce(0) { $0 + $1.height } }

    /// Whether each of its letters is in some font.
    fileprivate var hasFont: Bool { unsafe pango_layout_get_unknown_glyphs_count(layout) == 0 }

    /// Of its letters, without the room around them.
    fileprivate var inkHeight: Double {
        var box = PangoRectangle()
        unsafe pango_layout_get_extents(layout, &box, nil)
        return Self.points(box.height)
    }

    /// Of the longest line.
    var width: Double {
        var box = PangoRectangle()
        unsafe pango_layout_get_extents(layout, nil, &box)
        return Self.points(box.width)
    }

    private static func setFont(of layout: OpaquePointer, _ face: Face, size: Double) {
        let font = unsafe pango_font_description_from_string(face.family.names)
        unsafe pango_font_description_set_absolute_size(font, size * Double(PANGO_SCALE))
        unsafe pango_font_description_set_weight(font, face.isBold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL)
        unsafe pango_font_description_set_style(font, face.isItalic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL)
        unsafe pango_layout_set_font_description(layout, font)
        unsafe pango_font_description_free(font)
    }

    private static func setStyles(
        of layout: OpaquePointer, _ spans: [PrintSpan], _ face: Face
    ) -> [(range: Range<Int32>, address: String)] {
        let list = unsafe pango_attr_list_new()
        var links: [(range: Range<Int32>, address: String)] = []
        var start: UInt32 = 0
        if face.tracking > 0 {
            let space = Int32(face.size * face.tracking * Double(PANGO_SCALE))
            unsafe cpango_add(list, pango_attr_letter_spacing_new(space), 0, .max)
        }
        for span in spans {
            let end = start + UInt32(clamping: span.text.utf8.count)
            if span.style.contains(.bold) {
                unsafe cpango_add(list, pango_attr_weight_new(PANGO_WEIGHT_BOLD), start, end)
            }
            if span.style.contains(.italic) {
                // What is set off in slanted writing stands upright.
                let style = face.isItalic ? PANGO_STYLE_NORMAL : PANGO_STYLE_ITALIC
                unsafe cpango_add(list, pango_attr_style_new(style), start, end)
            }
            if span.style.contains(.code) {
                unsafe cpango_add(list, pango_attr_family_new(Face.Family.mono.names), start, end)
                let size = Int32(face.size * 0.86 * Double(PANGO_SCALE))
                unsafe cpango_add(list, pango_attr_size_new_absolute(size), start, end)
            }
            if !span.link.isEmpty {
                unsafe cpango_add(list, pango_attr_foreground_new(0x1c00, 0x3a00, 0x6e00), start, end)
                links.append((range: Int32(start)..<Int32(end), address: span.link))
            }
            start = end
        }
        unsafe pango_layout_set_attributes(layout, list)
        unsafe pango_attr_list_unref(list)
        return links
    }

    private static func places(in layout: OpaquePointer, _ face: Face, usual: Double) -> [Place] {
        guard let lines = unsafe pango_layout_get_iter(layout) else { return [] }
        defer { unsafe pango_layout_iter_free(lines) }
        var places: [Place] = []
        repeat {
            var box = PangoRectangle()
            unsafe pango_layout_iter_get_line_extents(lines, nil, &box)
            // Of letters that no font has, Pango may say anything.
            let letters = min(max(points(box.height), 0), 1000)
            let above = min(max(points(unsafe pango_layout_iter_get_baseline(lines)) - points(box.y), 0), 1000)
            // Lines are as far apart as the face says, whatever room its font asks for, but for letters of other fonts.
            let height = face.size * face.leading + max(letters - usual, 0)
            places.append(Place(x: points(box.x), baseline: (height - letters) / 2 + above, height: height))
        } while unsafe pango_layout_iter_next_line(lines) != 0
        return places
    }

    fileprivate static func points(_ units: Int32) -> Double { Double(units) / Double(PANGO_SCALE) }
}
