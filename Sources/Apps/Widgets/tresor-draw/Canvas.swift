import WidgetDrawing
import Widgets

/// Why nothing can be drawn: cairo, Pango or zlib refuse, for lack of memory or fonts.
enum CanvasError: Error { case failed }

/// Makes pictures of frames.
///
/// It is kept for all of them: fonts are opened once, and pixels are used again by the next frame of the same size.
struct Canvas {
    /// Of the pictures in one frame, decoded.
    private static let mostPixels = 32_000_000

    private let colorText: TextPen
    private let inkText: TextPen
    private var sheet: Sheet?

    /// Opens the fonts.
    init() throws(CanvasError) {
        Sheet.silenceLibraries()
        colorText = try TextPen(.color)
        inkText = try TextPen(.ink)
        // The first letters are the slowest: fontconfig looks for their fonts.
        for font in Font.allCases { _ = colorText.extent(of: TextRun("Ag0", font: font), width: nil) }
        guard colorText.hasFont else { throw .failed }
    }

    /// A frame as the file of a PNG.
    mutating func draw(_ frame: Frame, _ request: DrawRequest) throws(CanvasError) -> [UInt8] {
        let isInk = request.depth == .ink
        let palette =
            isInk ? .ink(request.theme) : Palette(request.theme, isLuminanceReduced: frame.isLuminanceReduced)
        let (size, scale) = (frame.family.size, Int(request.scale.rawValue))
        let sheet = try readySheet(size.width * scale, size.height * scale)
        let text = isInk ? inkText : colorText
        var artist = Artist(sheet: sheet, text: text, palette: palette, scale: scale, pixelsLeft: Self.mostPixels)
        sheet.begin(scale: scale, isInk: isInk)
        for (index, item) in Layout.place(frame, measure: text).enumerated() {
            // Paper of electronic ink has corners.
            if index == 0 && isInk { sheet.cover(palette.color(of: .background)) } else { artist.draw(item) }
        }
        do { try sheet.end() } catch {
            self.sheet = nil
            throw error
        }
        return try sheet.png(request.depth)
    }

    private mutating func readySheet(_ width: Int, _ height: Int) throws(CanvasError) -> Sheet {
        if let sheet, sheet.width == width, sheet.height == height { return sheet }
        let fresh = try Sheet(width: width, height: height)
        sheet = fresh
        return fresh
    }
}

/// Draws the items of one frame.
private struct Artist {
    let sheet: Sheet
    let text: TextPen
    let palette: Palette
    let scale: Int
    var pixelsLeft: Int

    mutating func draw(_ item: DrawItem) {
        switch item {
        case .fill(let box, let radius, let paint, let isDimmed):
            use(paint, isDimmed)
            sheet.fill(box, radius: radius)
        case .text(let run, let box, let limit, let alignment, let isDimmed):
            use(.tint(run.tint), isDimmed)
            sheet.draw(run, box, limit, alignment, with: text)
        case .picture(let picture, let box, let radius, let isDimmed): draw(picture, box, radius, isDimmed)
        case .symbol(let name, let tint, let box, let isDimmed):
            use(.tint(tint), isDimmed)
            sheet.stroke(SymbolPath.steps(of: name), in: box, lineWidth: SymbolPath.lineWidth, grid: SymbolPath.side)
        case .ring(let box, let lineWidth, let thousandths, let isDimmed):
            use(.track, isDimmed)
            sheet.strokeArc(box, lineWidth: lineWidth, part: 1)
            guard thousandths > 0 else { return }
            use(.tint(.accent), isDimmed)
            sheet.strokeArc(box, lineWidth: lineWidth, part: Double(thousandths) / 1000)
        }
    }

    private func use(_ paint: Paint, _ isDimmed: Bool) {
        sheet.use(palette.color(of: paint), opacity: isDimmed ? palette.dimming : 1)
    }

    /// A file that is no picture, or too large a one, is a grey box.
    private mutating func draw(_ picture: Picture, _ box: DrawBox, _ radius: Double, _ isDimmed: Bool) {
        let wanted = (width: Int(box.width) * scale, height: Int(box.height) * scale)
        guard let image = DecodedPicture(picture, wanted: wanted, most: pixelsLeft) else {
            return draw(.fill(box, radius: radius, .mask, isDimmed: isDimmed))
        }
        pixelsLeft -= image.cost
        sheet.draw(image, filling: box, radius: radius, opacity: isDimmed ? palette.dimming : 1)
    }
}
