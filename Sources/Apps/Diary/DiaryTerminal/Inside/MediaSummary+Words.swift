import DiaryClient
import DiaryViews
import TerminalScreen

/// What is known of a file.
extension MediaSummary {
    /// Name and meaning, such as `Camera` and `Fuji X100`.
    func factWords(in language: DiaryLanguage) -> [(name: String, value: String)] {
        var known: [(String, String)] = []
        func add(_ name: ScreenPhrase, _ value: String?) {
            if let value, !value.isEmpty { known.append((name.text(in: language), value)) }
        }
        let type = mediaType.isEmpty ? "" : " · " + mediaType
        add(.kind, ScreenPhrase.kind(kind).text(in: language) + type)
        let pixels = facts.width.flatMap { width in facts.height.map { " · \(width) × \($0)" } } ?? ""
        add(.size, FileSize.words(byteCount) + pixels)
        add(.date, taken)
        add(.camera, facts.camera)
        if let latitude = facts.latitude, let longitude = facts.longitude {
            add(.place, PlaceInput.words(latitude, longitude))
        }
        if kind == .photo, !hasThumbnail {
            let reason = problem.map { language.text(saidInEnglish: $0) }
            add(.picture, reason ?? ScreenPhrase.notLooked.text(in: language))
        }
        return known
    }

    private var taken: String? {
        facts.wallClock.map { wall in
            let zone = facts.offsetMinutes.map { DiaryZone(offset: min(max($0, -1439), 1439) * 60).identifier }
            return PhotoOffer.clock(wall) + (zone.map { " " + $0 } ?? "")
        }
    }
}

/// How large a file is, for people.
enum FileSize {
    /// Such as `3.4 MB`, in powers of ten as files are sold.
    static func words(_ bytes: UInt64) -> String {
        if bytes < 1000 { return "\(bytes) B" }
        let units = ["kB", "MB", "GB", "TB"]
        var tenths = Int(min(bytes, 1 << 53)) / 100
        var unit = 0
        while tenths >= 10_000, unit < units.count - 1 {
            tenths /= 1000
            unit += 1
        }
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10) \(units[unit])" : "\(tenths / 10) \(units[unit])"
    }
}
