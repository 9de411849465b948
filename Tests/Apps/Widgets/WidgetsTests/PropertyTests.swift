import Foundation
import Protection
import Testing
import Thoroughness
import Widgets

/// No drawing that hides depends on what it hides: on random views, for random states of the device.
@Suite struct RedactionProperties {
    private static let family = WidgetFamily.systemSmall
    private static let configuration = WidgetConfiguration(
        kind: "test", displayName: "Test", summary: "A test.", symbol: .key, families: [family],
        protection: .completeUntilFirstUserAuthentication)

    private func input(_ random: inout Seeded) -> Resolution.Input {
        var input = Resolution.Input(kind: "test", protection: random.pick(WidgetProtection.allCases))
        input.lock = random.pick(LockState.allCases)
        input.showingLock = random.pick(LockState.allCases)
        input.hasPasscode = random.chance(90)
        input.placement = random.pick(WidgetPlacement.allCases)
        input.isLuminanceReduced = random.chance(40)
        input.settings.allowsAccessWhenLocked = random.chance(30)
        input.settings[input.placement] = random.pick([.none, .all, .some(["test"]), .some(["other"])])
        input.isUpdating = random.chance(30)
        input.hasTimeline = random.chance(90)
        return input
    }

    private func environment(_ input: Resolution.Input) -> ViewEnvironment {
        ViewEnvironment(
            family: Self.family, placement: input.placement, isLuminanceReduced: input.isLuminanceReduced,
            redactionReasons: Resolution(input).reasons)
    }

    /// What a host sends of a view.
    private func frame(_ view: Node, _ input: Resolution.Input) throws -> [UInt8] {
        let resolution = Resolution(input)
        let root = resolution == .unavailable ? .empty : Redaction.resolve(view, in: environment(input))
        let state: Frame.State =
            switch resolution {
            case .unavailable: .unavailable
            case .placeholder: .placeholder
            case .content(let reasons): reasons.contains(.privacy) ? .redacted : .shown
            }
        return try Frame(
            Self.configuration, family: Self.family, state: state, isLuminanceReduced: input.isLuminanceReduced,
            root: root
        ).encode()
    }

    private func hides(_ resolution: Resolution) -> Bool { !resolution.opensSealed }

    private func archived(_ view: Node) throws -> TimelineArchive.Parts {
        let entry = TimelineArchive.Entry(date: Moment(seconds: 0), views: [(family: Self.family, view: view)])
        return try TimelineArchive([entry], policy: .never).encode()
    }

    private func view(_ open: [UInt8], _ secrets: [UInt8]?) throws -> Node {
        let archive = try TimelineArchive(open: open, secrets: secrets)
        return try #require(archive.view(Self.family, at: Moment(seconds: 0)))
    }

    private func isClean(_ twins: Twins, _ maker: TreeMaker) -> Bool {
        guard maker.hasUnredacted else { return true }
        return [twins.first, twins.second].allSatisfy { Redaction.findings(in: $0, family: Self.family).isEmpty }
    }

    /// A failure names the seed of its view, which `TRESOR_SEED` begins with; `TRESOR_WIDGET_CASES` makes more.
    @Test(arguments: 0..<4)
    func `what hides does not depend on what it hides, in random cases`(shard: Int) throws {
        let settings = ProcessInfo.processInfo.environment
        let wanted = Thoroughness.count(6000, soak: 120_000, orBy: "TRESOR_WIDGET_CASES") / 4
        var seed = settings["TRESOR_SEED"].flatMap { UInt64($0) } ?? UInt64(shard) << 32
        var (cases, views, differing) = (0, 0, 0)
        while cases < wanted {
            var maker = TreeMaker(Seeded(seed))
            let twins = maker.twins(depth: 4 + Int(seed % 3))
            defer { seed += 1 }
            guard twins.holdsPrivate, isClean(twins, maker) else { continue }
            views += 1
            let shown = Resolution.Input(kind: "test", protection: .none)
            if try frame(twins.first, shown) != frame(twins.second, shown) { differing += 1 }
            for _ in 0..<8 {
                let input = self.input(&maker.random)
                guard hides(Resolution(input)) else { continue }
                cases += 1
                try #require(try frame(twins.first, input) == frame(twins.second, input), "seed \(seed)")
            }
        }
        // Else the twins would be too alike to find anything.
        #expect(differing > views / 2)
    }

    @Test(arguments: 0..<2)
    func `an archive draws what its view draws, and needs no secret for what hides`(shard: Int) throws {
        for number in 1...Thoroughness.count(200, soak: 3000) {
            let seed = UInt64(shard + 8) << 32 + UInt64(number)
            var maker = TreeMaker(Seeded(seed))
            maker.onlySealedDiffers = true
            let twins = maker.twins()
            let isClean = isClean(twins, maker)
            let parts = try archived(twins.first)
            let other = try archived(twins.second)
            try #require(parts.open == other.open, "seed \(seed): the open part speaks of the sealed one")
            let (shut, opened) = (try view(parts.open, nil), try view(parts.open, parts.secrets))
            let again = try TimelineArchive(open: parts.open, secrets: parts.secrets).encode()
            try #require(again == parts, "seed \(seed)")
            for _ in 0..<6 {
                let input = self.input(&maker.random)
                let direct = try frame(twins.first, input)
                try #require(try frame(opened, input) == direct, "seed \(seed): archived \(input)")
                guard isClean, hides(Resolution(input)) else { continue }
                try #require(try frame(shut, input) == direct, "seed \(seed): without secrets \(input)")
            }
            if maker.hasUnredacted {
                let findings = Redaction.findings(in: twins.first, family: Self.family)
                try #require(Redaction.findings(in: opened, family: Self.family) == findings, "seed \(seed)")
            }
        }
    }

    @Test(arguments: 0..<2)
    func `a frame of an archive decodes to itself`(shard: Int) throws {
        for number in 1...Thoroughness.count(100, soak: 500) {
            let seed = UInt64(shard + 16) << 32 + UInt64(number)
            var maker = TreeMaker(Seeded(seed))
            let bytes = try frame(maker.twins(depth: 6).first, input(&maker.random))
            try #require(try Frame(decoding: bytes).encode() == bytes, "seed \(seed)")
        }
    }
}
