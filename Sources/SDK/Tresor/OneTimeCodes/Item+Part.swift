import Wire

extension Item {
    /// Which part of a login it holds, where it is no login itself: what an import put beside one, or a one-time code.
    ///
    /// The description decides; where there is none, how the service ends.
    package var part: CSVPart? {
        guard kind == .password else { return nil }
        let parts = CSVPart.allCases.filter { $0 != .entry }
        if let description = itemDescription, !description.isEmpty { return parts.first { $0.name == description } }
        return parts.first { $0.isService(service ?? "") }
    }
}

extension Item {
    /// Whether its attributes say that it is a note, that nobody shall see it, or that a password was not to be kept.
    package var isNoteOrHidden: Bool {
        attributes.number(.type) == CSVEntry.noteType || attributes.number(.invisible) == 1
            || attributes.number(.negative) == 1
    }
}
