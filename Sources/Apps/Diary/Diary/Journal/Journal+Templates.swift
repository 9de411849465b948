import DiaryClient
import Secrets
import Zones

// Templates are few and short: they are read where they are asked for.
extension Journal {
    private enum TemplateLimit {
        static let count = 100
        static let nameLength = 100
        static let textByteCount = 1 << 20
    }

    /// By name.
    func templates() throws -> [DiaryTemplate] {
        try storedTemplates().map(\.template.head).sorted { $0.name < $1.name }
    }

    /// - Throws: `DiaryError` with code `notFound`.
    func template(_ name: String) throws -> (head: DiaryTemplate, text: String) {
        let found = try stored(name).template
        return (head: found.head, text: found.text)
    }

    /// Makes a template, or puts another in place of the one of this name.
    ///
    /// - Throws: `DiaryError` with code `invalid` or `tooLarge`.
    func setTemplate(_ head: DiaryTemplate, text: String) throws {
        try check(head, text)
        let known = try storedTemplates()
        let record = known.first { $0.template.head.name == head.name }?.record
        guard record != nil || known.count < TemplateLimit.count else {
            throw DiaryError(.tooLarge, "a diary has at most \(TemplateLimit.count) templates; delete one first")
        }
        let sealed = StoredTemplate(head, text: text).encoded
        try store.write { writer in
            _ = try writer.put(record ?? .makeRandom(), type: RecordType.template, sealed, in: zone)
        }
        if record != nil { scrub() }
    }

    /// - Throws: `DiaryError` with code `notFound`.
    func removeTemplate(_ name: String) throws {
        let record = try stored(name).record
        try store.write { try $0.remove(record, in: zone) }
        scrub()
    }

    private func check(_ head: DiaryTemplate, _ text: String) throws {
        let isOneLine = !head.name.contains { $0.isNewline || $0 == "\0" }
        guard !head.name.isEmpty, head.name.count <= TemplateLimit.nameLength, isOneLine,
            head.name.utf8.count <= 8 * TemplateLimit.nameLength
        else {
            throw DiaryError(.invalid, "a template's name is one line of 1 to \(TemplateLimit.nameLength) characters")
        }
        try checkTags(head.tags)
        guard text.utf8.count <= TemplateLimit.textByteCount else {
            throw DiaryError(.tooLarge, "a template has at most \(TemplateLimit.textByteCount >> 20) MiB")
        }
    }

    private func stored(_ name: String) throws -> (record: Identifier, template: StoredTemplate) {
        guard let found = try storedTemplates().first(where: { $0.template.head.name == name }) else {
            throw DiaryError(.notFound, "there is no template of this name")
        }
        return found
    }

    /// A record that cannot be decoded is kept, and listed as damaged.
    private func storedTemplates() throws -> [(record: Identifier, template: StoredTemplate)] {
        var found: [ZoneRecord] = []
        _ = try store.read { reader in
            try reader.records(ofType: RecordType.template, in: zone, damaged: { damaged.insert($0) }) {
                found.append($0)
            }
        }
        return found.compactMap { record in
            do { return (record: record.name, template: try StoredTemplate(from: record.content)) } catch {
                damaged.insert(record.name)
                return nil
            }
        }
    }
}
