import DiaryViews
import TerminalScreen

/// What is seen while the diary is shut, and where the recovery key stands.
struct DoorView {
    let door: DiaryScreen.Door
    let language: DiaryLanguage
    let columns: Int
    let rows: Int
    /// What went wrong, and how long the next try has to wait.
    let news: String
    /// Of words that are kept nowhere else; empty where there are none.
    let heldWords: String
    /// Whether it is asked if those are to go: while something else is asked, nothing is typed here.
    let isDiscarding: Bool
    /// Whether a password is being looked at.
    let isBusy: Bool
    let isDisconnected: Bool

    func frame() -> Frame {
        switch door {
        case .arriving: draw([note(isDisconnected ? "" : ScreenPhrase.arriving.text(in: language))])
        case .registering(let isRepeated): drawRegistration(isRepeated: isRepeated)
        case .recoveryKey: drawRecovery()
        case .locked(let isAsking):
            drawLock(DiaryPhrase.locked.text(in: language), field: DiaryPhrase.password.text(in: language), isAsking)
        case .deviceLocked(let isAsking):
            drawLock(
                ScreenPhrase.deviceIsLocked.text(in: language), field: ScreenPhrase.passcode.text(in: language),
                isAsking)
        case .daemonGone(let absence): drawAbsence(absence)
        }
    }

    /// Where the recovery key is written, counted from 0; nil where there is no room for it.
    ///
    /// `first` of its characters stand in that row, and the rest in the next one, from its begin.
    var keyPlace: (row: Int, column: Int, first: Int)? {
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
            Words(text: news, style: .bold, rank: news.isEmpty ? .gap : .news),
            Words(text: DiaryPhrase.registerAdvice.text(in: language), rank: .advice),
            Words(text: ScreenPhrase.notShown.text(in: language), style: .faint, rank: .remark),
            Words(text: keys(ScreenPhrase.next.text(in: language)), style: .faint, rank: .keys),
        ])
    }

    private func drawLock(_ title: String, field: String, _ isAsking: Bool) -> Frame {
        var lines = [Words(text: "🔒 " + title, style: .bold, rank: .title), note("")]
        let newsLine = Words(text: news, style: .bold, rank: news.isEmpty ? .gap : .news)
        let rank = isDiscarding ? CenteredLines.Rank.keys : .needed
        if isAsking {
            lines += [
                Words(text: field + ": ", isField: !isBusy, rank: rank), note(""), newsLine,
                Words(text: ScreenPhrase.notShown.text(in: language), style: .faint, rank: .remark),
                Words(text: keys(DiaryPhrase.unlockKey.text(in: language)), style: .faint, rank: .keys),
            ]
        } else {
            let keys = DiaryPhrase.unlockKey.text(in: language) + " · " + ScreenPhrase.quitKey.text(in: language)
            lines += [Words(text: keys, style: .faint, rank: rank), note(""), newsLine]
        }
        return drawAboveHeld(lines)
    }

    private func drawAbsence(_ absence: DaemonAbsence) -> Frame {
        let (words, keys) = language.speaking { (DaemonAbsence.lines, absence.keys) }
        // How to go on matters most.
        let ranks: [CenteredLines.Rank] = [.title, isDiscarding ? .advice : .needed, .advice]
        let lines = zip(words, ranks).enumerated().map { index, line in
            Words(text: line.0, style: index == 0 ? .bold : .plain, rank: line.1)
        }
        return drawAboveHeld(lines + [note(""), Words(text: keys, style: .faint, rank: .keys)])
    }

    private func drawAboveHeld(_ lines: [Words]) -> Frame {
        let whole = CenteredLines(lines + heldLines)
        guard !heldWords.isEmpty, !whole.fit(columns: columns, rows: rows) else {
            return whole.frame(columns: columns, rows: rows)
        }
        return draw(lines + [Words(text: heldWords, style: .bold, rank: isDiscarding ? .needed : .news)])
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
}
