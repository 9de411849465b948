import Localization

/// The text of a note that another app wrote: the files that it names become attachments.
///
/// Links between notes stay as they are: their targets are in them.
///
/// An image or a link that is a paragraph becomes the attachment; one within a text stays as it is, and the attachment
/// stands at the end.
struct ForeignText {
    private let files: FolderFiles
    private let directory: String
    private var numbers: [String: Int] = [:]
    private var lines: [String] = []
    /// What stands before the line feed of the line in hand.
    private var end = ""
    private let isBehindMatter: Bool
    private(set) var attachments: [MarkdownAttachment] = []
    private(set) var problems: [String] = []

    private static let mostAttachments = 1000
    private static let mostDefinitions = 10_000
    private static let mostProblems = 20

    init(_ lines: ArraySlice<String>, in directory: String, of files: FolderFiles) {
        self.files = files
        self.directory = directory
        isBehindMatter = lines.startIndex > 0
        let parts = lines.map(LineEnd.split)
        let bytes = parts.map { Array($0.content.utf8) }
        let definitions = Self.definitions(bytes)
        var code = CodeBlocks()
        for (index, line) in bytes.enumerated() {
            end = parts[index].end
            let isText = !code.isCode(line) && (definitions.isEmpty || LinkScanner.definition(in: line) == nil)
            let references = isText ? LinkScanner.references(in: line, definitions) : []
            let next = index + 1 < bytes.count ? bytes[index + 1] : []
            if references.isEmpty {
                self.lines.append(String(decoding: line, as: UTF8.self) + end)
            } else if !place(references, line, next: next) {
                for reference in references {
                    if case .file(let path) = target(of: reference) { _ = attach(path) }
                }
                self.lines.append(String(decoding: line, as: UTF8.self) + end)
            }
        }
    }

    /// What names of targets stand for; of two alike, the first counts.
    private static func definitions(_ lines: [[UInt8]]) -> [String: String] {
        var code = CodeBlocks()
        var found: [String: String] = [:]
        for line in lines where !code.isCode(line) {
            guard found.count < mostDefinitions, let definition = LinkScanner.definition(in: line) else { continue }
            if found[definition.key] == nil { found[definition.key] = definition.target }
        }
        return found
    }

    /// The first line that holds anything.
    var firstLine: String? { lines.first { !$0.allSatisfy(\.isWhitespace) } }

    /// As the file has it, but for what became an attachment; blank lines after front matter belong to that.
    var text: String {
        guard let first = lines.firstIndex(where: { !$0.allSatisfy(\.isWhitespace) }) else { return "" }
        return lines[(isBehindMatter ? first : 0)...].joined(separator: "\n")
    }

    /// Makes the line an attachment's paragraph, if it can be one.
    private mutating func place(_ references: [MarkdownReference], _ line: [UInt8], next: [UInt8]) -> Bool {
        guard let reference = references.first, reference.kind != .wiki,
            line[reference.range.upperBound...].allSatisfy(CodeBlocks.isBlank)
        else { return false }
        let before = line[..<reference.range.lowerBound]
        let indent = before.prefix(while: CodeBlocks.isBlank)
        guard indent.count <= 3, !indent.contains(9) else { return false }
        let rest = before.dropFirst(indent.count)
        let isItem = rest.isEmpty ? false : CodeBlocks.markerLength(rest) == rest.count
        let following = next.drop(while: CodeBlocks.isBlank)
        let isItsOwn = rest.isEmpty || (isItem && (following.isEmpty || CodeBlocks.markerLength(following) != nil))
        guard isItsOwn, case .file(let path) = target(of: reference), numbers[path] == nil,
            let number = attach(path)
        else { return false }
        let label = reference.kind == .embed ? Self.escaped(RelativePath.name(path)) : reference.label
        if !isItem, let last = lines.last, !last.allSatisfy(\.isWhitespace) { lines.append(end) }
        lines.append(String(decoding: before, as: UTF8.self) + "![\(label)](attachment:\(number))" + end)
        if !isItem, !following.isEmpty { lines.append(end) }
        return true
    }

    private mutating func target(of reference: MarkdownReference) -> FolderFiles.Target {
        let target: FolderFiles.Target =
            switch reference.kind {
            case .image, .link: files.resolve(reference.target, from: directory)
            case .embed: files.resolveEmbed(reference.target, from: directory)
            case .wiki: .elsewhere
            }
        if target == .missing, reference.kind != .link {
            report(localized("The file \(reference.target) is not in the folder, or is a link."))
        }
        return target
    }

    private mutating func attach(_ path: String) -> Int? {
        if let number = numbers[path] { return number }
        guard attachments.count < Self.mostAttachments else {
            report(localized("Of its files, only the first \(Self.mostAttachments) were attached."))
            return nil
        }
        numbers[path] = attachments.count
        attachments.append(MarkdownAttachment(name: RelativePath.name(path), path: files.root + "/" + path))
        return attachments.count - 1
    }

    private mutating func report(_ problem: String) {
        if problems.count < Self.mostProblems, !problems.contains(problem) { problems.append(problem) }
    }

    static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            if "\\`*_[]<>&~|".unicodeScalars.contains(scalar) { result += "\\" }
            result.unicodeScalars.append(scalar)
        }
    }
}
