import Protection
import Testing
import Widgets

/// The behaviour of widgets by class, lock state, placement, settings and display, row by row.
///
/// Rows 1 to 20; each stands for every combination of what it leaves open.
@Suite struct BehaviourTable {
    enum Look { case shown, masked, dimmed, unavailable, placeholderShown, placeholderMasked }
    struct Row: CustomTestStringConvertible {
        var number: Int
        /// V plain, S private, U unredacted, I invalidatable.
        var looks: [Look]
        var inputs: [Resolution.Input]
        var testDescription: String { "row \(number), \(inputs.count) inputs" }
    }

    private static let family = WidgetFamily.systemSmall

    /// The four views; a placeholder's words are "—".
    private static func views(_ isPlaceholder: Bool) -> [Node] {
        let word = isPlaceholder ? "—" : nil
        return [
            Text(word ?? "Balance").node, Text(word ?? "42").privacySensitive(), Text("App").unredacted(),
            Text(word ?? "n").invalidatableContent(),
        ]
    }

    private static func look(_ frame: FrameNode, _ node: Node, isPlaceholder: Bool) -> Look? {
        switch frame {
        case .mask: isPlaceholder ? .placeholderMasked : .masked
        case .text(let run, let isDimmed):
            frame == .text(run, isDimmed: isDimmed) && words(node) == run.content
                ? (isPlaceholder ? .placeholderShown : isDimmed ? .dimmed : .shown) : nil
        default: nil
        }
    }

    private static func words(_ node: Node) -> String? {
        switch node {
        case .text(let run): run.content
        case .modified(_, let inner): words(inner)
        default: nil
        }
    }

    @Test(arguments: rows) func `each row of the table`(row: Row) throws {
        #expect(!row.inputs.isEmpty)
        for input in row.inputs {
            let resolution = Resolution(input)
            if row.looks == [.unavailable] {
                #expect(resolution == .unavailable, "\(input)")
                #expect(!resolution.showsEntry && !resolution.opensSealed)
                continue
            }
            try #require(resolution != .unavailable, "\(input)")
            let environment = ViewEnvironment(
                family: Self.family, placement: input.placement, isLuminanceReduced: input.isLuminanceReduced,
                redactionReasons: resolution.reasons)
            let looks = Self.views(!resolution.showsEntry).map { view in
                Self.look(Redaction.resolve(view, in: environment), view, isPlaceholder: !resolution.showsEntry)
            }
            #expect(looks == row.looks, "row \(row.number): \(input)")
        }
    }

    // MARK: Rows

    private static let shown = [Look.shown, .shown, .shown, .shown]
    private static let private_ = [Look.shown, .masked, .shown, .shown]
    private static let waiting = [Look.placeholderMasked, .placeholderMasked, .placeholderShown, .placeholderMasked]

    private static let all: [HiddenKinds] = [.none, .all, .some(["this"]), .some(["other"])]
    private static let protections = WidgetProtection.allCases
    private static let shut: [LockState] = [.locked, .beforeFirstUnlock]
    /// On a full display it does not matter what hides on a reduced one.
    private static let full: [(Bool, HiddenKinds)] = all.map { (false, $0) }
    private static let anyDisplay: [(Bool, HiddenKinds)] = [false, true].flatMap { isReduced in
        all.map { (isReduced, $0) }
    }

    private static func inputs(
        _ protections: [WidgetProtection], _ locks: [LockState], _ placements: [WidgetPlacement],
        allows: [Bool] = [false, true], displays: [(Bool, HiddenKinds)] = full, showing: [LockState] = [.unlocked],
        updating: [Bool] = [false], hasPasscode: Bool = true, hasTimeline: [Bool] = [true]
    ) -> [Resolution.Input] {
        var inputs = [Resolution.Input(kind: "this", protection: .none)]
        func vary<Value>(_ values: [Value], _ set: (inout Resolution.Input, Value) -> Void) {
            inputs = inputs.flatMap { input in
                values.map { value in
                    var copy = input
                    set(&copy, value)
                    return copy
                }
            }
        }
        vary(protections) { $0.protection = $1 }
        vary(locks) { $0.lock = $1 }
        vary(placements) { $0.placement = $1 }
        vary(allows) { $0.settings.allowsAccessWhenLocked = $1 }
        vary(displays) {
            $0.isLuminanceReduced = $1.0
            // What hides at another placement must not count here.
            for placement in WidgetPlacement.allCases { $0.settings[placement] = .none }
            $0.settings[$0.placement] = $1.1
        }
        vary(showing) { $0.showingLock = $1 }
        vary(updating) { $0.isUpdating = $1 }
        vary(hasTimeline) { $0.hasTimeline = $1 }
        return inputs.map { input in
            var copy = input
            copy.hasPasscode = hasPasscode
            return copy
        }
    }

    static let rows: [Row] = {
        let first = [WidgetProtection.completeUntilFirstUserAuthentication]
        let whole: [WidgetProtection] = [.complete, .completeUnlessOpen]
        let anywhere = WidgetPlacement.allCases
        let here: [WidgetPlacement] = [.desktop, .lockScreen]
        return [
            Row(number: 1, looks: shown, inputs: inputs(first, [.unlocked], [.desktop])),
            Row(number: 2, looks: shown, inputs: inputs(first, [.unlocked], [.lockScreen], allows: [false])),
            Row(number: 3, looks: shown, inputs: inputs(first, [.locked], [.lockScreen], allows: [true])),
            Row(number: 4, looks: private_, inputs: inputs(first, [.locked], [.lockScreen], allows: [false])),
            Row(
                number: 5, looks: private_,
                inputs: inputs(first, [.locked], [.lockScreen], allows: [true], displays: [(true, .all)])),
            Row(
                number: 6, looks: private_,
                inputs: inputs(first, [.unlocked], [.desktop], allows: [true], displays: [(true, .some(["this"]))])),
            Row(
                number: 7, looks: shown,
                inputs: inputs(first, [.unlocked], [.desktop], allows: [true], displays: [(true, .some(["other"]))])),
            Row(
                number: 8, looks: waiting,
                inputs: inputs(
                    first, [.beforeFirstUnlock], anywhere, displays: anyDisplay, showing: LockState.allCases,
                    updating: [false, true], hasTimeline: [false, true])),
            Row(number: 9, looks: shown, inputs: inputs([.complete], [.unlocked], [.desktop])),
            Row(number: 10, looks: waiting, inputs: inputs([.complete], [.locked], [.lockScreen], allows: [true])),
            Row(number: 11, looks: waiting, inputs: inputs([.complete], [.locked], [.desktop])),
            // On another device it is not offered at all: row 15.
            Row(
                number: 12, looks: waiting,
                inputs: inputs([.complete], [.beforeFirstUnlock], here, displays: anyDisplay, updating: [false, true])),
            Row(
                number: 13, looks: waiting,
                inputs: inputs([.completeUnlessOpen], [.locked], [.lockScreen], allows: [true])),
            // Locked while the provider runs: it is updating, and what it has then is shown after the unlock alone.
            Row(
                number: 14, looks: waiting,
                inputs: inputs(
                    [.completeUnlessOpen], [.locked], [.lockScreen], allows: [true], updating: [false, true],
                    hasTimeline: [false, true])),
            Row(
                number: 14, looks: shown,
                inputs: inputs([.completeUnlessOpen], [.unlocked], [.lockScreen], allows: [true])),
            Row(
                number: 15, looks: [.unavailable],
                inputs: inputs(
                    whole, LockState.allCases, [.remote], displays: anyDisplay, showing: LockState.allCases,
                    updating: [false, true], hasTimeline: [false, true])),
            // "any" display: what is to hide on a reduced one hides here too, as in row 6.
            Row(number: 16, looks: shown, inputs: inputs(first, [.unlocked], [.remote])),
            Row(
                number: 16, looks: shown,
                inputs: inputs(first, [.unlocked], [.remote], displays: [(true, .none), (true, .some(["other"]))])),
            Row(
                number: 16, looks: private_,
                inputs: inputs(first, [.unlocked], [.remote], displays: [(true, .all), (true, .some(["this"]))])),
            Row(
                number: 16, looks: private_,
                inputs: inputs(
                    first, [.unlocked], [.remote], allows: [false], displays: anyDisplay, showing: shut)),
            Row(number: 16, looks: shown, inputs: inputs(first, [.unlocked], [.remote], allows: [true], showing: shut)),
            // Before first unlock everything counts as seen by strangers, wherever it is shown.
            Row(
                number: 17, looks: private_,
                inputs: inputs([.none], [.beforeFirstUnlock], anywhere, allows: [false], showing: LockState.allCases)),
            Row(number: 17, looks: shown, inputs: inputs([.none], [.beforeFirstUnlock], anywhere, allows: [true])),
            Row(
                number: 18, looks: shown,
                inputs: inputs(protections, LockState.allCases, anywhere, hasPasscode: false)),
            Row(
                number: 19, looks: waiting,
                inputs: inputs(
                    [.none] + first, LockState.allCases, anywhere, displays: anyDisplay, showing: LockState.allCases,
                    updating: [false, true], hasTimeline: [false])
                    + inputs(
                        whole, LockState.allCases, here, displays: anyDisplay, updating: [false, true],
                        hasTimeline: [false])
                    + inputs(
                        protections, LockState.allCases, anywhere, displays: anyDisplay, hasPasscode: false,
                        hasTimeline: [false])),
            Row(
                number: 20, looks: [.shown, .shown, .shown, .dimmed],
                inputs: inputs(first, [.unlocked], [.desktop], updating: [true])),
        ]
    }()
}
