import FoundationEssentials

/// The text of a "super" note: the editor Lexical's tree, as HTML would have it.
enum LexicalText {
    /// - Returns: the tree, and the kinds of those parts that have no text, as a file has none; nil for what is no
    ///   such tree.
    static func read(_ text: String) -> (root: MarkupElement, left: [String])? {
        let bytes = Array(text.utf8)
        guard (try? JSONDepth.check(bytes)) != nil,
            let file = try? JSONDecoder().decode(File.self, from: Data(bytes))
        else { return nil }
        var left: [String] = []
        file.root.collectTextless(&left)
        return (root: MarkupElement(name: "", children: file.root.nodes), left: left)
    }

    private struct File: Decodable { let root: Node }

    private final class Node: Decodable {
        private let type: String
        private let children: [Node]?
        private let text: String?
        private let tag: String?
        private let listType: String?
        private let url: String?
        private let checked: Bool?
        private let format: Int

        private enum CodingKeys: String, CodingKey {
            case type, children, text, tag, listType, url, src, checked, format
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            type = try container.decode(String.self, forKey: .type)
            children = try? container.decode([Node].self, forKey: .children)
            text = try? container.decode(String.self, forKey: .text)
            tag = try? container.decode(String.self, forKey: .tag)
            listType = try? container.decode(String.self, forKey: .listType)
            let address = try? container.decode(String.self, forKey: .url)
            url = address ?? (try? container.decode(String.self, forKey: .src))
            checked = try? container.decode(Bool.self, forKey: .checked)
            format = (try? container.decode(Int.self, forKey: .format)) ?? 0
        }

        /// Kinds that nobody knows here, and that have neither a text, nor parts, nor an address.
        func collectTextless(_ kinds: inout [String]) {
            if !Self.known.contains(type), text == nil, url == nil, children == nil {
                let name = String(type.filter { $0.isLetter || $0.isNumber || $0 == "-" }.prefix(40))
                if !kinds.contains(name) { kinds.append(name) }
            }
            for child in children ?? [] { child.collectTextless(&kinds) }
        }

        private static let known: Set<String> = ["root", "paragraph", "linebreak", "horizontalrule", "listitem", "tab"]

        var nodes: [MarkupNode] { (children ?? []).flatMap(\.markup) }

        private func element(_ name: String, _ attributes: [String: String] = [:]) -> [MarkupNode] {
            [.element(MarkupElement(name: name, attributes: attributes, children: nodes))]
        }

        private var markup: [MarkupNode] {
            switch type {
            case "paragraph": return element("p")
            case "heading": return element(["h1", "h2", "h3", "h4", "h5", "h6"].contains(tag) ? tag ?? "h1" : "h1")
            case "list": return element(listType == "number" ? "ol" : "ul")
            case "listitem":
                guard let checked else { return element("li") }
                let box = MarkupElement(name: "en-todo", attributes: ["checked": String(checked)])
                return [.element(MarkupElement(name: "li", children: [.element(box)] + nodes))]
            case "quote": return element("blockquote")
            case "code": return element("pre")
            case "link", "autolink": return element("a", ["href": url ?? ""])
            case "linebreak": return [.element(MarkupElement(name: "br"))]
            case "horizontalrule": return [.element(MarkupElement(name: "hr"))]
            case "table": return element("table")
            case "tablerow": return element("tr")
            case "tablecell": return element("td")
            case "text", "code-highlight", "hashtag": return styled
            case "tab": return [.text("\t")]
            default:
                if let text, children == nil { return [.text(text)] }
                return children == nil && url != nil ? [.element(linked)] : nodes
            }
        }

        /// What shows something that is elsewhere.
        private var linked: MarkupElement {
            MarkupElement(name: "a", attributes: ["href": url ?? ""], children: [.text(url ?? "")])
        }

        /// Bits of the format: 1 bold, 2 italic, 4 struck, 16 code.
        private var styled: [MarkupNode] {
            var node = MarkupNode.text(text ?? "")
            for (bit, name) in [(16, "code"), (4, "s"), (2, "i"), (1, "b")] where format & bit != 0 {
                node = .element(MarkupElement(name: name, children: [node]))
            }
            return [node]
        }
    }
}
