/// Writes what stands inside a paragraph as Markdown.
struct InlineComposer {
    private struct Style: OptionSet {
        let rawValue: Int
        static let bold = Style(rawValue: 1)
        static let italic = Style(rawValue: 2)
        static let struck = Style(rawValue: 4)
        static let link = Style(rawValue: 8)
    }

    private let attach: (MarkdownComposer.Resource) -> (number: Int, name: String)?
    private var result = ""
    private var lastMark = ""

    private init(_ attach: @escaping (MarkdownComposer.Resource) -> (number: Int, name: String)?) {
        self.attach = attach
    }

    /// Lines, without white space around them; a hard break ends each but the last.
    static func text(
        of nodes: [MarkupNode], attach: @escaping (MarkdownComposer.Resource) -> (number: Int, name: String)?
    ) -> String {
        var composer = InlineComposer(attach)
        for node in nodes { composer.add(node, []) }
        var lines = composer.result.split(separator: "\n", omittingEmptySubsequences: false).map {
            FormatText.trimmed(String($0))
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        while lines.first?.isEmpty == true { lines.removeFirst() }
        // Two breaks in a row end a paragraph.
        var text = ""
        for (index, line) in lines.enumerated() {
            text += line
            guard index + 1 < lines.count else { break }
            text += line.isEmpty || lines[index + 1].isEmpty ? "\n" : "\\\n"
        }
        return text
    }

    private mutating func add(_ node: MarkupNode, _ style: Style) {
        switch node {
        case .text(let text): add(text: Self.collapsed(text), style)
        case .element(let element): add(element, style)
        }
    }

    private mutating func add(text: String, _ style: Style) {
        var text = text
        if text.first == " ", result.isEmpty || result.last == " " || result.last == "\n" { text.removeFirst() }
        guard !text.isEmpty else { return }
        let escaped = MarkdownEscapes.inline(text, isLabel: style.contains(.link))
        // At the beginning of a line it could be a check mark, or say what a name stands for.
        if escaped.first == "[", result.isEmpty || result.last == "\n" { result += "\\" }
        result += escaped
        lastMark = ""
    }

    private mutating func add(_ element: MarkupElement, _ style: Style) {
        switch element.name {
        case "br":
            while result.last == " " { result.removeLast() }
            result += "\n"
        case "b", "strong": wrap(element, "**", .bold, style)
        case "i", "em", "cite", "var": wrap(element, "*", .italic, style)
        case "s", "del", "strike": wrap(element, "~~", .struck, style)
        case "code", "tt", "kbd", "samp": addCode(element.text)
        case "a": addLink(element, style)
        case "img": addImage(element)
        case "en-todo": addCheck(element.attribute("checked").lowercased() == "true")
        case "input":
            if MarkdownComposer.isCheckbox(element) { addCheck(element.attributes["checked"] != nil) }
        case "span", "font": addSpan(element, style)
        default: for child in element.children { add(child, style) }
        }
    }

    /// Programs say by a style what HTML has elements for.
    private mutating func addSpan(_ element: MarkupElement, _ style: Style) {
        var plain = element
        plain.attributes["style"] = nil
        if element.hasStyle("font-weight:bold") || element.hasStyle("font-weight:700") {
            wrap(
                MarkupElement(name: "b", children: [.element(without(plain, element, "font-weight"))]), "**", .bold,
                style)
        } else if element.hasStyle("font-style:italic") {
            wrap(
                MarkupElement(name: "i", children: [.element(without(plain, element, "font-style"))]), "*", .italic,
                style)
        } else if element.hasStyle("line-through") {
            wrap(plain, "~~", .struck, style)
        } else {
            for child in element.children { add(child, style) }
        }
    }

    /// The element without one of the properties of its style.
    private func without(_ plain: MarkupElement, _ element: MarkupElement, _ property: String) -> MarkupElement {
        var plain = plain
        let rest = element.attribute("style").split(separator: ";").filter { !$0.lowercased().contains(property) }
        plain.attributes["style"] = rest.joined(separator: ";")
        return plain
    }

    private mutating func addCheck(_ isDone: Bool) {
        if result.isEmpty || result.hasSuffix("\n") { result += isDone ? "[x] " : "[ ] " }
    }

    /// White space stays outside of the marks, where they would mean nothing.
    private mutating func wrap(_ element: MarkupElement, _ mark: String, _ new: Style, _ style: Style) {
        guard !style.contains(new) else { return element.children.forEach { add($0, style) } }
        var inner = InlineComposer(attach)
        inner.result = result.last == " " ? " " : ""
        let start = inner.result.count
        for child in element.children { inner.add(child, style.union(new)) }
        let text = String(inner.result.dropFirst(start))
        let core = FormatText.trimmed(text)
        guard !core.isEmpty, !core.contains("\n") else {
            result += text
            return
        }
        result += text.prefix { $0.isWhitespace }
        if lastMark == mark, result.hasSuffix(mark) {
            result.removeLast(mark.count)
            result += core + mark
        } else {
            result += mark + core + mark
        }
        lastMark = mark
        let tail = text.reversed().prefix { $0.isWhitespace }
        if !tail.isEmpty {
            result += String(tail.reversed())
            lastMark = ""
        }
    }

    private mutating func addCode(_ text: String) {
        let text = Self.collapsed(text)
        guard !text.allSatisfy(\.isWhitespace) else { return }
        let run = text.split { $0 != "`" }.map(\.count).max() ?? 0
        let fence = String(repeating: "`", count: run + 1)
        let pad = text.hasPrefix("`") || text.hasSuffix("`") ? " " : ""
        result += fence + pad + text + pad + fence
        lastMark = ""
    }

    private mutating func addLink(_ element: MarkupElement, _ style: Style) {
        let address = FormatText.trimmed(element.attribute("href"))
        guard Self.isLinkable(address), !style.contains(.link) else {
            return element.children.forEach { add($0, style) }
        }
        // A file that is beside the note comes along; the link stays.
        _ = attach(.address(address))
        var inner = InlineComposer(attach)
        for child in element.children { inner.add(child, style.union(.link)) }
        let text = FormatText.trimmed(inner.result).split(separator: "\n").joined(separator: " ")
        if result.hasSuffix("!") { result.insert("\\", at: result.index(before: result.endIndex)) }
        if ["mailto:", "http://"].contains(where: { $0 + element.text == address }) {
            // What programs make a link by themselves.
            result += MarkdownEscapes.inline(element.text, isLabel: style.contains(.link))
        } else if element.text == address, address.contains("://"), !address.contains(where: { " <>".contains($0) }) {
            result += "<\(address)>"
        } else {
            let label = text.isEmpty ? MarkdownEscapes.inline(address, isLabel: true) : text
            result += "[\(label)](\(MarkdownEscapes.destination(address)))"
        }
        lastMark = ""
    }

    /// What runs a program when it is opened is no link.
    private static func isLinkable(_ address: String) -> Bool {
        guard !address.isEmpty else { return false }
        let scheme = address.prefix { $0 != ":" && $0 != "/" && $0 != "?" && $0 != "#" }
        guard scheme.endIndex < address.endIndex, address[scheme.endIndex] == ":" else { return true }
        return !["javascript", "vbscript", "data", "file"].contains(scheme.lowercased().filter { !$0.isWhitespace })
    }

    /// A picture that is elsewhere stays a picture that is elsewhere.
    private mutating func addImage(_ element: MarkupElement) {
        let address = FormatText.trimmed(element.attribute("src"))
        guard Self.isLinkable(address) else { return }
        let label = MarkdownEscapes.inline(Self.collapsed(element.attribute("alt")), isLabel: true)
        result += "![\(label)](\(MarkdownEscapes.destination(address)))"
        lastMark = ""
    }

    /// White space as a browser shows it; spaces that do not break are kept.
    private static func collapsed(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            let isBlank = scalar == " " || scalar == "\n" || scalar == "\t" || scalar == "\r" || scalar == "\u{C}"
            if !isBlank {
                result.unicodeScalars.append(scalar)
            } else if result.unicodeScalars.last != " " {
                result += " "
            }
        }
        return result
    }
}
