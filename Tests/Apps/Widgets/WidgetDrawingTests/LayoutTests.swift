import Testing
import Thoroughness
import Widgets

@Suite struct LayoutTests {
    private static func place(_ frame: Frame) -> [DrawItem] { Layout.place(frame, measure: EstimatedText()) }

    private static func box(_ item: DrawItem) -> DrawBox {
        switch item {
        case .fill(let box, _, _, _), .text(_, let box, _, _, _), .picture(_, let box, _, _), .symbol(_, _, let box, _),
            .ring(let box, _, _, _):
            box
        }
    }

    private static func words(_ items: [DrawItem]) -> [String] {
        items.compactMap { if case .text(let run, _, _, _, _) = $0 { run.content } else { nil } }
    }

    private static func isInside(_ box: DrawBox, _ family: WidgetFamily) -> Bool {
        let (width, height) = (Double(family.size.width), Double(family.size.height))
        return box.x >= -0.5 && box.y >= -0.5 && box.x + box.width <= width + 0.5 && box.y + box.height <= height + 0.5
            && box.width >= 0 && box.height >= 0
    }

    @Test(arguments: WidgetFamily.allCases)
    func `given a widget as it should be, everything of it is drawn, and nothing across its edge`(
        _ family: WidgetFamily
    ) {
        for node in [Sample.content(family), Sample.masks(family)] {
            let items = Self.place(Sample.frame(family, node))
            #expect(items.count > 1)
            let outside = items.filter { !Self.isInside(Self.box($0), family) }
            #expect(outside.isEmpty)
        }
    }

    @Test
    func `given frames that nobody would think of, places are numbers, and no text is higher than the widget`() {
        var random = SeededGenerator(state: 11)
        for _ in 0..<Thoroughness.count(150, soak: 1000) {
            let frame = RandomFrame.make(&random)
            let items = Self.place(frame)
            for item in items {
                let box = Self.box(item)
                let numbers = [box.x, box.y, box.width, box.height]
                #expect(numbers.allSatisfy { $0.isFinite && abs($0) < 5000 })
                if case .text(let run, let box, let limit, _, _) = item {
                    #expect(limit >= 1)
                    #expect(box.height == Double(limit) * run.font.lineHeight)
                    #expect(limit == 1 || box.height <= Double(frame.family.size.height))
                }
            }
        }
    }

    @Test func `given more lines than there is room for, the last are left out`() {
        let lines = (1...30).map { Sample.text("Line \($0)", lines: 1) }
        let words = Self.words(Self.place(Sample.frame(.systemSmall, Sample.column(lines))))
        #expect(words == (1...5).map { "Line \($0)" })
    }

    @Test func `given a long text beside a short one, the short one is whole`() {
        let long = Sample.text(String(repeating: "much ", count: 60), lines: 1)
        let items = Self.place(Sample.frame(.systemMedium, Sample.row([long, .spacer, Sample.text("42")])))
        let boxes = items.compactMap {
            if case .text(let run, let box, _, _, _) = $0 { (run.content, box) } else { nil }
        }
        #expect(boxes.count == 2)
        let short = TextRun("42")
        #expect(boxes.last?.1.width == EstimatedText().extent(of: short, width: nil).width.rounded(.up))
        #expect(boxes.last.map { $0.1.x + $0.1.width } == 322)
    }

    @Test func `given a spacer, what follows stands at the other end`() {
        let column = Sample.column([Sample.text("top"), .spacer, Sample.text("bottom")])
        let boxes = Self.place(Sample.frame(.systemSmall, column)).dropFirst().map(Self.box)
        #expect(boxes.map(\.y) == [16, 122])
    }

    @Test func `given words beside others, none is broken that has room`() {
        for words in ["wonderful", "so wonderful"] {
            let row = Sample.row([Sample.text("a bit of it is to be set in lines"), Sample.text(words)])
            let widths = Self.place(Sample.frame(.systemSmall, row)).compactMap {
                if case .text(let run, let box, _, _, _) = $0, run.content == words { box.width } else { nil }
            }
            #expect(widths.count == 1)
            #expect(widths[0] >= EstimatedText().extent(of: TextRun("wonderful"), width: nil).width)
        }
    }

    @Test func `given stacks 60 deep, each text is measured three times at most`() {
        final class Counting: TextMeasure {
            var count = 0
            func extent(of run: TextRun, width: Double?) -> TextExtent {
                count += 1
                return EstimatedText().extent(of: run, width: width)
            }
        }
        var node = Sample.text("in the middle")
        for level in 0..<60 {
            node = level % 2 == 0 ? Sample.row([node, Sample.text("x")]) : Sample.column([node, Sample.text("y")])
        }
        let measure = Counting()
        _ = Layout.place(Sample.frame(.systemExtraLarge, node), measure: measure)
        #expect(measure.count <= 3 * 61)
    }

    @Test func `given 4,000 texts one above the other, no more than 400 are drawn`() {
        let pile = FrameNode.stack(.depth, .center, spacing: 0, (0..<4000).map { Sample.text("\($0)") })
        #expect(Self.words(Self.place(Sample.frame(.systemLarge, pile))).count == 400)
    }

    @Test func `given a widget that is not to be had, its name is drawn and nothing of its content`() {
        let frame = Sample.frame(.systemSmall, Sample.text("content"), state: .unavailable)
        #expect(Self.words(Self.place(frame)) == ["Notes"])
    }

    @Test func `given any symbol, its drawing stays on the grid`() {
        for symbol in SymbolName.allCases {
            let steps = SymbolPath.steps(of: symbol)
            #expect(!steps.isEmpty)
            for step in steps {
                let numbers: [Double] =
                    switch step {
                    case .move(let x, let y), .line(let x, let y): [x, y]
                    case .curve(let x1, let y1, let x2, let y2, let x, let y): [x1, y1, x2, y2, x, y]
                    case .close: []
                    }
                #expect(numbers.allSatisfy { $0 >= 0.9 && $0 <= 23.1 }, "\(symbol)")
            }
        }
        #expect(Set(SymbolName.allCases.map(SymbolPath.svg)).count == SymbolName.allCases.count)
    }

    @Test func `every tint can be read on its ground`() {
        let screens = WidgetTheme.allCases.flatMap { theme in
            [false, true].map { Palette(theme, isLuminanceReduced: $0) }
        }
        for palette in screens + WidgetTheme.allCases.map(Palette.ink) {
            let ground = Self.luminance(palette.color(of: .background))
            for tint in Tint.allCases {
                let letters = Self.luminance(palette.color(of: .tint(tint)))
                let contrast = (max(ground, letters) + 0.05) / (min(ground, letters) + 0.05)
                #expect(contrast >= 4.5, "\(tint)")
            }
        }
    }

    /// WCAG 2.2, relative luminance, with a power in place of its exact curve: by it contrasts come out a little lower.
    private static func luminance(_ color: WidgetColor) -> Double {
        let parts = [color.red, color.green, color.blue].map { value -> Double in
            let part = Double(value) / 255
            return part * part * (0.8 + 0.2 * part)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }
}
