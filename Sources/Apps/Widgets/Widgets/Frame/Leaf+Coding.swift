// What views and frames are both made of.

extension TextRun {
    func encode(to writer: inout WidgetWriter) throws(WidgetCodingError) {
        try writer.text(content)
        writer.uint8(font.rawValue)
        writer.uint8(tint.rawValue)
        writer.bool(isBold)
        writer.uint8(lineLimit)
    }

    init(from reader: inout WidgetReader) throws(WidgetCodingError) {
        let content = try reader.text()
        guard let font = Font(rawValue: try reader.uint8()), let tint = Tint(rawValue: try reader.uint8()) else {
            throw .invalid
        }
        self.init(content, font: font, tint: tint, isBold: try reader.bool(), lineLimit: try reader.uint8())
    }
}

extension Picture {
    func encode(to writer: inout WidgetWriter) throws(WidgetCodingError) {
        guard isPossible else { throw .invalid }
        guard file.count <= WidgetLimit.pictureBytes else { throw .tooLarge }
        writer.field(file)
        writer.uint16(width)
        writer.uint16(height)
        try writer.text(label)
    }

    init(from reader: inout WidgetReader) throws(WidgetCodingError) {
        let file = try reader.field(limit: WidgetLimit.pictureBytes)
        self.init(file, width: try reader.uint16(), height: try reader.uint16(), label: try reader.text())
        guard isPossible else { throw .invalid }
    }

    private var isPossible: Bool {
        width >= 1 && height >= 1 && width <= WidgetLimit.pictureSide && height <= WidgetLimit.pictureSide
    }
}

extension GaugeValue {
    init(from reader: inout WidgetReader) throws(WidgetCodingError) {
        let thousandths = try reader.uint16()
        guard thousandths <= 1000 else { throw .invalid }
        self.init(thousandths: thousandths)
    }
}

extension WidgetReader {
    mutating func symbol() throws(WidgetCodingError) -> SymbolName {
        guard let symbol = SymbolName(rawValue: try uint8()) else { throw .invalid }
        return symbol
    }

    mutating func tint() throws(WidgetCodingError) -> Tint {
        guard let tint = Tint(rawValue: try uint8()) else { throw .invalid }
        return tint
    }

    mutating func gaugeStyle() throws(WidgetCodingError) -> GaugeStyle {
        guard let style = GaugeStyle(rawValue: try uint8()) else { throw .invalid }
        return style
    }

    mutating func axis() throws(WidgetCodingError) -> Axis {
        guard let axis = Axis(rawValue: try uint8()) else { throw .invalid }
        return axis
    }

    mutating func alignment() throws(WidgetCodingError) -> Alignment {
        guard let alignment = Alignment(rawValue: try uint8()) else { throw .invalid }
        return alignment
    }
}
