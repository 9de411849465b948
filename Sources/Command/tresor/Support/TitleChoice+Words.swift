import Localization

// Whole sentences for each kind: languages bend their words by what these are about.
extension TitleChoice {
    /// What is chosen among.
    enum Kind {
        case notes, entries, widgets

        var noneHasIt: String {
            switch self {
            case .notes: localized("none of the notes has this title or id")
            case .entries: localized("none of the entries has this title or id")
            case .widgets: localized("none of the widgets has this title or id")
            }
        }

        var noneHasExactly: String {
            switch self {
            case .notes: localized("none of the notes has exactly this title; nothing was changed")
            case .entries: localized("none of the entries has exactly this title; nothing was changed")
            case .widgets: localized("none of the widgets has exactly this title; nothing was changed")
            }
        }

        /// - Parameter count: how many, two at least.
        func have(_ shared: Shared, _ count: Int) -> String {
            switch (self, shared) {
            case (.notes, .title): localized("\(count) notes have this title; none was chosen")
            case (.entries, .title): localized("\(count) entries have this title; none was chosen")
            case (.widgets, .title): localized("\(count) widgets have this title; none was chosen")
            case (.notes, .beginningOfID):
                localized("\(count) notes have this beginning of an id; none was chosen")
            case (.entries, .beginningOfID):
                localized("\(count) entries have this beginning of an id; none was chosen")
            case (.widgets, .beginningOfID):
                localized("\(count) widgets have this beginning of an id; none was chosen")
            }
        }
    }

    /// What several of them may have in common.
    enum Shared { case title, beginningOfID }
}
