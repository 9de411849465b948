/// The words that stand for something in a template.
package enum TemplateText {
    /// A template as an entry of this time begins with it.
    ///
    ///     TemplateText.text("# {{weekday}}", at: time, in: .english)  // "# Sunday"
    ///
    /// - Parameters:
    ///   - template: Markdown, in which `{{date}}`, `{{time}}` and `{{weekday}}` are replaced, once: what they become
    ///     is not looked at again. Other braces stay.
    ///   - time: of the entry, as it is there.
    package static func text(_ template: String, at time: LocalTime, in language: DiaryLanguage) -> String {
        var text = ""
        var rest = template[...]
        while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}") {
            guard let word = word(rest[open.upperBound..<close.lowerBound], time, language) else {
                text += rest[..<open.upperBound]
                rest = rest[open.upperBound...]
                continue
            }
            text += rest[..<open.lowerBound] + word
            rest = rest[close.upperBound...]
        }
        return text + rest
    }

    private static func word(_ name: Substring, _ time: LocalTime, _ language: DiaryLanguage) -> String? {
        switch name.filter({ $0 != " " }) {
        case "date": language.written(time.day)
        case "time": time.clock
        case "weekday": language.name(ofWeekday: time.day.weekday)
        default: nil
        }
    }
}
