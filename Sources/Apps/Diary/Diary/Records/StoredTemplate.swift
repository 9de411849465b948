import DiaryClient
import Secrets
import Zones

/// A template as its record has it.
struct StoredTemplate: Equatable, Sendable {
    var head: DiaryTemplate
    /// Markdown.
    var text: String

    var encoded: [UInt8] {
        var writer = RecordLayout.begin()
        writer.field(head.name)
        writer.uint32(UInt32(head.tags.count))
        for tag in head.tags { writer.field(tag) }
        writer.field(text)
        return writer.bytes
    }

    init(_ head: DiaryTemplate, text: String) {
        self.head = head
        self.text = text
    }

    init(from bytes: [UInt8]) throws(DecodingError) {
        self = try RecordLayout.read(bytes) { (reader) throws(DecodingError) in
            var head = DiaryTemplate(name: try reader.text())
            for _ in 0..<(try reader.count(ofSize: 4)) { head.tags.append(try reader.text()) }
            return StoredTemplate(head, text: try reader.text())
        }
    }
}
