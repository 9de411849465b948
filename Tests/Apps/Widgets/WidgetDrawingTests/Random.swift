import Widgets

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
        return value ^ value >> 31
    }
}

/// Frames that nobody would think of.
enum RandomFrame {
    private static let noncharacters = String(
        String.UnicodeScalarView([0xfffe, 0xfdd0, 0x1ffff, 0xfeff].compactMap { Unicode.Scalar($0 as UInt32) }))

    static let words = [
        "", "a", "Milk and bread", "שלום עולם", "مرحبا بالعالم", "日本語のテキスト", "👩‍👩‍👧‍👦🔥", "e\u{301}\u{302}\u{303}",
        "\u{202e}evil\u{202c}",
        "\u{2067}iso", "a\nb\nc\nd", "\u{0}\u{1}\u{7f}", "<script>alert(1)</script>", "]]>&amp;\"'",
        noncharacters,
        String(repeating: "long ", count: 300), String(repeating: "W", count: 10_000), "\u{2028}\u{2029}\u{85}",
        "\t\t\ttab",
    ]

    static func make(_ random: inout SeededGenerator) -> Frame {
        let family = WidgetFamily.allCases.randomElement(using: &random) ?? .systemSmall
        let state = Frame.State.allCases.randomElement(using: &random) ?? .shown
        var budget = 40
        let name = words.randomElement(using: &random) ?? ""
        return Sample.frame(
            family, node(&random, depth: 0, &budget), state: state,
            isLuminanceReduced: Bool.random(using: &random), name: name)
    }

    private static func node(_ random: inout SeededGenerator, depth: Int, _ budget: inout Int) -> FrameNode {
        budget -= 1
        let isLeaf = depth > 8 || budget < 0
        let isDimmed = Bool.random(using: &random)
        switch Int.random(in: isLeaf ? 5...12 : 0...12, using: &random) {
        case 0...2:
            let axis = Axis.allCases.randomElement(using: &random) ?? .vertical
            let alignment = Alignment.allCases.randomElement(using: &random) ?? .leading
            let nodes = (0..<Int.random(in: 0...6, using: &random)).map { _ in node(&random, depth: depth + 1, &budget)
            }
            return .stack(axis, alignment, spacing: UInt8.random(in: 0...40, using: &random), nodes)
        case 3:
            let style: GaugeStyle = Bool.random(using: &random) ? .linear : .circular
            let value = GaugeValue(thousandths: UInt16.random(in: 0...1000, using: &random))
            return .gauge(style, value, label: node(&random, depth: depth + 1, &budget), isDimmed: isDimmed)
        case 4: return .toggle(isOn: isDimmed, label: node(&random, depth: depth + 1, &budget), isDimmed: isDimmed)
        case 5: return .divider
        case 6: return .spacer
        case 7:
            let symbol = SymbolName.allCases.randomElement(using: &random) ?? .square
            return .symbol(symbol, Tint.allCases.randomElement(using: &random) ?? .primary, isDimmed: isDimmed)
        case 8:
            let width = UInt16.random(in: 1...1000, using: &random)
            let picture = Picture(picture(&random), width: width, height: UInt16.random(in: 1...1000, using: &random))
            return .image(picture, isDimmed: isDimmed)
        case 9:
            let masks: [Mask] = [
                .image, .block, .toggle, .gauge(.circular), .gauge(.linear), .text(.title, columns: 40),
            ]
            return .mask(masks.randomElement(using: &random) ?? .block)
        default:
            let run = TextRun(
                words.randomElement(using: &random) ?? "", font: Font.allCases.randomElement(using: &random) ?? .body,
                tint: .primary, isBold: Bool.random(using: &random), lineLimit: UInt8.random(in: 0...4, using: &random))
            return .text(run, isDimmed: isDimmed)
        }
    }

    /// One of ours with a few bytes changed, or cut.
    static func picture(_ random: inout SeededGenerator) -> [UInt8] {
        let files = [Pictures.png, Pictures.jpeg, Pictures.progressiveJPEG, Pictures.printJPEG]
        var file = files.randomElement(using: &random) ?? []
        for _ in 0..<Int.random(in: 0...4, using: &random) where !file.isEmpty {
            file[Int.random(in: 0..<file.count, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
        }
        if Bool.random(using: &random) { file = Array(file.prefix(Int.random(in: 0...file.count, using: &random))) }
        return file
    }
}
