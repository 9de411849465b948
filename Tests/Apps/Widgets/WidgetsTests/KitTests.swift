import Testing

@testable import Widgets

/// What is written in a convenient way is the tree that it stands for, byte by byte in every environment.
@Suite struct Kit {
    /// Everything that can be told of a view: its archive holds what it is in each environment.
    private func bytes(_ view: some View) throws -> TimelineArchive.Parts {
        let entry = TimelineArchive.Entry(date: Moment(seconds: 0), views: [(family: .systemSmall, view: view.node)])
        return try TimelineArchive([entry], policy: .never).encode()
    }

    private func isSame(_ view: some View, _ long: Node) throws -> Bool { try bytes(view) == bytes(long) }

    private func text(
        _ words: String, _ font: Font = .body, _ tint: Tint = .primary, isBold: Bool = false, lines: UInt8 = 0
    ) -> Node { .text(TextRun(words, font: font, tint: tint, isBold: isBold, lineLimit: lines)) }

    // MARK: Styles of text

    @Test func `styles of text stand before and behind other modifiers`() throws {
        let long = Node.modified(.privacySensitive(true), text("42", .headline, .accent, isBold: true, lines: 1))
        #expect(try isSame(Text("42").font(.headline).privacySensitive().bold().foreground(.accent).lineLimit(1), long))
        #expect(try isSame(Text("42").privacySensitive().lineLimit(1).foreground(.accent).bold().font(.headline), long))
        #expect(try isSame(Text("42").font(.headline).foreground(.accent).bold().lineLimit(1).privacySensitive(), long))
        let all = Text("42").unredacted().font(.title).redacted(reason: .privacy).bold().invalidatableContent()
            .foreground(.critical).accessibilityLabel("answer").lineLimit(2).widgetURL("https://example.org")
        let modifiers: [Modifier] = [
            .unredacted, .redacted(.privacy), .invalidatableContent(true), .accessibilityLabel("answer"),
            .link("https://example.org"),
        ]
        let run = text("42", .title, .critical, isBold: true, lines: 2)
        #expect(try isSame(all, modifiers.reduce(run) { .modified($1, $0) }))
    }

    @Test func `a style of a container is that of all words in it which have none`() throws {
        let view = VStack {
            Text("a")
            Text("b").font(.title).foreground(.warning).lineLimit(2)
            Gauge(1, of: 2) { Text("c") }
            Toggle(isOn: true) { Text("d") }
            Symbol(.lock)
            Symbol(.key, tint: .critical)
            if true { HStack { Text("e").unredacted() } }
        }
        let styled: [Node] = [
            text("a", .caption, .accent, isBold: true, lines: 1),
            text("b", .title, .warning, isBold: true, lines: 2),
            .gauge(.linear, GaugeValue(1, of: 2), label: text("c", .caption, .accent, isBold: true, lines: 1)),
            .toggle(isOn: true, label: text("d", .caption, .accent, isBold: true, lines: 1)),
            .symbol(.lock, .accent), .symbol(.key, .critical),
            .stack(
                .horizontal, .center, spacing: 6,
                [.modified(.unredacted, text("e", .caption, .accent, isBold: true, lines: 1))]),
        ]
        #expect(
            try isSame(
                view.font(.caption).foreground(.accent).bold().lineLimit(1),
                .stack(.vertical, .leading, spacing: 4, styled)))
    }

    @Test func `the innermost style counts, also where it is the usual one`() throws {
        let usual = Text("a").font(.body).foreground(.primary).bold(false).lineLimit(nil)
        #expect(try isSame(usual.font(.title).foreground(.critical).bold().lineLimit(1), text("a")))
        let inside = VStack { usual }
        #expect(
            try isSame(
                inside.font(.title).foreground(.critical).bold().lineLimit(1),
                .stack(.vertical, .leading, spacing: 4, [text("a")])))
        let first = Text("a").font(.title).privacySensitive(false).font(.caption)
        #expect(try isSame(first, .modified(.privacySensitive(false), text("a", .title))))
        #expect(try isSame(Text("a").font(.title).font(.caption), text("a", .title)))
        #expect(try isSame(Group { Text("a").bold() }.bold(false), .group([text("a", isBold: true)])))
        #expect(try isSame(Node.text(TextRun("a", font: .title)).font(.caption), text("a", .title)))
        // That a style was said is for the tree that is being written alone: what is drawn is the same.
        #expect(TextRun("a").styled(.font(.body)) == TextRun("a"))
    }

    @Test func `styles reach what is sealed, what stands in its place, and what depends on the environment`() throws {
        let amounts: [(Sealed<String>, Node?)] = [(Sealed("42"), text("42", .title)), (.shut, nil)]
        for (amount, content) in amounts {
            let view = Reveal(amount) {
                Text($0)
            } placeholder: {
                Text("—")
            }
            #expect(try isSame(view.font(.title), .sealed(content, placeholder: text("—", .title))))
        }
        let reader = EnvironmentReader { environment in
            if environment.isLuminanceReduced { Text("dim").foreground(.secondary) } else { Text("full") }
        }
        let styled = Node.reader { environment in
            .group([
                environment.isLuminanceReduced
                    ? .text(TextRun("dim", tint: .secondary, isBold: true))
                    : .text(TextRun("full", tint: .accent, isBold: true))
            ])
        }
        #expect(try isSame(reader.bold().foreground(.accent), styled))
        let indices = (0..<48).map { UInt8($0 / 24) }
        let choice = Node.choice(indices, [text("a"), text("b", .title)])
        #expect(try isSame(choice.font(.caption), .choice(indices, [text("a", .caption), text("b", .title)])))
    }

    // MARK: Alignments, groups, placeholders

    @Test func `rows are aligned by the names of their own axis`() throws {
        let alignments: [(VerticalAlignment, Alignment)] = [(.top, .leading), (.center, .center), (.bottom, .trailing)]
        #expect(alignments.map { $0.0 } == VerticalAlignment.allCases)
        for (short, long) in alignments {
            #expect(
                try isSame(HStack(alignment: short) { Text("a") }, .stack(.horizontal, long, spacing: 6, [text("a")])))
        }
        #expect(try isSame(HStack(alignment: .top) {}, .stack(.horizontal, .leading, spacing: 6, [])))
    }

    @Test func `a group stands for its views`() throws {
        let view = VStack {
            Text("a")
            Group {
                Text("b")
                if false { Text("never") }
                Text("c").font(.title)
            }
            .font(.caption)
        }
        let long = [text("a"), text("b", .caption), text("c", .title)]
        #expect(try isSame(view, .stack(.vertical, .leading, spacing: 4, long)))
        let group = Group {
            Text("a")
            Divider()
        }
        let both = Node.group([text("a"), .divider])
        #expect(try isSame(group, both))
        #expect(try isSame(Group { Text("a") }, .group([text("a")])) && isSame(Group {}, .group([])))
        #expect(try isSame(group.privacySensitive(), .modified(.privacySensitive(true), both)))
    }

    @Test func `a view for each element of any sequence is what a loop gives`() throws {
        let words = ["a", "b", "c"]
        let loop = VStack { for word in words.prefix(2) { Text(word).lineLimit(1) } }.node
        #expect(try isSame(VStack { ForEach(words.prefix(2)) { Text($0).lineLimit(1) } }, loop))
        #expect(try isSame(ForEach(words) { Text($0) }, .group([text("a"), text("b"), text("c")])))
        #expect(try isSame(ForEach(0..<2) { Text("\($0)") }, .group([text("0"), text("1")])))
        let once = ForEach(sequence(first: "a") { $0 == "a" ? "b" : nil }) { Text($0) }
        #expect(try isSame(once.bold(), .group([text("a", isBold: true), text("b", isBold: true)])))
        #expect(try isSame(ForEach([] as [String]) { Text($0) }, .group([])))
        let pairs = ForEach(words) { word in
            if word != "b" { Divider() }
            Text(word)
        }
        #expect(
            try isSame(
                pairs,
                .group([
                    .group([.group([.divider]), text("a")]), .group([.group([]), text("b")]),
                    .group([.group([.divider]), text("c")]),
                ])))
    }

    @Test func `without a placeholder a secret has the mask of every private text in its place`() throws {
        let line = text("––––––")
        #expect(try isSame(Reveal(Sealed("42")) { Text($0) }, .sealed(text("42"), placeholder: line)))
        let shut = Reveal(Sealed<String>.shut) { Text($0).font(.title) }
        #expect(try isSame(shut, .sealed(nil, placeholder: line)))
        for reasons in [RedactionReasons(), .privacy, .placeholder] {
            let environment = ViewEnvironment(family: .systemSmall, redactionReasons: reasons)
            let mask = FrameNode.mask(.text(.title, columns: Mask.privateColumns))
            #expect(Redaction.resolve(shut.font(.title), in: environment) == mask)
        }
        #expect(Redaction.findings(in: Reveal(Sealed("42")) { Text($0) }, family: .systemSmall).isEmpty)
    }

    // MARK: Numbers

    @Test func `numbers are integers, and those beyond a limit count as the limit`() throws {
        for (given, points) in [(-1, UInt8(0)), (0, 0), (9, 9), (255, 255), (256, 255), (.max, 255), (.min, 0)] {
            #expect(try isSame(HStack(spacing: given) {}, .stack(.horizontal, .center, spacing: points, [])))
            #expect(try isSame(VStack(spacing: given) {}, .stack(.vertical, .leading, spacing: points, [])))
            #expect(try isSame(Text("a").lineLimit(given), text("a", lines: points)))
            let long = Node.modified(.unredacted, text("a", lines: points))
            #expect(try isSame(Text("a").unredacted().lineLimit(given), long))
        }
        for (given, thousandths) in [(-1, UInt16(0)), (0, 0), (428, 428), (1000, 1000), (1001, 1000), (.max, 1000)] {
            #expect(GaugeValue(thousandths: given) == GaugeValue(thousandths: thousandths))
        }
        let (width, height) = (20, 10)
        #expect(try isSame(Image([1], width: width, height: height), .image(Picture([1], width: 20, height: 10))))
        for side in [0, 1001, -1, .max] {
            #expect(throws: WidgetCodingError.self) { try bytes(Image([1], width: side, height: 10)) }
            #expect(throws: WidgetCodingError.self) { try bytes(Image([1], width: 10, height: side)) }
        }
    }
}
