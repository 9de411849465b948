import DiaryClient
import DiaryViews
import ShippedCatalogues
import TerminalScreen
import Testing
import Thoroughness
import Tresor

@testable import DiaryTerminal

/// Whatever is pressed, told and answered in whatever order: every frame fits, and a shut diary shows nothing.
@Suite struct RandomInputTests {
    init() throws { try ShippedCatalogue.keepAll() }

    private static let keys: [Key] =
        "tcomsgD/n?jkhlGed[]{}.+-0yz xXfTS*".map { .text(String($0)) } + [
            .enter, .escape, .tab, .backTab, .backspace, .delete, .up, .down, .left, .right, .home, .end, .pageUp,
            .pageDown, .wordLeft, .deleteWord, .documentEnd, .control("s"), .control("d"), .control("c"), .control("u"),
            .control("x"), .control("y"), .control("r"), .control("p"), .paste("2026-11-2\u{1B}[2J"), .paste("日本\n語 👨‍👩‍👧"),
        ]

    private static let steps: [WritingStep] = [
        .line("."), .line("日本"), .change(line: 1, "x"), .change(line: 0, ""), .insert(line: 2, "y"), .delete(line: 1),
        .fill(.date, "2026"), .fill(.place, "1, 2"), .fill(.mood, "good"), .fill(.star, ""), .fill(.files, "~/a.jpg"),
        .fill(.text, "z"), .move(file: 1, to: 2), .move(file: 2, to: nil), .move(file: 0, to: -1), .takeOffer(file: 1),
    ]

    /// The smallest that is worth showing, a usual one and one that fills a large screen.
    private static let sizes = [(columns: 20, rows: 6), (columns: 80, rows: 24), (columns: 300, rows: 100)]

    private func resize(_ stage: inout Stage, _ random: inout SeededRandom) {
        if Bool.random(using: &random), let size = Self.sizes.randomElement(using: &random) {
            return stage.feed(.resized(columns: size.columns, rows: size.rows))
        }
        stage.feed(.resized(columns: .random(in: 1...100, using: &random), rows: .random(in: 1...40, using: &random)))
    }

    private func press(_ stage: inout Stage, _ random: inout SeededRandom) {
        switch Int.random(in: 0..<100, using: &random) {
        case 0: resize(&stage, &random)
        case 1: stage.press(.control("l"))
        case 2: stage.feed(.event([DiaryEvent.locked, .changed, .signedIn].randomElement(using: &random) ?? .changed))
        case 3: stage.feed(.lifecycle(.focusLost))
        case 4: stage.feed(.connectionLost)
        case 5: stage.world.isDeviceLocked.toggle()
        case 6: stage.world.missingFile = Bool.random(using: &random) ? "2026-11-2‹" : nil
        case 7: stage.feed(.refusal(DiaryError(.tooLarge, "too long"), to: Ask(.list(DiaryFilter()))))
        case 8: stage.feed(.write(Self.steps.randomElement(using: &random) ?? .delete(line: 0)))
        case 9: stage.feed(.act(.save(file: .random(in: -1...3, using: &random), path: "/a", keepsAll: true)))
        case 10: stage.feed(.choose(.random(in: -1...32, using: &random), isOnlySelected: false))
        case 11: stage.world.isFull.toggle()
        case 27:
            stage.feed(stage.screen.isDaemonGone ? .deviceLooked(isLocked: Bool.random(using: &random)) : .daemonEnded)
        case 12...16: stage.pass(milliseconds: .random(in: 0...40_000, using: &random))
        case 17...26: stage.feed(stage.screen.wantsSecret ? .secretEntered : .key(.enter))
        default: stage.feed(.key(Self.keys.randomElement(using: &random) ?? .enter))
        }
    }

    @Test(arguments: 1...UInt64(Thoroughness.count(10, soak: 30)))
    func `every frame fits, and a shut diary shows nothing`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let size = Self.sizes[Int(seed) % Self.sizes.count]
        var stage = Stage.open(
            .sample, DiaryLanguage.allCases.randomElement(using: &random) ?? .english, columns: size.columns,
            rows: size.rows, drawsPictures: true)
        for step in 0..<Thoroughness.count(200, soak: 400) {
            press(&stage, &random)
            let frame = stage.screen.frame()
            let fits =
                frame.lines.count == stage.screen.rows
                && frame.lines.allSatisfy { $0.width == stage.screen.columns }
            let cursorFits =
                frame.cursor.map {
                    (0..<stage.screen.rows).contains($0.row) && (0..<stage.screen.columns).contains($0.column)
                } ?? true
            #expect(fits && cursorFits, "seed \(seed), step \(step), \(stage.screen.columns)×\(stage.screen.rows)")
            guard stage.screen.diary == nil else { continue }
            let isClean = !frame.text.contains("Soup") && !stage.remembers("First snow") && !stage.remembers("JPEG of")
            #expect(isClean, "seed \(seed), step \(step)")
        }
    }
}
