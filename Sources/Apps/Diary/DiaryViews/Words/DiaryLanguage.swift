/// A language in which the diary speaks.
package enum DiaryLanguage: String, Sendable, CaseIterable {
    case german = "de"
    case english = "en"
    case french = "fr"
    case norwegian = "nb"

    /// The language of a locale's name as LANG holds it, such as `de_AT.UTF-8`, `nb_NO` or `fr`; nil for others.
    ///
    /// Norwegian without saying which, and Nynorsk, are answered in Bokmål.
    package init?(locale: String) {
        switch locale.prefix(while: { $0.isASCII && $0.isLetter }).lowercased() {
        case "de": self = .german
        case "en": self = .english
        case "fr": self = .french
        case "nb", "no", "nn": self = .norwegian
        default: return nil
        }
    }

    /// The language that a user's environment asks for; English where it asks for none of ours.
    ///
    /// The order is gettext's (GNU gettext manual, "Locale Environment Variables"): the first of `LC_ALL`,
    /// `LC_MESSAGES` and `LANG` that is set and not empty names the locale; unless that is `C` or `POSIX`, the list in
    /// `LANGUAGE`, if it has one of ours, comes before it.
    ///
    /// ```swift
    /// DiaryLanguage.chosen { ["LANG": "nb_NO.UTF-8"][$0] }  // .norwegian
    /// ```
    ///
    /// - Parameter variable: the value of the environment variable of that name.
    package static func chosen(_ variable: (String) -> String?) -> DiaryLanguage {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty } ?? "C"
        let plain = locale.prefix { $0 != "." && $0 != "@" }
        if plain == "C" || plain == "POSIX" { return .english }
        let wished = (variable("LANGUAGE") ?? "").split(separator: ":").lazy.compactMap { Self(locale: String($0)) }
        return wished.first ?? Self(locale: locale) ?? .english
    }

    /// A number with its thousands apart, as the language writes it: `12.345`, `12,345`, `12 345`.
    func grouped(_ number: Int) -> String {
        let mark =
            switch self {
            case .german: "."
            case .english: ","
            // A no-break space, and in French a narrow one, so that no line ends inside a number.
            case .french: "\u{202f}"
            case .norwegian: "\u{a0}"
            }
        var digits = String(number.magnitude)[...]
        var groups: [Substring] = []
        while digits.count > 3 {
            groups.append(digits.suffix(3))
            digits = digits.dropLast(3)
        }
        groups.append(digits)
        return (number < 0 ? "−" : "") + groups.reversed().joined(separator: mark)
    }
}
