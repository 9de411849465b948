import DiaryClient
import DiaryViews

/// What a photo says of when and where it was taken, as an entry would say it; it is offered, and never taken over by
/// itself.
struct PhotoOffer: Equatable, Sendable {
    /// As it would stand in the field of the date: `2026-05-01 14:05:10 GMT+0200`; nil where the photo does not say.
    let date: String?
    let place: DiaryPlace?

    /// - Parameter zone: in which the camera's clock stood, where it does not say itself.
    /// - Returns: nil where the photo says neither.
    init?(_ facts: PhotoFacts, zone: DiaryZone) {
        date = facts.wallClock.map { wall in
            let second = ((wall % 60) + 60) % 60
            return Self.clock(wall) + (second < 10 ? ":0" : ":") + "\(second) " + Self.zone(facts, zone).identifier
        }
        place = facts.latitude.flatMap { latitude in
            facts.longitude.flatMap { DiaryPlace(latitude: latitude, longitude: $0) }
        }
        if date == nil && place == nil { return nil }
    }

    private static func zone(_ facts: PhotoFacts, _ zone: DiaryZone) -> DiaryZone {
        facts.offsetMinutes.map { DiaryZone(offset: min(max($0, -1439), 1439) * 60) } ?? zone
    }

    /// What the camera's clock showed, such as `2026-05-01 14:05`.
    static func clock(_ wall: Int64) -> String {
        // What lies beyond any calendar is shown as its end.
        let microseconds = wall.multipliedReportingOverflow(by: 1_000_000)
        let moment = microseconds.overflow ? (wall < 0 ? .min : .max) : microseconds.partialValue
        let time = LocalTime(microseconds: moment, zone: DiaryZone("UTC"))
        return "\(time.day) \(time.clock)"
    }

    /// In words, such as `2026-05-01 14:05:10 GMT+0200 · 59.67° N 10.63° E`.
    var words: String {
        let degrees = place.map { PlaceInput.words($0.latitude, $0.longitude) }
        return [date, degrees].compactMap(\.self).joined(separator: " · ")
    }
}
