/// Writes drawn items as elements of SVG 2.
struct SVGWriter {
    var text = ""
    private let palette: Palette

    init(_ palette: Palette) { self.palette = palette }

    mutating func add(_ item: DrawItem) {
        switch item {
        case .fill(let box, let radius, let paint, let isDimmed):
            text += "<rect" + Self.place(box)
            if radius > 0 { attribute("rx", min(radius, box.width / 2, box.height / 2)) }
            text += " fill=\"" + palette.color(of: paint).hexadecimal + "\"" + opacity(isDimmed) + "/>"
        case .text(let run, let box, let limit, let alignment, let isDimmed):
            add(run, box, limit, alignment, isDimmed)
        case .picture(let picture, let box, let radius, let isDimmed): add(picture, box, radius, isDimmed)
        case .symbol(let name, let tint, let box, let isDimmed):
            let scale = SVGNumber.text(box.width / SymbolPath.side)
            text += "<path transform=\"translate(" + SVGNumber.text(box.x) + " " + SVGNumber.text(box.y)
            text += ") scale(" + scale + ")\" d=\"" + SymbolPath.svg(name) + "\" fill=\"none\""
            text += " stroke-linecap=\"round\" stroke-linejoin=\"round\""
            stroke(.tint(tint), SymbolPath.lineWidth)
            text += opacity(isDimmed) + "/>"
        case .ring(let box, let lineWidth, let thousandths, let isDimmed):
            addRing(box, lineWidth, thousandths, isDimmed)
        }
    }

    private mutating func add(
        _ run: TextRun, _ box: DrawBox, _ limit: Int, _ alignment: Alignment, _ isDimmed: Bool
    ) {
        let lines = EstimatedText().lines(run, width: box.width, limit: limit)
        for (index, line) in lines.enumerated() {
            let isRightToLeft = DrawnWords.isRightToLeft(line)
            let x: Double
            let anchor: String
            switch alignment {
            case .center: (x, anchor) = (box.x + box.width / 2, "middle")
            case .leading where !isRightToLeft: (x, anchor) = (box.x, "start")
            case .leading where lines.count == 1: (x, anchor) = (box.x, "end")
            case .trailing where isRightToLeft: (x, anchor) = (box.x + box.width, "start")
            // Lines from right to left begin on the right, as in a book; their end is on the left.
            case .leading: (x, anchor) = (box.x + box.width, "start")
            case .trailing: (x, anchor) = (box.x + box.width, "end")
            }
            text += "<text"
            attribute("x", x)
            attribute("y", box.y + Double(index) * run.font.lineHeight + run.font.baseline)
            if anchor != "start" { text += " text-anchor=\"" + anchor + "\"" }
            attribute("font-size", Double(run.font.size))
            let script = TextScript(line)
            if script != .other || run.font == .monospaced {
                text += " font-family=\"" + Self.families(script, isFixed: run.font == .monospaced) + "\""
            }
            if let language = script.language { text += " xml:lang=\"" + language + "\"" }
            if run.isBold || run.font == .headline { text += " font-weight=\"600\"" }
            text += " unicode-bidi=\"isolate\"" + (isRightToLeft ? " direction=\"rtl\"" : "")
            text += " fill=\"" + palette.color(of: .tint(run.tint)).hexadecimal + "\"" + opacity(isDimmed)
            text += " xml:space=\"preserve\">" + Markup.escaped(line) + "</text>"
        }
    }

    /// The reader's own font first.
    static func families(_ script: TextScript, isFixed: Bool) -> String {
        (isFixed ? "ui-monospace, " : "system-ui, ") + script.families(isFixed: isFixed)
    }

    /// A file that is no picture is a grey box: who reads this has no other way to say so.
    private mutating func add(_ picture: Picture, _ box: DrawBox, _ radius: Double, _ isDimmed: Bool) {
        guard let kind = picture.fileKind else { return add(.fill(box, radius: radius, .mask, isDimmed: isDimmed)) }
        text += "<image" + Self.place(box) + " preserveAspectRatio=\"xMidYMid slice\"" + opacity(isDimmed)
        text +=
            " href=\"data:image/" + (kind == .png ? "png" : "jpeg") + ";base64,"
            + String(decoding: Base64.encode(picture.file), as: UTF8.self)
        text += "\"/>"
    }

    /// A circle is drawn from three o'clock; turned by a quarter it begins at the top.
    private mutating func addRing(_ box: DrawBox, _ lineWidth: Double, _ thousandths: UInt16, _ isDimmed: Bool) {
        let radius = (box.width - lineWidth) / 2
        let (x, y) = (box.x + box.width / 2, box.y + box.height / 2)
        for isFilled in thousandths > 0 ? [false, true] : [false] {
            text += "<circle"
            attribute("cx", x)
            attribute("cy", y)
            attribute("r", radius)
            text += " fill=\"none\""
            stroke(isFilled ? .tint(.accent) : .track, lineWidth)
            if isFilled && thousandths < 1000 {
                let length = 2 * Double.pi * radius
                text += " stroke-linecap=\"round\" stroke-dasharray=\""
                text += SVGNumber.text(length * Double(thousandths) / 1000) + " " + SVGNumber.text(length) + "\""
                text += " transform=\"rotate(-90 " + SVGNumber.text(x) + " " + SVGNumber.text(y) + ")\""
            }
            text += opacity(isDimmed) + "/>"
        }
    }

    private mutating func attribute(_ name: String, _ value: Double) {
        text += " " + name + "=\"" + SVGNumber.text(value) + "\""
    }

    private mutating func stroke(_ paint: Paint, _ width: Double) {
        text += " stroke=\"" + palette.color(of: paint).hexadecimal + "\""
        attribute("stroke-width", width)
    }

    private func opacity(_ isDimmed: Bool) -> String {
        isDimmed ? " opacity=\"" + SVGNumber.text(palette.dimming) + "\"" : ""
    }

    private static func place(_ box: DrawBox) -> String {
        var text = " x=\"" + SVGNumber.text(box.x) + "\" y=\"" + SVGNumber.text(box.y)
        text += "\" width=\"" + SVGNumber.text(box.width) + "\" height=\"" + SVGNumber.text(box.height) + "\""
        return text
    }
}
