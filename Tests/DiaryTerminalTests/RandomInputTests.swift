import DiaryClient
import DiaryViews
import TerminalScreen
import Testing
import Tresor

@testable import DiaryTerminal

/// Whatever is pressed, told and answered in whatever order: every frame fits, and a shut diary shows nothing.
@Suite struct RandomInputTests {
    private static let keys: [Key] =
        "tcomsgD/n?jkhlGed[]{}.+-0yz x".map { .text(String($0)) } + [
            .enter, .escape, .tab, .backTab, .backspace, .delete, .up, .down, .left, .right, .home, .end, .pageUp,
            .pageDown, .wordLeft, .deleteWord, .documentEnd, .control("s"), .control("d"), .control("c"), .control("u"),
            .control("x"), .control("y"), .control("r"), .paste("2026-11-2\u{1B}[2J"), .paste("日本\n語 👨‍👩‍👧"),
        ]

    private func press(_ stage: inout Stage, _ random: inout SeededRandom) {
        switch Int.random(in: 0..<100, using: &random) {
        case 0:
            stage.feed(
                .resized(columns: .random(in: 1...100, using: &random), rows: .random(in: 1...40, using: &random)))
        case 1: stage.press(.control("l"))
        case 2: stage.feed(.event([DiaryEvent.locked, .changed, .signedIn].randomElement(using: &random) ?? .changed))
        case 3: stage.feed(.lifecycle(.focusLost))
        case 4: stage.feed(.connectionLost)
        case 5: stage.world.isDeviceLocked.toggle()
        case 6: stage.world.missingFile = Bool.random(using: &random) ? "2026-11-2‹" : nil
        case 7: stage.feed(.refusal(DiaryError(.tooLarge, "too long"), to: Ask(.list(DiaryFilter()))))
        case 8...12: stage.pass(milliseconds: .random(in: 0...40_000, using: &random))
        case 13...22: stage.feed(stage.screen.wantsSecret ? .secretEntered : .key(.enter))
        default: stage.feed(.key(Self.keys.randomElement(using: &random) ?? .enter))
        }
    }

    @Test(arguments: 1...30)
    func `every frame fits, and a shut diary shows nothing`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var stage = Stage.open(
            .sample, DiaryLanguage.allCases.randomElement(using: &random) ?? .english, drawsPictures: true)
        for step in 0..<400 {
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
