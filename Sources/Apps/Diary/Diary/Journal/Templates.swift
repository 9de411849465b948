import DiaryClient
import Localization
import Secrets
import Zones

/// The templates of the diary: few and short, so they are read where they are asked for.
final class Templates {
    private let records: DiaryRecords

    init(_ records: DiaryRecords) { self.records = records }

    private enum Limit {
        static let count = 100
        static let nameLength = 100
        static let textByteCount = 1 << 20
    }

    /// By name.
    func list() throws -> [DiaryTemplate] {
        try storedTemplates().map(\.template.head).sorted { $0.name < $1.name }
    }

    /// - Throws: `DiaryError` with code `notFound`.
    func read(_ name: String) throws -> (head: DiaryTemplate, text: String) {
        let found = try stored(name).template
        return (head: found.head, text: found.text)
    }

    /// Makes a template, or puts another in place of the one of this name.
    ///
    /// - Throws: `DiaryError` with code `invalid` or `tooLarge`.
    func set(_ head: DiaryTemplate, text: String) throws {
        try check(head, text)
        let known = try storedTemplates()
        let record = known.first { $0.template.head.name == head.name }?.record
        guard record != nil || known.count < Limit.count else {
            throw DiaryError(.tooLarge, marked("a diary has at most \(Limit.count) templates; delete one first"))
        }
        let sealed = StoredTemplate(head, text: text).encoded
        try records.write { writer in
            _ = try writer.put(record ?? .makeRandom(), type: RecordType.template, sealed, in: records.zone)
        }
        if record != nil { records.scrub() }
    }

    /// - Throws: `DiaryError` with code `notFound`.
    func remove(_ name: String) throws {
        let record = try stored(name).record
        try records.write { try $0.remove(record, in: records.zone) }
        records.scrub()
    }

    private func check(_ head: DiaryTemplate, _ text: String) throws {
        let isOneLine = !head.name.contains { $0.isNewline || $0 == "\0" }
        guard !head.name.isEmpty, head.name.count <= Limit.nameLength, isOneLine,
            head.name.utf8.count <= 8 * Limit.nameLength
        else {
            throw DiaryError(.invalid, marked("a template's name is one line of 1 to \(Limit.nameLength) characters"))
        }
        try EntryHead.check(head.tags)
        guard text.utf8.count <= Limit.textByteCount else {
            throw DiaryError(.tooLarge, marked("a template has at most \(Limit.textByteCount >> 20) MiB"))
        }
    }

    private func stored(_ name: String) throws -> (record: Identifier, template: StoredTemplate) {
        guard let found = try storedTemplates().first(where: { $0.template.head.name == name }) else {
            throw DiaryError(.notFound, marked("there is no template of this name"))
        }
        return found
    }

    /// A record that cannot be decoded is kept, and listed as damaged.
    private func storedTemplates() throws -> [(record: Identifier, template: StoredTemplate)] {
        try records.records(ofType: RecordType.template).compactMap { record in
            do { return (record: record.name, template: try StoredTemplate(from: record.content)) } catch {
                records.lose(record.name)
                return nil
            }
        }
    }
}
