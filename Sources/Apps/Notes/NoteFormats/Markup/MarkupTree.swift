import Localization

/// An element of a document, or a text in it.
indirect enum MarkupNode: Equatable {
    case text(String)
    case element(MarkupElement)
}

struct MarkupElement: Equatable {
    var name: String
    var attributes: [String: String] = [:]
    var children: [MarkupNode] = []

    func attribute(_ name: String) -> String { attributes[name] ?? "" }
    func hasStyle(_ text: String) -> Bool {
        attribute("style").lowercased().filter { !$0.isWhitespace }.contains(text)
    }

    /// A property of its style, such as `--en-id`; empty where it has none.
    func style(_ name: String) -> String {
        let parts = attribute("style").split(separator: ";").map { $0.split(separator: ":", maxSplits: 1) }
        let part = parts.first { $0.count == 2 && FormatText.trimmed($0[0]).lowercased() == name }
        return part.map { FormatText.trimmed($0[1]) } ?? ""
    }

    /// All text below it, as it stands.
    var text: String {
        children.map { child in
            switch child {
            case .text(let text): text
            case .element(let element): element.name == "br" ? "\n" : element.text
            }
        }.joined()
    }

    /// The first element of a name below it.
    func first(_ name: String) -> MarkupElement? {
        for case .element(let child) in children {
            if child.name == name { return child }
            if let found = child.first(name) { return found }
        }
        return nil
    }
}

/// Builds the tree of an HTML document or a note of Evernote's, as a browser would make sense of it.
enum MarkupTree {
    /// Elements that are open at once.
    static let deepest = 200
    private static let mostNodes = 2_000_000
    private static let void: Set<String> = [
        "br", "hr", "img", "input", "meta", "link", "col", "en-media", "en-todo", "wbr", "source", "area", "base",
        "embed", "param", "track",
    ]
    private static let skipped: Set<String> = ["script", "style", "noscript", "template"]
    /// What stands in them is another document, or a drawing: they alone come into the tree.
    private static let emptied: Set<String> = ["iframe", "svg"]

    /// - Returns: an element without a name, around all.
    static func read(_ bytes: [UInt8], in range: Range<Int>? = nil) throws(NoteFormatError) -> MarkupElement {
        var scanner = MarkupScanner(bytes, in: range, isStrict: false)
        var open = [MarkupElement(name: "")]
        var count = 0
        while let token = try scanner.next() {
            count += 1
            guard count <= mostNodes else {
                throw NoteFormatError(.tooLarge, localized("It has more parts than are read."))
            }
            switch token {
            case .text(let range, let isLiteral):
                open[open.count - 1].children.append(.text(scanner.string(range, isLiteral: isLiteral)))
            case .start(let name, let attributes, let isEmpty):
                if skipped.contains(name) {
                    if !isEmpty { scanner.skipContent(of: name) }
                    continue
                }
                imply(before: name, &open)
                let element = MarkupElement(name: name, attributes: attributes)
                let isEmptied = emptied.contains(name)
                if isEmptied, !isEmpty { scanner.skipContent(of: name) }
                if isEmpty || isEmptied || void.contains(name) {
                    open[open.count - 1].children.append(.element(element))
                    continue
                }
                guard open.count < deepest else {
                    throw NoteFormatError(.tooLarge, localized("It is nested deeper than \(deepest) levels."))
                }
                open.append(element)
            case .end(let name): close(name, &open)
            }
        }
        while open.count > 1 { closeLast(&open) }
        return open[0]
    }

    private static func closeLast(_ open: inout [MarkupElement]) {
        let last = open.removeLast()
        open[open.count - 1].children.append(.element(last))
    }

    private static func close(_ name: String, _ open: inout [MarkupElement]) {
        guard let place = open.lastIndex(where: { $0.name == name }), place > 0 else { return }
        while open.count > place { closeLast(&open) }
    }

    /// End tags that HTML leaves out.
    private static func imply(before name: String, _ open: inout [MarkupElement]) {
        let ends: (names: Set<String>, within: Set<String>)
        switch name {
        case "li": ends = (["li"], ["ul", "ol"])
        case "td", "th": ends = (["td", "th"], ["tr", "table"])
        case "tr": ends = (["tr", "td", "th"], ["table"])
        case "dt", "dd": ends = (["dt", "dd"], ["dl"])
        case "p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "table", "pre", "blockquote", "div", "hr":
            ends = (["p"], ["td", "th", "li", "div", "blockquote", "table", "body"])
        default: return
        }
        for index in open.indices.reversed() where index > 0 {
            if ends.within.contains(open[index].name) { return }
            guard ends.names.contains(open[index].name) else { continue }
            while open.count > index { closeLast(&open) }
            if name != "tr" { return }
        }
    }
}
