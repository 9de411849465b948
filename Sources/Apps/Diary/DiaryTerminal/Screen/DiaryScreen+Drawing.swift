import DiaryViews
import TerminalScreen

/// What is seen while the diary is shut, and the recovery key's place.
extension DiaryScreen {
    func frame() -> Frame {
        let size = ScreenSize(columns: columns, rows: rows)
        guard !size.isTooSmall else {
            let line = StyledLine(ScreenPhrase.tooSmall.text(in: language), width: columns)
            let blank = Array(repeating: StyledLine("", width: columns), count: max(0, rows - 1))
            return Frame(lines: [line] + blank, cursor: nil)
        }
        if let diary { return drawHeld(on: diary.frame()) }
        switch door {
        case .arriving: return draw([note(isDisconnected ? "" : ScreenPhrase.arriving.text(in: language))])
        case .registering(let isRepeated): return drawRegistration(isRepeated: isRepeated)
        case .recoveryKey: return drawRecovery()
        case .locked(let isAsking):
            return drawLock(
                DiaryPhrase.locked.text(in: language), field: DiaryPhrase.password.text(in: language), isAsking)
        case .deviceLocked(let isAsking):
            return drawLock(
                ScreenPhrase.deviceIsLocked.text(in: language), field: ScreenPhrase.passcode.text(in: language),
                isAsking)
        }
    }

    /// At the foot: words that are kept nowhere else must not be forgotten over others.
    private func drawHeld(on frame: Frame) -> Frame {
        guard !heldWords.isEmpty, discarding != nil || diary?.dialog == nil && diary?.message.isEmpty == true else {
            return frame
        }
        var frame = frame
        frame.lines[rows - 1] = StyledLine(heldWords, .warning, width: columns)
        return frame
    }

    /// Where the driver writes the recovery key, counted from 0; nil where it must not be seen.
    var secretPlace: (row: Int, column: Int)? {
        guard diary == nil, door == .recoveryKey, !ScreenSize(columns: columns, rows: rows).isTooSmall else {
            return nil
        }
        // 28 digits in groups of four.
        return (CenteredLines(recoveryLines).top(in: rows) + Self.recoveryRow, max(0, (columns - 34) / 2))
    }

    // MARK: Lines in the middle

    private typealias Words = CenteredLines.Line

    private func note(_ text: String) -> Words { Words(text: text) }

    private func draw(_ words: [Words]) -> Frame { CenteredLines(words).frame(columns: columns, rows: rows) }

    private func drawRegistration(isRepeated: Bool) -> Frame {
        let field: DiaryPhrase = isRepeated ? .repeatPassword : .password
        return draw([
            Words(text: DiaryPhrase.registerTitle.text(in: language), style: .bold), note(""),
            Words(text: field.text(in: language) + ": ", isField: !isBusy), note(""),
            Words(text: messageLine, style: .bold),
            note(DiaryPhrase.registerAdvice.text(in: language)),
            Words(text: ScreenPhrase.notShown.text(in: language), style: .faint),
            Words(text: keys(ScreenPhrase.next.text(in: language)), style: .faint),
        ])
    }

    private func drawLock(_ title: String, field: String, _ isAsking: Bool) -> Frame {
        var lines = [Words(text: "🔒 " + title, style: .bold), note("")]
        if isAsking {
            lines += [
                Words(text: field + ": ", isField: !isBusy), note(""),
                Words(text: messageLine, style: .bold),
                Words(text: ScreenPhrase.notShown.text(in: language), style: .faint),
                Words(text: keys(DiaryPhrase.unlockKey.text(in: language)), style: .faint),
            ]
        } else {
            let keys = DiaryPhrase.unlockKey.text(in: language) + " · " + ScreenPhrase.quitKey.text(in: language)
            lines += [Words(text: keys, style: .faint), note(""), Words(text: messageLine, style: .bold)]
        }
        return draw(lines + heldLines)
    }

    /// Folded, for a whole sentence is told here.
    private var heldLines: [Words] {
        guard !heldWords.isEmpty else { return [] }
        let texts = TextBuffer(SafeText.line(heldWords)).lines
        let view = TextView(width: max(20, min(columns - 4, 70)), height: 4)
        return [note("")]
            + view.rows(of: texts).map { Words(text: String(texts[$0.line][$0.range]).trimmed, style: .bold) }
    }

    private static let recoveryRow = 4

    private var recoveryLines: [Words] {
        let texts = TextBuffer(ScreenPhrase.recoveryAdvice.text(in: language)).lines
        let view = TextView(width: max(20, min(columns - 4, 60)), height: 4)
        let advice = view.rows(of: texts).map { note(String(texts[$0.line][$0.range]).trimmed) }
        return [
            Words(text: DiaryPhrase.registered.text(in: language)), note(""),
            Words(text: ScreenPhrase.recoveryKey.text(in: language), style: .bold), note(""),
            // The driver writes it here.
            note(""), note(""),
        ] + advice + [note(""), Words(text: ScreenPhrase.next.text(in: language), style: .faint)]
    }

    private func drawRecovery() -> Frame { draw(recoveryLines) }

    private func keys(_ first: String) -> String { first + " · " + ScreenPhrase.doorKeys.text(in: language) }

    /// What went wrong, and how long the next try has to wait.
    var messageLine: String {
        if isBusy { return ScreenPhrase.arriving.text(in: language) }
        if isDisconnected { return ScreenPhrase.disconnected.text(in: language) }
        guard let retryAt, retryAt > now.uptime else { return message }
        let wait = ScreenPhrase.wait(Int((retryAt - now.uptime + 999) / 1000), in: language)
        return message.isEmpty ? wait : message + " · " + wait
    }
}
