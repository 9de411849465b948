import MarkdownFolder
import NotesClient

/// A note as an HTML page that runs nothing and loads nothing from elsewhere.
enum PageText {
    static func page(
        _ note: NoteSummary, _ markdown: String, _ attachments: [AttachmentSummary], _ links: [String],
        _ isFolderNamed: Bool
    ) -> String {
        let targets = Dictionary(zip(attachments, links).map { ($0.id, (attachment: $0, link: $1)) }) { first, _ in
            first
        }
        var shown: [String] = []
        let show = { (id: String, label: String) -> String? in
            guard let target = targets[id] else { return nil }
            if !shown.contains(id) { shown.append(id) }
            return element(target.attachment, target.link, label)
        }
        let body = MarkupPictures.replace(MarkupFromMarkdown.html(of: TitledText.body(of: markdown, note.title))) {
            $0.hasPrefix("attachment:") ? show(String($0.dropFirst("attachment:".count)), $1) : nil
        }
        let rest = zip(attachments, links).filter { !shown.contains($0.0.id) }
        let content = body + rest.map { "<p>\(element($0, $1, $0.name))</p>\n" }.joined()
        let files = shown.compactMap { targets[$0]?.attachment } + rest.map(\.0)
        let facts = OwnFacts(note, typed: markdown, title: note.title, content: content, files: files)
        return head(note, facts) + content + end
    }

    private static let end = "</body>\n</html>\n"

    /// What stands between the tags of a page's body; nil where those are not written as ours are.
    static func content(of page: String) -> String? {
        guard let start = page.firstRange(of: "<body>"), let end = page.ranges(of: "</body>").last,
            start.upperBound <= end.lowerBound
        else { return nil }
        return String(page[start.upperBound..<end.lowerBound])
    }

    private static func head(_ note: NoteSummary, _ facts: OwnFacts) -> String {
        let facts = MarkupText.escaped(facts.text)
        let tags = MarkupText.escaped(note.tags.map { $0.replacing(",", with: " ") }.joined(separator: ", "))
        return """
            <!DOCTYPE html>
            <html>
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' file:">
            <meta name="keywords" content="\(tags)">
            <meta name="tresor" content="\(facts)">
            <title>\(MarkupText.escaped(note.title))</title>
            </head>
            <body>

            """
    }

    private static func element(_ attachment: AttachmentSummary, _ link: String, _ label: String) -> String {
        let (address, text) = (MarkupText.escaped(link), MarkupText.escaped(label))
        switch attachment.kind {
        case .image, .sketch: return "<img src=\"\(address)\" alt=\"\(text)\">"
        default: return "<a href=\"\(address)\" data-attachment=\"\">\(text)</a>"
        }
    }
}
