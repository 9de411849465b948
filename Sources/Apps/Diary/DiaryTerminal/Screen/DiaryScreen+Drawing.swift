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
        // A question has to be whole.
        frame.put(heldWords, .warning, most: discarding == nil ? 3 : rows, columns: columns)
        return frame
    }

    /// Where the driver writes the recovery key, counted from 0; nil where it must not be seen.
    ///
    /// `first` of its characters stand in that row, and the rest in the next one, from its begin.
    var secretPlace: (row: Int, column: Int, first: Int)? {
        guard diary == nil, door == .recoveryKey, !ScreenSize(columns: columns, rows: rows).isTooSmall else {
            return nil
        }
        guard let row = recoveryLines.reservedRow(columns: columns, rows: rows) else { return nil }
        guard columns >= Self.keyWidth else { return (row, 0, Self.halfKeyWidth) }
        return (row, (columns - Self.keyWidth) / 2, Self.keyWidth)
    }

    // MARK: Lines in the middle

    private typealias Words = CenteredLines.Line

    private func note(_ text: String) -> Words { Words(text: text) }

    private func draw(_ words: [Words]) -> Frame { CenteredLines(words).frame(columns: columns, rows: rows) }

    private func drawRegistration(isRepeated: Bool) -> Frame {
        let field: DiaryPhrase = isRepeated ? .repeatPassword : .password
        return draw([
            Words(text: DiaryPhrase.registerTitle.text(in: language), style: .bold, rank: .title), note(""),
            Words(text: field.text(in: language) + ": ", isField: !isBusy, rank: .needed), note(""),
            Words(text: messageLine, style: .bold, rank: messageLine.isEmpty ? .gap : .news),
            Words(text: DiaryPhrase.registerAdvice.text(in: language), rank: .advice),
            Words(text: ScreenPhrase.notShown.text(in: language), style: .faint, rank: .remark),
            Words(text: keys(ScreenPhrase.next.text(in: language)), style: .faint, rank: .keys),
        ])
    }

    private func drawLock(_ title: String, field: String, _ isAsking: Bool) -> Frame {
        var lines = [Words(text: "🔒 " + title, style: .bold, rank: .title), note("")]
        let news = Words(text: messageLine, style: .bold, rank: messageLine.isEmpty ? .gap : .news)
        // While something else is asked, nothing is typed here.
        let rank = discarding == nil ? CenteredLines.Rank.needed : .keys
        if isAsking {
            lines += [
                Words(text: field + ": ", isField: !isBusy, rank: rank), note(""), news,
                Words(text: ScreenPhrase.notShown.text(in: language), style: .faint, rank: .remark),
                Words(text: keys(DiaryPhrase.unlockKey.text(in: language)), style: .faint, rank: .keys),
            ]
        } else {
            let keys = DiaryPhrase.unlockKey.text(in: language) + " · " + ScreenPhrase.quitKey.text(in: language)
            lines += [Words(text: keys, style: .faint, rank: rank), note(""), news]
        }
        let whole = CenteredLines(lines + heldLines)
        guard !heldWords.isEmpty, !whole.fit(columns: columns, rows: rows) else {
            return whole.frame(columns: columns, rows: rows)
        }
        return draw(lines + [Words(text: heldWords, style: .bold, rank: discarding == nil ? .news : .needed)])
    }

    /// Folded, for a whole sentence is told here.
    private var heldLines: [Words] {
        guard !heldWords.isEmpty else { return [] }
        let texts = TextBuffer(SafeText.line(heldWords)).lines
        let view = TextView(width: max(20, min(columns - 4, 70)), height: 8)
        return [note("")]
            + view.rows(of: texts).map { Words(text: String(texts[$0.line][$0.range]).trimmed, style: .bold) }
    }

    /// 28 digits in groups of four, and of them the groups that stand in the first row where the window is narrow.
    private static let keyWidth = 34
    private static let halfKeyWidth = 20

    /// The driver writes the key into the reserved row.
    private var recoveryLines: CenteredLines {
        let whole = CenteredLines(wholeRecoveryLines)
        if whole.fit(columns: columns, rows: rows) { return whole }
        let key = Words(text: "", rank: .needed, reserved: min(Self.keyWidth, columns))
        let isHalved = columns < Self.keyWidth
        return CenteredLines(
            [Words(text: ScreenPhrase.recoveryKey.text(in: language), style: .bold, rank: .title), key]
                + (isHalved ? [Words(text: "", rank: .needed)] : []) + [
                    Words(text: ScreenPhrase.recoveryBrief.text(in: language), rank: .needed),
                    Words(text: ScreenPhrase.next.text(in: language), style: .faint, rank: .keys),
                ])
    }

    private var wholeRecoveryLines: [Words] {
        let texts = TextBuffer(ScreenPhrase.recoveryAdvice.text(in: language)).lines
        let view = TextView(width: max(20, min(columns - 4, 60)), height: 4)
        let advice = view.rows(of: texts).map { note(String(texts[$0.line][$0.range]).trimmed) }
        return [
            Words(text: DiaryPhrase.registered.text(in: language)), note(""),
            Words(text: ScreenPhrase.recoveryKey.text(in: language), style: .bold), note(""),
            Words(text: "", reserved: Self.keyWidth), note(""),
        ] + advice + [note(""), Words(text: ScreenPhrase.next.text(in: language), style: .faint)]
    }

    private func drawRecovery() -> Frame { recoveryLines.frame(columns: columns, rows: rows) }

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
