import DiaryViews
import TerminalScreen

/// Columns and rows of the terminal.
struct ScreenSize: Equatable, Sendable {
    let columns: Int
    let rows: Int

    /// The rows at the top of the screen.
    static let topRows = 2

    /// Below this, only a sentence is shown.
    var isTooSmall: Bool { columns < 20 || rows < 6 }

    /// Whether there is hardly any room between the rows at the top and the one at the foot.
    var isLow: Bool { bodyHeight < 5 }

    /// Rows between the two at the top and the one at the foot.
    var bodyHeight: Int { max(1, rows - 3) }
}

/// Where, when and by whom the diary is seen: what its pages go by while they answer keys and are drawn.
struct Surroundings: Sendable {
    var size: ScreenSize
    let language: DiaryLanguage
    let zone: DiaryZone
    /// Whether the driver can draw thumbnails, so that they are worth asking for.
    var drawsPictures: Bool
    /// Whether it is read out, and commands take the place of keys.
    let isSpoken: Bool
    var now: Moment

    var viewpoint: Viewpoint { Viewpoint(now: now.date, zone: zone) }

    // MARK: Rows

    func row(_ text: String, _ style: Style = .plain) -> StyledLine {
        StyledLine(text, style, width: size.columns)
    }

    func blank(_ count: Int) -> [StyledLine] {
        Array(repeating: StyledLine("", width: size.columns), count: max(0, count))
    }

    /// The rows of a list that fit, with the selected one in the middle where that is possible.
    func visible(_ count: Int, around row: Int, height: Int) -> Range<Int> {
        let first = max(0, min(row - height / 2, count - height))
        return first..<min(count, first + height)
    }
}
