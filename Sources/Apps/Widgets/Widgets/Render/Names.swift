// As JSON and HTML classes say it.

extension Font {
    var outputName: String {
        switch self {
        case .caption: "caption"
        case .body: "body"
        case .headline: "headline"
        case .title: "title"
        case .largeTitle: "largeTitle"
        case .monospaced: "monospaced"
        }
    }
}

extension Axis {
    var outputName: String {
        switch self {
        case .horizontal: "horizontal"
        case .vertical: "vertical"
        case .depth: "depth"
        }
    }
}

extension Alignment {
    var outputName: String {
        switch self {
        case .leading: "leading"
        case .center: "center"
        case .trailing: "trailing"
        }
    }
}

extension GaugeStyle {
    var outputName: String {
        switch self {
        case .linear: "linear"
        case .circular: "circular"
        }
    }
}

extension Mask {
    var outputName: String {
        switch self {
        case .text: "text"
        case .image: "image"
        case .gauge: "gauge"
        case .toggle: "toggle"
        case .block: "block"
        }
    }
}

extension SymbolName {
    /// A dot would end a class's name in a selector.
    var className: String { self == .lockOpen ? "lock-open" : name }
}

extension Font {
    var className: String { self == .largeTitle ? "large-title" : outputName }
}

extension WidgetFamily {
    var className: String {
        switch self {
        case .systemSmall: "system-small"
        case .systemMedium: "system-medium"
        case .systemLarge: "system-large"
        case .systemExtraLarge: "system-extra-large"
        case .accessoryInline: "accessory-inline"
        case .accessoryCircular: "accessory-circular"
        case .accessoryRectangular: "accessory-rectangular"
        }
    }

    /// Whether text hosts give it one line.
    var isOneLine: Bool { self == .accessoryInline || self == .accessoryCircular }
}

extension Picture.FileKind {
    var outputName: String { self == .png ? "png" : "jpeg" }
}

extension GaugeValue {
    /// Rounded down, so that 100 is said of what is done only.
    var percent: Int { Int(thousandths) / 10 }
}
