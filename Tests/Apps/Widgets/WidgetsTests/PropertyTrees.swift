import Widgets

/// SplitMix64 (Steele, Lea and Flood, 2014): the same seed gives the same trees.
struct Seeded {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return word ^ (word >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}

/// Two views that are alike but for what is private in them.
struct Twins {
    var first: Node
    var second: Node
    /// Whether something in it is private, so that a label around it may speak of that.
    var holdsPrivate = false

    init(_ first: Node, _ second: Node, holdsPrivate: Bool = false) {
        (self.first, self.second, self.holdsPrivate) = (first, second, holdsPrivate)
    }

    init(_ both: Node) { self.init(both, both) }

    func changed(_ change: (Node) -> Node) -> Twins {
        Twins(change(first), change(second), holdsPrivate: holdsPrivate)
    }
}

/// Makes views at random: every sort of node, every modifier, in each other.
struct TreeMaker {
    var random: Seeded
    /// Whether the twins differ only in what is sealed.
    var onlySealedDiffers = false
    /// Whether there is an `unredacted()` in what was made.
    private(set) var hasUnredacted = false

    init(_ random: Seeded) { self.random = random }

    mutating func twins(depth: Int = 4, isLifted: Bool = false) -> Twins {
        switch random.below(depth > 0 ? 16 : 4) {
        case 0...3: return Twins(leaf())
        case 4, 5: return sensitive(depth - 1, isLifted)
        case 6, 7: return sealed(depth - 1, isLifted)
        case 8, 9: return container(depth - 1, isLifted)
        case 10: return reader { $0.twins(depth: depth - 1, isLifted: isLifted) }
        case 11: return labelled(twins(depth: depth - 1, isLifted: isLifted), isLifted)
        case 12:
            let (style, value) = (gaugeStyle(), GaugeValue(thousandths: UInt16(random.below(1001))))
            return twins(depth: depth - 1, isLifted: isLifted).changed { .gauge(style, value, label: $0) }
        case 13:
            let isOn = random.chance(50)
            return twins(depth: depth - 1, isLifted: isLifted).changed { .toggle(isOn: isOn, label: $0) }
        default: return modified(depth - 1, isLifted)
        }
    }

    private mutating func modified(_ depth: Int, _ isLifted: Bool) -> Twins {
        switch random.below(10) {
        case 0...3:
            let reasons = RedactionReasons(rawValue: UInt8(random.below(8)))
            return twins(depth: depth, isLifted: isLifted).changed { .modified(.redacted(reasons), $0) }
        case 4...6:
            return twins(depth: depth, isLifted: isLifted).changed { .modified(.invalidatableContent(true), $0) }
        case 7:
            return twins(depth: depth, isLifted: isLifted).changed { .modified(.privacySensitive(false), $0) }
        default:
            hasUnredacted = true
            var twins = twins(depth: depth, isLifted: true).changed { .modified(.unredacted, $0) }
            // What is private in it would be found, but in branches that nobody draws; a label cannot speak of those.
            twins.holdsPrivate = false
            return twins
        }
    }

    private mutating func container(_ depth: Int, _ isLifted: Bool) -> Twins {
        var (first, second, holdsPrivate) = ([Node](), [Node](), false)
        for _ in 0..<random.below(4) {
            let child = twins(depth: depth, isLifted: isLifted)
            first.append(child.first)
            second.append(child.second)
            holdsPrivate = holdsPrivate || child.holdsPrivate
        }
        let shape = self.shape()
        return Twins(shape(first), shape(second), holdsPrivate: holdsPrivate)
    }

    /// A label or a link; it differs where it may speak of something private.
    private mutating func labelled(_ twins: Twins, _ isLifted: Bool) -> Twins {
        let isLink = random.chance(50)
        func label(_ word: String, _ node: Node) -> Node {
            .modified(isLink ? .link("x://" + word) : .accessibilityLabel(word), node)
        }
        guard twins.holdsPrivate, !isLifted, !onlySealedDiffers else { return twins.changed { label("public", $0) } }
        return Twins(label(secretWord(), twins.first), label("other", twins.second), holdsPrivate: true)
    }

    private mutating func sealed(_ depth: Int, _ isLifted: Bool) -> Twins {
        let placeholder = twins(depth: min(depth, 2), isLifted: isLifted)
        let first = wild(depth: depth)
        // That there is a secret at all is open in an archive, and yet not to be seen.
        let second = !onlySealedDiffers && random.chance(20) ? nil : wild(depth: depth)
        return Twins(
            .sealed(first, placeholder: placeholder.first), .sealed(second, placeholder: placeholder.second),
            holdsPrivate: true)
    }

    private mutating func sensitive(_ depth: Int, _ isLifted: Bool) -> Twins {
        var twins = sensitiveContent(depth, isLifted)
        if onlySealedDiffers { twins.second = twins.first }
        twins = twins.changed { .modified(.privacySensitive(true), $0) }
        twins.holdsPrivate = true
        return random.chance(25) ? labelled(twins, isLifted) : twins
    }

    /// Alike in their sort; all else differs.
    private mutating func sensitiveContent(_ depth: Int, _ isLifted: Bool) -> Twins {
        switch random.below(8) {
        case 0, 1:
            let font = random.pick(Font.allCases)
            return Twins(.text(run(font)), .text(run(font)))
        case 2: return Twins(.image(picture()), .image(picture()))
        case 3:
            let style = gaugeStyle()
            return Twins(gauge(style, depth), gauge(style, depth))
        case 4: return Twins(toggle(depth), toggle(depth))
        case 5:
            let (first, second) = (wild(depth: depth), wild(depth: depth))
            let label = Modifier.accessibilityLabel(secretWord())
            return Twins(.modified(label, .group([first, leaf()])), .group([second, leaf()]))
        case 6: return reader { Twins($0.wild(depth: depth), $0.wild(depth: depth)) }
        default: return sensitiveContainer(depth)
        }
    }

    /// Any number of anything, and between it, in one order, what says that it is to be seen.
    private mutating func sensitiveContainer(_ depth: Int) -> Twins {
        var exceptions: [Node] = []
        for _ in 0..<max(0, random.below(5) - 2) { exceptions.append(.modified(.privacySensitive(false), leaf())) }
        let shape = self.shape()
        return Twins(shape(hiding(exceptions, depth)), shape(hiding(exceptions, depth)))
    }

    private mutating func hiding(_ exceptions: [Node], _ depth: Int) -> [Node] {
        var nodes: [Node] = []
        for exception in exceptions {
            for _ in 0..<random.below(3) { nodes.append(wild(depth: depth)) }
            nodes.append(
                random.chance(50)
                    ? exception : .stack(.horizontal, .center, spacing: 2, [wild(depth: depth), exception]))
        }
        for _ in 0..<random.below(3) { nodes.append(wild(depth: depth)) }
        return nodes
    }

    /// What is private: anything but an exception.
    mutating func wild(depth: Int) -> Node {
        switch random.below(depth > 0 ? 14 : 4) {
        case 0...3: return leaf()
        case 4, 5:
            var nodes: [Node] = []
            for _ in 0..<random.below(4) { nodes.append(wild(depth: depth - 1)) }
            return shape()(nodes)
        case 6: return .modified(.accessibilityLabel(secretWord()), wild(depth: depth - 1))
        case 7: return .modified(.link("x://" + secretWord()), wild(depth: depth - 1))
        case 8: return .sealed(wild(depth: depth - 1), placeholder: wild(depth: depth - 1))
        case 9: return .modified(.privacySensitive(true), wild(depth: depth - 1))
        case 10: return .modified(.redacted(RedactionReasons(rawValue: UInt8(random.below(8)))), wild(depth: depth - 1))
        case 11: return random.chance(50) ? gauge(gaugeStyle(), depth - 1) : toggle(depth - 1)
        case 12:
            guard random.chance(20) else { return .modified(.invalidatableContent(true), wild(depth: depth - 1)) }
            hasUnredacted = true
            return .modified(.unredacted, wild(depth: depth - 1))
        default:
            let reader = reader { Twins($0.wild(depth: min(depth - 1, 1))) }
            return reader.first
        }
    }

    /// A reader that goes by some of what it is told.
    private mutating func reader(_ make: (inout TreeMaker) -> Twins) -> Twins {
        let branches = (0...random.below(3)).map { _ in make(&self) }
        let (first, second) = (branches.map(\.first), branches.map(\.second))
        let sort = random.below(4)
        let salt = random.below(64)
        let choose: @Sendable (ViewEnvironment) -> Int = { environment in
            let number =
                switch sort {
                case 0: environment.redactionReasons.contains(.privacy) ? 1 : 0
                case 1: environment.redactionReasons.isEmpty ? 0 : 1
                case 2: (environment.isLuminanceReduced ? 1 : 0) + Int(environment.placement.rawValue)
                default: (Int(environment.redactionReasons.rawValue) ^ salt) / 2
                }
            return number % first.count
        }
        return Twins(
            .reader { first[choose($0)] }, .reader { second[choose($0)] },
            holdsPrivate: branches.contains { $0.holdsPrivate })
    }

    private mutating func shape() -> ([Node]) -> Node {
        let (axis, alignment) = (random.pick(Axis.allCases), random.pick(Alignment.allCases))
        if random.chance(30) { return { .group($0) } }
        return { .stack(axis, alignment, spacing: 3, $0) }
    }

    mutating func leaf() -> Node {
        switch random.below(12) {
        case 0...5: .text(run(random.pick(Font.allCases)))
        case 6: .image(picture())
        case 7: .symbol(random.pick(SymbolName.allCases), random.pick(Tint.allCases))
        case 8: .divider
        case 9: .spacer
        case 10: .gauge(gaugeStyle(), GaugeValue(thousandths: UInt16(random.below(1001))), label: .text(run(.body)))
        default: .toggle(isOn: random.chance(50), label: .text(run(.body)))
        }
    }

    private mutating func gauge(_ style: GaugeStyle, _ depth: Int) -> Node {
        .gauge(style, GaugeValue(thousandths: UInt16(random.below(1001))), label: wild(depth: depth))
    }

    private mutating func toggle(_ depth: Int) -> Node { .toggle(isOn: random.chance(50), label: wild(depth: depth)) }

    private mutating func gaugeStyle() -> GaugeStyle { random.pick(GaugeStyle.allCases) }

    private mutating func run(_ font: Font) -> TextRun {
        TextRun(
            secretWord(), font: font, tint: random.pick(Tint.allCases), isBold: random.chance(50),
            lineLimit: UInt8(random.below(3)))
    }

    private mutating func picture() -> Picture {
        Picture(
            [UInt8(random.below(256))], width: UInt16(1 + random.below(99)), height: UInt16(1 + random.below(99)),
            label: secretWord())
    }

    private mutating func secretWord() -> String {
        String(repeating: random.pick(["a", "é", "漢", "🔥"]), count: random.below(12))
    }
}
