import DiaryViews
import TerminalScreen

/// What is seen: the door or the diary, and words that are kept nowhere else.
extension DiaryScreen {
    func frame() -> Frame {
        let size = ScreenSize(columns: columns, rows: rows)
        guard !size.isTooSmall else {
            let line = StyledLine(ScreenPhrase.tooSmall.text(in: language), width: columns)
            let blank = Array(repeating: StyledLine("", width: columns), count: max(0, rows - 1))
            return Frame(lines: [line] + blank, cursor: nil)
        }
        if let diary { return drawHeld(on: diary.frame()) }
        return doorView.frame()
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
        return doorView.keyPlace
    }

    private var doorView: DoorView {
        DoorView(
            door: door, language: language, columns: columns, rows: rows, news: messageLine, heldWords: heldWords,
            isDiscarding: discarding != nil, isBusy: isBusy, isDisconnected: isDisconnected)
    }

    /// What went wrong, and how long the next try has to wait.
    var messageLine: String {
        if isBusy { return ScreenPhrase.arriving.text(in: language) }
        if isDisconnected { return ScreenPhrase.disconnected.text(in: language) }
        guard let retryAt, retryAt > now.uptime else { return message }
        let wait = ScreenPhrase.wait(Int((retryAt - now.uptime + 999) / 1000), in: language)
        return message.isEmpty ? wait : message + " · " + wait
    }
}
