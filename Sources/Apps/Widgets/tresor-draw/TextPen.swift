import CPango
import WidgetDrawing
import Widgets

/// Measures and draws words: the one file that meets Pango.
@safe final class TextPen: TextMeasure {
    private let context: OpaquePointer
    /// One for all texts: each sets it anew.
    private let layout: OpaquePointer
    /// By script, font, and whether it is bold.
    private let faces: [OpaquePointer?]

    init(_ depth: DrawDepth) throws(CanvasError) {
        guard let map = unsafe pango_cairo_font_map_get_default() else { throw .failed }
        // One unit of a layout is a point of the widget.
        unsafe pango_cairo_font_map_set_resolution(OpaquePointer(map), 72)
        guard let context = unsafe pango_font_map_create_context(map), let layout = unsafe pango_layout_new(context)
        else { throw .failed }
        let isInk = depth == .ink
        let options = unsafe cairo_font_options_create()
        unsafe cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        unsafe cairo_font_options_set_antialias(options, isInk ? CAIRO_ANTIALIAS_NONE : CAIRO_ANTIALIAS_GRAY)
        unsafe cairo_font_options_set_hint_style(options, isInk ? CAIRO_HINT_STYLE_FULL : CAIRO_HINT_STYLE_SLIGHT)
        unsafe pango_cairo_context_set_font_options(context, options)
        unsafe cairo_font_options_destroy(options)
        // Whole pixels where there is no grey: else strokes of one letter are of two widths.
        unsafe pango_context_set_round_glyph_positions(context, isInk ? 1 : 0)
        unsafe pango_context_set_language(context, pango_language_from_string("en"))
        unsafe pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        // Where a word is broken because it has no room, a hyphen would be wrong more often than right.
        let attributes = unsafe pango_attr_list_new()
        unsafe cpango_add(attributes, pango_attr_insert_hyphens_new(0), 0, .max)
        unsafe pango_layout_set_attributes(layout, attributes)
        unsafe pango_attr_list_unref(attributes)
        unsafe self.context = unsafe context
        unsafe self.layout = unsafe layout
        var faces: [OpaquePointer?] = unsafe []
        for script in TextScript.allCases {
            for font in Font.allCases {
                for isBold in [false, true] { unsafe faces.append(Self.face(script, font, isBold: isBold)) }
            }
        }
        unsafe self.faces = unsafe faces
    }

    deinit {
        unsafe faces.forEach { unsafe pango_font_description_free($0) }
        unsafe g_object_unref(UnsafeMutableRawPointer(layout))
        unsafe g_object_unref(UnsafeMutableRawPointer(context))
    }

    private static func face(_ script: TextScript, _ font: Font, isBold: Bool) -> OpaquePointer? {
        // As a family and not as a description, whose last word might be taken for a weight.
        let face = unsafe pango_font_description_new()
        unsafe pango_font_description_set_family(face, script.families(isFixed: font == .monospaced))
        unsafe pango_font_description_set_absolute_size(face, Double(font.size) * Double(PANGO_SCALE))
        let isHeavy = isBold || font == .headline
        unsafe pango_font_description_set_weight(face, isHeavy ? PANGO_WEIGHT_SEMIBOLD : PANGO_WEIGHT_NORMAL)
        return unsafe face
    }

    /// Whether each letter of what was measured last is in some font.
    var hasFont: Bool { unsafe pango_layout_get_unknown_glyphs_count(layout) == 0 }

    func extent(of run: TextRun, width: Double?) -> TextExtent {
        set(run, width: width, limit: nil)
        var box = PangoRectangle()
        unsafe pango_layout_get_extents(layout, nil, &box)
        let count = Int(unsafe pango_layout_get_line_count(layout))
        return TextExtent(width: max(0, Self.points(box.width)), lineCount: count)
    }

    /// Draws at most so many lines, as far apart as the font says whatever letters stand in them.
    func draw(
        _ run: TextRun, _ box: DrawBox, _ limit: Int, _ alignment: Alignment, on target: OpaquePointer
    ) {
        set(shortened(run, box.width, limit), width: box.width, limit: limit)
        let places = [PANGO_ALIGN_LEFT, PANGO_ALIGN_CENTER, PANGO_ALIGN_RIGHT]
        unsafe pango_layout_set_alignment(layout, places[Int(alignment.rawValue)])
        guard let lines = unsafe pango_layout_get_iter(layout) else { return }
        defer { unsafe pango_layout_iter_free(lines) }
        var y = box.y + run.font.baseline
        for _ in 0..<limit {
            guard let line = unsafe pango_layout_iter_get_line_readonly(lines) else { return }
            var extents = PangoRectangle()
            unsafe pango_layout_iter_get_line_extents(lines, nil, &extents)
            unsafe cairo_move_to(target, box.x + Self.points(extents.x), y)
            unsafe pango_cairo_show_layout_line(target, line)
            y += run.font.lineHeight
            guard unsafe pango_layout_iter_next_line(lines) != 0 else { return }
        }
    }

    /// Without the lines for which there is no room: Pango would make one of all that are left.
    private func shortened(_ run: TextRun, _ width: Double, _ limit: Int) -> TextRun {
        guard run.content.unicodeScalars.contains("\n") else { return run }
        set(run, width: width, limit: nil)
        guard let last = unsafe pango_layout_get_line_readonly(layout, Int32(limit - 1)) else { return run }
        let text = Self.drawn(run)
        let start = text.utf8.index(text.startIndex, offsetBy: Int(unsafe last.pointee.start_index))
        guard let end = text[start...].unicodeScalars.firstIndex(of: Self.lineEnd) else { return run }
        var run = run
        run.content = String(text[..<end]) + "…"
        return run
    }

    private static let lineEnd: Unicode.Scalar = "\u{2028}"

    /// Lines of one paragraph, or else each would have as many as the whole text may have.
    private static func drawn(_ run: TextRun) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in run.content.unicodeScalars { scalars.append(scalar == "\n" ? lineEnd : scalar) }
        return String(scalars)
    }

    private func set(_ run: TextRun, width: Double?, limit: Int?) {
        let font = TextScript(run.content).rawValue * Font.allCases.count + Int(run.font.rawValue)
        let face = unsafe faces[font * 2 + (run.isBold ? 1 : 0)]
        unsafe pango_layout_set_font_description(layout, face)
        unsafe pango_layout_set_alignment(layout, PANGO_ALIGN_LEFT)
        unsafe pango_layout_set_width(layout, width.map { Int32(($0 * Double(PANGO_SCALE)).rounded(.up)) } ?? -1)
        unsafe pango_layout_set_ellipsize(layout, limit == nil ? PANGO_ELLIPSIZE_NONE : PANGO_ELLIPSIZE_END)
        // Negative: lines of a paragraph.
        unsafe pango_layout_set_height(layout, limit.map { -Int32(clamping: $0) } ?? -1)
        let text = Self.drawn(run)
        unsafe pango_layout_set_text(layout, text, Int32(clamping: text.utf8.count))
    }

    private static func points(_ units: Int32) -> Double { Double(units) / Double(PANGO_SCALE) }
}
