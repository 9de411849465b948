import Localization

/// Writes what a document shows as Markdown.
///
/// A `div` is a line, as notes apps have it, a `p` a paragraph. Files come to stand in paragraphs of their own.
struct MarkdownComposer {
    /// A file that the document shows.
    enum Resource: Equatable {
        /// Of Evernote's, by MD5 of its content.
        case media(String)
        /// By its address.
        case address(String)
    }

    /// A block, or a line that joins its neighbours.
    private enum Piece {
        case line(String)
        case gap
        case paragraph(String)
        case list([String], marker: Character)
        case block([String])
    }

    /// The attachment that a resource is, and what it is called; nil where it is none.
    private let attach: (Resource) -> (number: Int, name: String)?
    /// One of Evernote's tasks.
    struct Task {
        var title = ""
        var isDone = false
        /// Of the list that it belongs to.
        var group = ""
        /// Tasks of a list stand in the order of these, byte by byte.
        var weight = ""
    }

    /// Evernote's tasks by their lists, each in its order.
    var tasks: [String: [Task]] = [:]
    /// What could not be carried over.
    private(set) var problems: [String] = []
    /// Items that are open.
    private var depth = 0
    /// Of a list that is made of lines with check marks, which join.
    private static let todo: Character = "t"

    init(attach: @escaping (Resource) -> (number: Int, name: String)?) { self.attach = attach }

    mutating func markdown(of root: MarkupElement) -> String {
        var pieces = compose(root.children)
        // Those whose place is not in the text stand at its end.
        for group in tasks.keys.sorted() { pieces += takeTasks(of: group) }
        let lines = join(pieces)
        return lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
    }

    mutating func report(_ problem: String) { if !problems.contains(problem) { problems.append(problem) } }

    // MARK: Blocks

    private static let hidden: Set<String> = ["head", "title", "meta", "link", "colgroup", "col", "base"]
    private static let blocks: Set<String> = [
        "p", "div", "section", "article", "header", "footer", "main", "center", "en-note", "body", "html", "address",
        "figure", "figcaption", "dl", "dd", "dt", "form", "fieldset", "details", "summary", "h1", "h2", "h3", "h4",
        "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "hr", "table", "tbody", "thead", "tfoot", "tr", "aside",
        "nav", "en-crypt", "caption", "video", "audio", "iframe", "object", "embed", "canvas", "svg",
    ]

    /// Whether it is a block, holds one, or shows a file.
    private func isBlock(_ element: MarkupElement) -> Bool {
        if Self.blocks.contains(element.name) || file(element) != nil { return true }
        return element.children.contains { child in
            guard case .element(let child) = child else { return false }
            return isBlock(child)
        }
    }

    private mutating func compose(_ nodes: [MarkupNode], isLine: Bool = false) -> [Piece] {
        var pieces: [Piece] = []
        var inline: [MarkupNode] = []
        for node in nodes {
            guard case .element(let element) = node, isBlock(element) || Self.hidden.contains(element.name) else {
                inline.append(node)
                continue
            }
            pieces += flush(&inline, isLine: isLine)
            let new = block(element, after: pieces.last)
            if case .list(let next, Self.todo)? = new.first, case .list(let last, Self.todo)? = pieces.last {
                pieces[pieces.count - 1] = .list(last + next, marker: Self.todo)
            } else {
                pieces += new
            }
        }
        return pieces + flush(&inline, isLine: isLine)
    }

    private mutating func flush(_ nodes: inout [MarkupNode], isLine: Bool) -> [Piece] {
        defer { nodes = [] }
        let text = paragraph(nodes)
        guard !text.isEmpty else { return [] }
        return [isLine ? .line(text) : .paragraph(text)]
    }

    private mutating func block(_ element: MarkupElement, after last: Piece?) -> [Piece] {
        if let file = file(element) {
            return [.block(["![\(MarkdownEscapes.inline(file.name, isLabel: true))](attachment:\(file.number))"])]
        }
        switch element.name {
        case "h1", "h2", "h3", "h4", "h5", "h6":
            let level = element.name.utf8.last.map { Int($0) - 48 } ?? 1
            let text = paragraph(element.children).split(separator: "\n").map {
                $0.hasSuffix("\\") ? $0.dropLast() : $0
            }
            let line = text.joined(separator: " ")
            let heading = line.hasSuffix("#") ? line.dropLast() + "\\#" : line
            return heading.isEmpty ? [] : [.block([String(repeating: "#", count: level) + " " + heading])]
        case "p": return compose(element.children)
        case "ul", "ol": return list(element, after: last)
        case "li": return list(MarkupElement(name: "ul", children: [.element(element)]), after: last)
        case "blockquote":
            return [.block(join(compose(element.children)).map { $0.isEmpty ? ">" : "> " + $0 })]
        case "pre": return [code(element)]
        case "hr": return [.block(["---"])]
        case "table": return table(element)
        case "tr", "td", "th": return compose(element.children)
        case "en-crypt":
            report(
                localized("A passage is encrypted in Evernote, and cannot be read: decrypt it there, and export again.")
            )
            return [.paragraph("\\[encrypted in Evernote\\]")]
        case "video", "audio", "iframe", "object", "embed", "canvas", "svg": return embedded(element)
        case _ where Self.hidden.contains(element.name): return []
        default: return division(element)
        }
    }

    /// A film, a sound or another page, which no note can show: a link to it, and what stands in its place.
    private mutating func embedded(_ element: MarkupElement) -> [Piece] {
        let inner = compose(element.children)
        let sources = [element.attribute("src"), element.attribute("data"), element.first("source")?.attribute("src")]
        let address = sources.compactMap(\.self).map(FormatText.trimmed).first { !$0.isEmpty }
        guard let address else {
            if element.name == "svg" {
                report(localized("A drawing in its page (svg) was left out."))
            } else if inner.isEmpty {
                report(localized("What it shows as \(element.name) is not in the file, and was left out."))
            }
            return inner
        }
        let link = MarkupElement(name: "a", attributes: ["href": address], children: [.text(address)])
        return [.paragraph(paragraph([.element(link)]))] + inner
    }

    private mutating func division(_ element: MarkupElement) -> [Piece] {
        if element.hasStyle("-en-codeblock:true") || element.hasStyle("--en-codeblock:true") { return [code(element)] }
        if element.hasStyle("--en-task-group:true") { return tasks(element) }
        let isWrapper = ["html", "body", "en-note", ""].contains(element.name)
        let pieces = compose(element.children, isLine: !isWrapper)
        if pieces.isEmpty, element.name == "div" { return [.gap] }
        if case .line(let text)? = pieces.first, pieces.count == 1, depth == 0, isTodo(element) {
            return [.list(["- " + text], marker: Self.todo)]
        }
        return pieces
    }

    /// A list of Evernote's tasks, which stand beside the text.
    private mutating func tasks(_ element: MarkupElement) -> [Piece] {
        let pieces = takeTasks(of: element.style("--en-id"))
        if pieces.isEmpty { report(localized("A list of Evernote's tasks is not in the file, and was left out.")) }
        return pieces
    }

    private mutating func takeTasks(of group: String) -> [Piece] {
        guard let tasks = tasks.removeValue(forKey: group) else { return [] }
        let lines = tasks.map { "- [\($0.isDone ? "x" : " ")] " + paragraph([.text($0.title)]) }
        return [.list(lines, marker: Self.todo)]
    }

    private func join(_ pieces: [Piece]) -> [String] {
        var lines: [String] = []
        var isAfterLine = false
        for piece in pieces {
            switch piece {
            case .gap: isAfterLine = false
            case .line(let text):
                let new = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
                if isAfterLine {
                    lines[lines.count - 1] += "\\"
                } else if !lines.isEmpty {
                    lines.append("")
                }
                lines += new
                isAfterLine = true
            case .paragraph(let text):
                if !lines.isEmpty { lines.append("") }
                lines += text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
                isAfterLine = false
            case .list(let block, _), .block(let block):
                guard !block.isEmpty else { continue }
                if !lines.isEmpty { lines.append("") }
                lines += block
                isAfterLine = false
            }
        }
        return lines
    }

    // MARK: Lists

    private mutating func list(_ element: MarkupElement, after last: Piece?) -> [Piece] {
        // Two lists in a row would be one, were their marks the same.
        var marker: Character = element.name == "ol" ? "." : "-"
        if case .list(_, let before)? = last, before == marker || before == Self.todo {
            marker = marker == "." ? ")" : "*"
        }
        var number = Int(element.attribute("start")).map { min(max($0, 0), 999_999_999) } ?? 1
        var items: [[String]] = []
        var isTight = true
        depth += 1
        defer { depth -= 1 }
        for child in element.children.compactMap(Self.item) {
            if child.name == "ul" || child.name == "ol", !items.isEmpty {
                // Evernote's way: a list beside the item that it belongs to.
                let width = element.name == "ol" ? "\(number - 1). ".count : 2
                let inner = join(list(child, after: nil)).map {
                    $0.isEmpty ? "" : String(repeating: " ", count: width) + $0
                }
                items[items.count - 1] += inner
                continue
            }
            let mark = element.name == "ol" ? "\(number)\(marker) " : "\(marker) "
            let pieces = compose(child.name == "li" ? child.children : [.element(child)], isLine: true)
            var lines = isSimple(pieces) ? pieces.flatMap { join([$0]) } : join(pieces)
            isTight = isTight && isSimple(pieces)
            if let check = check(child, in: element), lines.first?.hasPrefix("[") != true {
                lines = lines.isEmpty ? [check] : [check + " " + lines[0]] + lines.dropFirst()
            }
            let indent = String(repeating: " ", count: mark.count)
            items.append(
                lines.isEmpty
                    ? [String(mark.dropLast())]
                    : lines.enumerated().map { $0 == 0 ? mark + $1 : $1.isEmpty ? "" : indent + $1 })
            number += 1
        }
        guard !items.isEmpty else { return [] }
        let lines = isTight ? items.flatMap(\.self) : Array(items.joined(separator: [""]))
        return [.list(lines, marker: marker)]
    }

    /// A child of a list, which may be a text by mistake.
    private static func item(_ node: MarkupNode) -> MarkupElement? {
        switch node {
        case .element(let element): element
        case .text(let text): text.allSatisfy(\.isWhitespace) ? nil : MarkupElement(name: "li", children: [node])
        }
    }

    /// One text, and lists below it.
    private func isSimple(_ pieces: [Piece]) -> Bool {
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .line, .paragraph: if index > 0 { return false }
            case .list: continue
            case .gap, .block: return false
            }
        }
        return true
    }

    /// The mark of an item that says itself whether it is done.
    private func check(_ item: MarkupElement, in list: MarkupElement) -> String? {
        // Notion's way.
        if let box = item.first("div"), box.attribute("class").hasPrefix("checkbox checkbox-o") {
            return box.attribute("class").hasSuffix("on") ? "[x]" : "[ ]"
        }
        guard list.hasStyle("--en-todo:true") else { return nil }
        return item.hasStyle("--en-checked:true") ? "[x]" : "[ ]"
    }

    private func isTodo(_ element: MarkupElement) -> Bool {
        for child in element.children {
            switch child {
            case .text(let text): if !text.allSatisfy(\.isWhitespace) { return false }
            case .element(let child): return child.name == "en-todo" || Self.isCheckbox(child)
            }
        }
        return false
    }

    static func isCheckbox(_ element: MarkupElement) -> Bool {
        element.name == "input" && element.attribute("type").lowercased() == "checkbox"
    }

    // MARK: Code and tables

    private func code(_ element: MarkupElement) -> Piece {
        var text = Self.lines(of: element)
        while text.hasSuffix("\n") { text.removeLast() }
        if text.hasPrefix("\n") { text.removeFirst() }
        let run = text.split { $0 != "`" }.map(\.count).max() ?? 0
        let fence = String(repeating: "`", count: max(3, run + 1))
        let inner = element.first("code")
        let names = [inner?.attribute("class"), inner?.attribute("title")].compactMap(\.self)
            .flatMap { $0.split(separator: " ") }
        let language = names.first { $0.hasPrefix("language-") }?.dropFirst("language-".count) ?? ""
        let safe = language.allSatisfy { $0.isLetter || $0.isNumber || "+-#._".contains($0) } ? language : ""
        return .block(
            [fence + safe] + text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) + [fence])
    }

    /// Text whose `div`s are lines.
    private static func lines(of element: MarkupElement) -> String {
        var text = ""
        for child in element.children {
            switch child {
            case .text(let part): text += part
            case .element(let child) where child.name == "br": text += "\n"
            case .element(let child) where child.name == "div" || child.name == "p":
                let line = lines(of: child)
                text += line.hasSuffix("\n") ? line : line + "\n"
            case .element(let child): text += lines(of: child)
            }
        }
        return text
    }

    private static let mostCells = 1_000_000

    /// A table, with what stands in it and in no cell above it, where a browser shows a caption.
    private mutating func table(_ element: MarkupElement) -> [Piece] {
        var rows: [[String]] = []
        var others: [MarkupNode] = []
        collect(element, &rows, &others)
        let above = compose(others)
        let width = rows.map(\.count).max() ?? 0
        guard width > 0 else { return above }
        guard width * rows.count <= Self.mostCells else {
            report(localized("A table has more than \(Self.mostCells) cells: its rows came in as lines."))
            return above + rows.map { .paragraph($0.joined(separator: " ")) }
        }
        let lines = rows.map { row in
            "| " + (row + Array(repeating: "", count: width - row.count)).joined(separator: " | ") + " |"
        }
        let rule = "|" + String(repeating: " --- |", count: width)
        return above + [.block([lines[0], rule] + lines.dropFirst())]
    }

    private mutating func collect(_ element: MarkupElement, _ rows: inout [[String]], _ others: inout [MarkupNode]) {
        for node in element.children {
            guard case .element(let child) = node else {
                others.append(node)
                continue
            }
            switch child.name {
            case "tr":
                var row: [String] = []
                for node in child.children {
                    if case .element(let cell) = node, cell.name == "td" || cell.name == "th" {
                        row.append(self.cell(cell))
                    } else {
                        others.append(node)
                    }
                }
                if !row.isEmpty { rows.append(row) }
            case "tbody", "thead", "tfoot": collect(child, &rows, &others)
            default: others.append(node)
            }
        }
    }

    /// A cell is one line.
    private mutating func cell(_ element: MarkupElement) -> String {
        let lines = join(compose(element.children)).map { $0.hasSuffix("\\") ? String($0.dropLast()) : $0 }
        let text = lines.filter { !$0.isEmpty }.joined(separator: " ")
        return text.reduce(into: "") { result, character in
            if character == "|", result.last != "\\" { result += "\\" }
            result.append(character)
        }
    }

    // MARK: Files

    private func file(_ element: MarkupElement) -> (number: Int, name: String)? {
        switch element.name {
        case "en-media": return attach(.media(element.attribute("hash").lowercased()))
        case "img":
            guard let file = attach(.address(element.attribute("src"))) else { return nil }
            let label = FormatText.trimmed(element.attribute("alt").filter { !$0.isNewline })
            return (number: file.number, name: label.isEmpty ? file.name : label)
        case "a" where element.attributes["data-attachment"] != nil: return attach(.address(element.attribute("href")))
        default: return nil
        }
    }

    private func paragraph(_ nodes: [MarkupNode]) -> String {
        let lines = InlineComposer.text(of: nodes, attach: attach).split(
            separator: "\n", omittingEmptySubsequences: false)
        return lines.map { line in
            let isCheck = ["[ ] ", "[x] "].contains { line.hasPrefix($0) }
            return isCheck ? String(line) : MarkdownEscapes.start(of: String(line))
        }.joined(separator: "\n")
    }
}
