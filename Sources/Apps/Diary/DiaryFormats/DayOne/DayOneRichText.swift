import Codecs
import DiaryClient

/// Day One's other form of a text: a string of JSON with pieces of text and what stands between them.
enum DayOneRichText {
    private static let longest = 16 << 20

    /// Its words and its files; nil for what is none.
    static func plain(_ richText: String) -> String? {
        guard richText.utf8.count <= longest, let root = try? JSONReader.read(Array(richText.utf8)),
            let contents = root.object?["contents"]?.array
        else { return nil }
        return contents.compactMap(\.object).map(piece).joined()
    }

    private static func piece(_ piece: JSONObject) -> String {
        if let text = piece["text"]?.string { return text }
        return (piece["embeddedObjects"]?.array ?? []).compactMap(\.object).map(embedded).joined()
    }

    private static func embedded(_ object: JSONObject) -> String {
        if let identity = object["identifier"]?.string {
            return "\n![](\(DayOneLink.target(.photo, DayOneLink.normal(identity))))\n"
        }
        if object["type"]?.string == "horizontalRuleLine" { return "\n***\n" }
        return object["url"]?.string.map { "\n\($0)\n" } ?? ""
    }
}
