/// The text of a note that another app wrote: the files that it names become attachments, and links between notes
/// plain text.
///
/// An image or a link that is a paragraph becomes the attachment; one within a text stays as it is, and the attachment
/// stands at the end.
struct ForeignText {
    private let files: FolderFiles
    private let directory: String
    private var numbers: [String: Int] = [:]
    private var lines: [String] = []
    private(set) var attachments: [MarkdownAttachment] = []
    private(set) var problems: [String] = []

    private static let mostAttachments = 1000
    private static let mostProblems = 20

    init(_ lines: ArraySlice<String>, in directory: String, of files: FolderFiles) {
        self.files = files
        self.directory = directory
        var code = CodeBlocks()
        let bytes = lines.map { Array($0.utf8) }
        for (index, line) in bytes.enumerated() {
            let references = code.isCode(line) ? [] : LinkScanner.references(in: line)
            let next = index + 1 < bytes.count ? bytes[index + 1] : []
            if references.isEmpty {
                self.lines.append(String(decoding: line, as: UTF8.self))
            } else if !place(references, line, next: next) {
                self.lines.append(rewritten(line, references))
            }
        }
    }

    /// The first line that holds anything.
    var firstLine: String? { lines.first { !$0.allSatisfy(\.isWhitespace) } }

    var text: String {
        guard let first = lines.firstIndex(where: { !$0.allSatisfy(\.isWhitespace) }),
            let last = lines.lastIndex(where: { !$0.allSatisfy(\.isWhitespace) })
        else { return "" }
        return lines[first...last].joined(separator: "\n") + "\n"
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
        if !isItem, let last = lines.last, !last.allSatisfy(\.isWhitespace) { lines.append("") }
        lines.append(String(decoding: before, as: UTF8.self) + "![\(label)](attachment:\(number))")
        if !isItem, !following.isEmpty { lines.append("") }
        return true
    }

    /// The line with its links between notes as plain text; the files that it names are attached.
    private mutating func rewritten(_ line: [UInt8], _ references: [MarkdownReference]) -> String {
        var result = ""
        var index = 0
        for reference in references {
            if case .file(let path) = target(of: reference) { _ = attach(path) }
            guard reference.kind == .wiki || reference.kind == .embed else { continue }
            result += String(decoding: line[index..<reference.range.lowerBound], as: UTF8.self)
            result += Self.plainText(reference)
            index = reference.range.upperBound
        }
        return result + String(decoding: line[index...], as: UTF8.self)
    }

    private mutating func target(of reference: MarkdownReference) -> FolderFiles.Target {
        let target: FolderFiles.Target =
            switch reference.kind {
            case .image, .link: files.resolve(reference.target, from: directory)
            case .embed: files.resolveEmbed(reference.target, from: directory)
            case .wiki: .elsewhere
            }
        if target == .missing, reference.kind != .link {
            report("The file \(reference.target) is not in the folder, or is a link.")
        }
        return target
    }

    private mutating func attach(_ path: String) -> Int? {
        if let number = numbers[path] { return number }
        guard attachments.count < Self.mostAttachments else {
            report("Of its files, only the first \(Self.mostAttachments) were attached.")
            return nil
        }
        numbers[path] = attachments.count
        attachments.append(MarkdownAttachment(name: RelativePath.name(path), path: files.root + "/" + path))
        return attachments.count - 1
    }

    private mutating func report(_ problem: String) {
        if problems.count < Self.mostProblems, !problems.contains(problem) { problems.append(problem) }
    }

    /// What a link to a note shows: its label, or the note's name and the heading in it.
    private static func plainText(_ reference: MarkdownReference) -> String {
        if reference.kind == .wiki, !reference.label.isEmpty { return reference.label }
        let parts = reference.target.split(separator: "#").map(String.init).filter { !$0.hasPrefix("^") }
        let shown = reference.kind == .embed ? parts.prefix(1).map { RelativePath.name($0) } : parts
        return escaped(shown.joined(separator: " › "))
    }

    static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            if "\\`*_[]<>&~|".unicodeScalars.contains(scalar) { result += "\\" }
            result.unicodeScalars.append(scalar)
        }
    }
}
