import DiaryClient
import DiaryViews
import TerminalScreen

/// The page that is seen, under keys.
extension PageStack {
    mutating func press(
        _ key: Key, _ overview: Overview, _ standing: Standing, _ here: Surroundings
    ) -> [PageWish] {
        let wishes: [PageWish]
        switch top {
        case .list(var pane):
            wishes = pane.press(key, here)
            top = .list(pane)
        case .calendar(var pane):
            wishes = pane.press(key, overview.outline, here)
            top = .calendar(pane)
        case .map(var pane):
            wishes = pane.press(key, overview.outline, here)
            top = .map(pane)
        case .tags(var pane):
            wishes = pane.press(key, overview.tags)
            top = .tags(pane)
        case .entry(var entry):
            wishes = entry.press(key, here.language)
            top = .entry(entry)
        case .files(var files):
            wishes = files.press(key, here)
            top = .files(files)
        case .picture(var picture):
            wishes = picture.press(key, here)
            top = .picture(picture)
        case .editor(var writing):
            wishes = writing.press(key, here, known: place(named:))
            top = .editor(writing)
        case .settings(var pane):
            wishes = pane.press(key, standing.status?.settings)
            top = .settings(pane)
        case .templates(var pane):
            wishes = pane.press(key, overview.templates)
            top = .templates(pane)
        case .statistics: wishes = [key == .escape ? .back : .dead(key)]
        }
        return wishes
    }

    /// Selects what is called by this number, counted from 1, on the page that is seen.
    ///
    /// - Returns: what is to be asked for then; nil where nothing is called so.
    mutating func choose(_ number: Int, _ overview: Overview, _ here: Surroundings) -> [DiaryRequest]? {
        switch top {
        case .list(var pane) where pane.order.indices.contains(number - 1):
            pane.row = number - 1
            top = .list(pane)
        case .tags(var pane) where (overview.tags ?? []).indices.contains(number - 1):
            pane.select(number - 1)
            top = .tags(pane)
        case .templates(var pane) where (overview.templates ?? []).indices.contains(number - 1):
            pane.select(number - 1)
            top = .templates(pane)
        case .calendar(var pane):
            guard let requests = pane.select(dayOfMonth: number, overview.outline, here) else { return nil }
            top = .calendar(pane)
            return requests
        case .map(var pane):
            guard pane.select(marker: number - 1) else { return nil }
            top = .map(pane)
        default: return nil
        }
        return []
    }
}
