import TerminalScreen

/// What a program wrote to draw a picture, checked before a terminal gets it: one picture, in its place, and nothing
/// else that a terminal would obey.
struct TerminalPicture {
    private let format: PictureFormat

    init(_ format: PictureFormat) { self.format = format }

    /// The picture with the cursor's movements before it; nil where the output is anything but a picture.
    func text(_ output: [UInt8], at place: PicturePlace) -> String? {
        guard let text = String(validating: output, as: UTF8.self) else { return nil }
        switch format {
        case .symbols: return symbols(text, place)
        // ECMA-48: an application program command begins with ESC _, a device control string with ESC P.
        case .kitty: return strings(text, introducer: "_", start: "G", place)
        case .sixels: return strings(text, introducer: "P", start: "", place)
        }
    }

    private static func move(_ place: PicturePlace, row: Int = 0) -> String {
        "\u{1B}[\(place.row + row + 1);\(place.column + 1)H"
    }

    // MARK: Characters

    private func symbols(_ text: String, _ place: PicturePlace) -> String? {
        var drawn = ""
        let rows = text.split(separator: "\n", omittingEmptySubsequences: true)
        guard rows.count <= place.height else { return nil }
        for (index, row) in rows.enumerated() {
            guard let safe = Self.coloured(row, width: place.width) else { return nil }
            drawn += Self.move(place, row: index) + safe
        }
        return drawn + "\u{1B}[0m"
    }

    /// Characters that are seen, and colours: `CSI … m` alone.
    private static func coloured(_ row: Substring, width limit: Int) -> String? {
        var rest = row.unicodeScalars[...]
        var width = 0
        while let scalar = rest.popFirst() {
            if scalar == "\u{1B}" {
                guard rest.popFirst() == "[" else { return nil }
                while let next = rest.first, next == ";" || next == ":" || ("0"..."9").contains(next) {
                    rest.removeFirst()
                }
                guard rest.popFirst() == "m" else { return nil }
            } else {
                guard SafeText.isShown(scalar) else { return nil }
                width += CellWidth.of(scalar)
            }
        }
        return width <= limit ? String(row) : nil
    }

    // MARK: Pictures

    /// Control strings of one kind, of printable ASCII; white space between them is left out.
    private func strings(_ text: String, introducer: Unicode.Scalar, start: String, _ place: PicturePlace) -> String? {
        var rest = text.unicodeScalars[...]
        var drawn = ""
        while let scalar = rest.popFirst() {
            if scalar == "\n" || scalar == "\r" || scalar == " " { continue }
            guard scalar == "\u{1B}", rest.popFirst() == introducer else { return nil }
            let body = String(rest.prefix { (0x20...0x7E).contains($0.value) || $0 == "\n" })
            rest = rest.dropFirst(body.unicodeScalars.count)
            guard body.hasPrefix(start), rest.popFirst() == "\u{1B}", rest.popFirst() == "\\" else { return nil }
            drawn += "\u{1B}\(introducer)\(body)\u{1B}\\"
        }
        return drawn.isEmpty ? nil : Self.move(place) + drawn
    }
}
