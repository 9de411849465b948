import DiaryClient
import DiaryViews
import TerminalScreen

/// The entry's files, as keys change them.
extension EntryEditor {
    /// Enter takes the path; where none is typed, the keys choose and arrange the files.
    mutating func typePath(_ key: Key, at now: UInt64) {
        switch key {
        case .up: files.select(files.selected - 1)
        case .down: files.select(files.selected + 1)
        case .enter where path.text.trimmed.isEmpty: refer(to: files.selected, at: now)
        case .enter: takePath(at: now)
        case .delete where path.isEmpty: removeFile(files.selected, at: now)
        case .left where path.isEmpty: moveFile(files.selected, to: files.selected - 1, at: now)
        case .right where path.isEmpty: moveFile(files.selected, to: files.selected + 1, at: now)
        default: path.type(key)
        }
    }

    /// What stands in the line of the files counts, entered or not.
    mutating func takePath(at now: UInt64) {
        let typed = path.text.trimmed.unquoted
        path = TypedLine()
        guard !typed.isEmpty else { return }
        files.add(typed)
        changed(at: now)
    }

    /// The first file that was to be sent cannot be.
    ///
    /// - Parameter isTyped: whether its path stands in the line again, to be corrected.
    mutating func returnPath(isTyped: Bool) {
        guard let typed = files.dropUnsent(), isTyped else { return }
        path = TypedLine(typed)
        field = .files
    }

    /// The text keeps naming the files that it named.
    mutating func removeFile(_ index: Int, at now: UInt64) {
        guard let number = files.remove(index) else { return }
        renumber(number, at: now)
    }

    mutating func moveFile(_ index: Int, to place: Int, at now: UInt64) {
        guard let number = files.move(index, to: place) else { return }
        renumber(number, at: now)
    }

    private mutating func renumber(_ number: (Int) -> Int?, at now: UInt64) {
        changed(at: now)
        let text = buffer.text
        let renumbered = MediaReferences.renumbered(text, number)
        if renumbered != text { change(at: now) { $0.replace(with: renumbered) } }
    }

    /// Puts a file into the text, where its cursor stands.
    mutating func refer(to index: Int, at now: UInt64) {
        guard files.all.indices.contains(index) else { return }
        change(at: now) { _ = $0.type(.paste(MediaReferences.reference(to: index))) }
    }

    // MARK: What photos say

    /// What the photo that is selected says, or the first that says what the field wants.
    func offer(_ zone: DiaryZone) -> PhotoOffer? {
        if field == .files { return files.selection.flatMap { PhotoOffer($0.summary.facts, zone: zone) } }
        let offers = files.all.lazy.compactMap { PhotoOffer($0.summary.facts, zone: zone) }
        switch field {
        case .date: return offers.first { $0.date != nil }
        case .place: return offers.first { $0.place != nil }
        default: return nil
        }
    }

    /// Takes over what is offered in the field that has the keys; among the files, both date and place.
    mutating func takeOffer(_ zone: DiaryZone, at now: UInt64) {
        guard let offer = offer(zone) else { return }
        if let date = offer.date, field != .place { self.date = TypedLine(date) }
        if let place = offer.place, field != .date { self.place = TypedLine(PlaceInput.label(place)) }
        changed(at: now)
    }
}
