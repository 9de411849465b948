import Localization

/// Reads the attachments of one note as its text comes upon them.
final class AttachmentReader {
    /// Whether the note is locked, and with what.
    enum Lock {
        case none
        case passphrase(LockParameters?)
    }

    let database: NoteDatabase
    let index: StoreIndex
    let keyring: LockKeyring
    let files: ContainerFiles
    let account: String
    let lock: Lock
    private(set) var attachments: [ImportedAttachment] = []
    private(set) var problems: [String] = []
    private var seen: Set<String> = []
    private var count = 0

    /// A note has a dozen; what has more is made to keep us busy.
    private static let mostReferences = 10_000
    private static let mostProblems = 100
    private static let longestInline = 10_000

    init(
        database: NoteDatabase, index: StoreIndex, keyring: LockKeyring, files: ContainerFiles, account: String,
        lock: Lock
    ) {
        self.database = database
        self.index = index
        self.keyring = keyring
        self.files = files
        self.account = account
        self.lock = lock
    }

    /// What stands in the Markdown for a reference.
    func embed(_ reference: AttachmentReference) -> MarkdownWriter.Embedded {
        count += 1
        guard count <= Self.mostReferences else {
            if count == Self.mostReferences + 1 {
                report(localized("The note has more attachments than this import takes."))
            }
            return .text("")
        }
        guard let key = index.attachments[reference.identifier], let row = try? database.object(key) else {
            report(localized("An attachment of type \(Self.plain(reference.type)) is not in the database."))
            return .text("")
        }
        let type = row.text(.typeIdentifier) ?? reference.type
        if type.hasPrefix("com.apple.notes.inlinetextattachment") {
            return .text(String((row.text(.alternativeText) ?? "").prefix(Self.longestInline)))
        }
        guard seen.insert(reference.identifier).inserted else { return .blocks([]) }
        return .blocks(blocks(row, type, reference.identifier))
    }

    private func blocks(_ row: StoredRow, _ type: String, _ identifier: String) -> [[String]] {
        switch type {
        case "com.apple.notes.table": return table(row)
        case "com.apple.notes.gallery": return gallery(row)
        case "public.url": return link(row)
        default:
            if type.hasPrefix("com.apple.drawing") || type.hasPrefix("com.apple.paper") {
                return drawing(row, type, identifier)
            }
            return media(row, type)
        }
    }

    // Tables, galleries and links have no files.

    private func table(_ row: StoredRow) -> [[String]] {
        do {
            guard let data = mergeableData(row) else { return [] }
            let rows = try MergeableTable(Gunzip.unpack(data)).rows
            if TableMarkdown.losesLineBreaks(rows) {
                report(
                    localized("Line breaks inside the cells of a table became spaces, since Markdown has none there."))
            }
            let lines = TableMarkdown.render(rows)
            return lines.isEmpty ? [] : [lines]
        } catch {
            report(localized("A table could not be read: \(error.reason)."))
            return []
        }
    }

    private func gallery(_ row: StoredRow) -> [[String]] {
        do {
            guard let data = mergeableData(row) else { return [] }
            let graph = try MergeableGraph(Gunzip.unpack(data))
            // Each object of a gallery names one of its scans.
            let names = graph.entries.compactMap { $0.fields?.fields.first?.value.text }
            return names.flatMap { name -> [[String]] in
                guard let key = index.attachments[name], seen.insert(name).inserted,
                    let child = try? database.object(key)
                else { return [] }
                return media(child, child.text(.typeIdentifier) ?? "")
            }
        } catch {
            report(localized("A gallery of scans could not be read: \(error.reason)."))
            return []
        }
    }

    private func link(_ row: StoredRow) -> [[String]] {
        let values = isLocked ? sealedValues(row) : nil
        guard let address = isLocked ? values?.urlString : row.text(.address), !address.isEmpty else {
            report(localized("A link has no address."))
            return []
        }
        let title = (isLocked ? values?.title : row.text(.title)) ?? address
        var style = InlineStyle()
        style.link = address
        let line = InlineMarkdown.render([.init(text: Self.oneLine(title), style: style)])
        return [[line]]
    }

    // Files.

    private func media(_ row: StoredRow, _ type: String) -> [[String]] {
        guard let key = row.integer(.media), let media = try? database.object(key),
            let identifier = media.text(.identifier)
        else {
            report(
                localized(
                    "An attachment of type \(Self.plain(type)) has no file, and its kind is not known to this import."))
            return []
        }
        let values = isLocked ? sealedValues(media) : nil
        let name = (isLocked ? values?.filename : nil) ?? media.text(.fileName) ?? row.text(.title) ?? ""
        let folder = ["Media", identifier]
        let names = isLocked ? [identifier, name] : [name, identifier]
        let generations = [media.text(.generation).map { [$0] }, []].compactMap(\.self)
        let candidates = generations.flatMap { generation in names.map { folder + generation + [$0] } }
        return add(
            name, UniformType(type, fileName: name), candidates, row: media, iv: media.bytes(.assetIV),
            tag: media.bytes(.assetTag))
    }

    /// Ink has a form of its own that nobody else reads; Notes keeps a picture of it beside.
    private func drawing(_ row: StoredRow, _ type: String, _ identifier: String) -> [[String]] {
        let suffix = isLocked ? ".encrypted" : ""
        if type.hasPrefix("com.apple.paper.doc"), let generation = row.text(.fallbackPDFGeneration) {
            let candidates = [["FallbackPDFs", identifier, generation, "FallbackPDF.pdf" + suffix]]
            if files.first(of: candidates, account: account) != nil {
                return add(
                    "Scan.pdf", UniformType("com.adobe.pdf", fileName: ""), candidates, row: row,
                    iv: row.bytes(.fallbackPDFIV), tag: row.bytes(.fallbackPDFTag))
            }
        }
        for format in ["png", "jpg", "jpeg"] {
            let generations = row.text(.fallbackImageGeneration).map { [$0] } ?? []
            let candidates =
                generations.map { ["FallbackImages", identifier, $0, "FallbackImage." + format + suffix] }
                + [["FallbackImages", identifier + "." + format + suffix]]
            guard files.first(of: candidates, account: account) != nil else { continue }
            let picture = UniformType("", fileName: "." + format)
            return add(
                "Sketch." + format, UniformType(sketch: picture.mediaType), candidates, row: row,
                iv: row.bytes(.fallbackImageIV), tag: row.bytes(.fallbackImageTag))
        }
        report(localized("A drawing could not be carried over: Notes kept no picture of it in this copy."))
        return []
    }

    /// Adds the first file that exists, opened if the note is locked.
    private func add(
        _ name: String, _ type: UniformType, _ candidates: [[String]], row: StoredRow, iv: [UInt8]?, tag: [UInt8]?
    ) -> [[String]] {
        let name = Self.fileName(name, type)
        guard let path = files.first(of: candidates, account: account) else {
            report(
                isLocked
                    ? localized("The file of attachment “in a locked note” is missing.")
                    : localized("The file of attachment “\(name)” is missing."))
            return []
        }
        var content = ImportedAttachment.Content.file(path: path)
        if isLocked {
            guard let bytes = open(path, row: row, iv: iv, tag: tag) else {
                report(localized("The file of an attachment could not be opened with the note's passphrase."))
                return []
            }
            content = .bytes(bytes)
        }
        attachments.append(
            ImportedAttachment(name: name, kind: type.kind, mediaType: type.mediaType, content: content))
        return [["![" + MarkdownEscaping.escape(name, isLabel: true) + "](attachment:\(attachments.count - 1))"]]
    }

    func report(_ problem: String) {
        if problems.count < Self.mostProblems { problems.append(problem) }
    }
}

extension AttachmentReader {
    var isLocked: Bool {
        if case .passphrase = lock { return true }
        return false
    }

    /// One line of plain text of bounded length, for names and titles.
    private static func oneLine(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return String(line.prefix(1000))
    }

    /// A type as it may stand in a message.
    private static func plain(_ type: String) -> String {
        let plain = type.unicodeScalars.prefix(100).filter { $0.isASCII && $0.value > 0x20 && $0.value != 0x7F }
        return plain.isEmpty ? "unknown" : String(String.UnicodeScalarView(plain))
    }

    /// A name that is a file's and nothing else.
    private static func fileName(_ name: String, _ type: UniformType) -> String {
        let last = name.split(separator: "/").last.map(String.init) ?? ""
        let plain = last.unicodeScalars.filter { scalar in
            scalar.properties.generalCategory != .control && scalar.properties.generalCategory != .format
        }
        let text = String(String.UnicodeScalarView(plain.prefix(200)))
        guard !text.isEmpty, text != ".", text != ".." else { return type.kind.rawValue }
        return text
    }
}
