import DiaryClient
import DiaryViews
import TerminalScreen

/// What an entry says of itself besides its text.
extension EntryHead {
    /// When, how and whether it has a star.
    func facts(in language: DiaryLanguage) -> String {
        let time = localTime
        var facts = [language.heading(time.day) + ", " + time.clock + " " + timeZone]
        if !time.isZoneKnown { facts.append(DiaryPhrase.unknownZone.text(in: language)) }
        if isStarred { facts.append("★") }
        if let mood { facts.append(ScreenPhrase.mood.text(in: language) + ": " + mood.text(in: language)) }
        return facts.joined(separator: " · ")
    }

    /// Its tags, and where it was.
    var tagWords: String {
        var words = tags.map { "#" + $0 }
        if let place {
            let names = [place.name, place.locality, place.region, place.country].compactMap(\.self)
                .filter { !$0.isEmpty }
            words.append(
                "@ "
                    + (names.isEmpty
                        ? PlaceInput.words(place.latitude, place.longitude) : names.joined(separator: ", ")))
        }
        return words.joined(separator: " ")
    }
}
