/// Rewrites tags of HTML that we made ourselves.
enum MarkupTags {
    struct Tag {
        let name: String
        let attributes: [String: String]

        /// Some of its attributes, as they are written.
        func kept(_ names: [String]) -> String {
            names.compactMap { name in attributes[name].map { " \(name)=\"\(MarkupText.escaped($0))\"" } }.joined()
        }
    }

    /// - Parameter body: gives what stands in the place of a start tag; nil leaves it.
    static func rewrite(_ html: String, _ body: (Tag) -> String?) -> String {
        let bytes = Array(html.utf8)
        var scanner = MarkupScanner(bytes, isStrict: false)
        var result: [UInt8] = []
        var start = 0
        while let token = try? scanner.next() {
            defer { start = scanner.position }
            if case .start(let name, let attributes, _) = token,
                let text = body(Tag(name: name, attributes: attributes))
            {
                result += Array(text.utf8)
            } else {
                result += bytes[start..<scanner.position]
            }
        }
        return String(decoding: result + bytes[start...], as: UTF8.self)
    }
}

/// Pictures in HTML that we made ourselves.
enum MarkupPictures {
    /// - Parameter body: of a picture's address and label; nil leaves it.
    static func replace(_ html: String, _ body: (_ address: String, _ label: String) -> String?) -> String {
        MarkupTags.rewrite(html) { tag in
            guard tag.name == "img" else { return nil }
            return body(tag.attributes["src"] ?? "", tag.attributes["alt"] ?? "")
        }
    }
}
