import Codecs
import Envelopes
import FoundationEssentials
import MarkdownFolder
import NotesClient

/// Writes notes as one file for Evernote, after its evernote-export4.dtd and enml2.dtd.
struct EnexWriter {
    private static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd">
        <en-export application="Tresor" version="1">

        """
    private static let contentHead = """
        <?xml version="1.0" encoding="UTF-8" standalone="no"?>
        <!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd"><en-note>
        """

    static func begin(_ file: OutgoingFile) throws { try file.append(head) }
    static func end(_ file: OutgoingFile) throws { try file.append("</en-export>\n") }

    /// Files are read twice: their names in the text are their hashes.
    static func write(
        _ note: NoteSummary, _ markdown: String, _ attachments: [AttachmentSummary], to file: OutgoingFile,
        load: AttachmentLoad
    ) throws {
        var hashes: [String: String] = [:]
        for attachment in attachments {
            var name = InsecureContentName()
            try load(attachment) { name.update($0) }
            hashes[attachment.id] = name.finish().map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
        }
        let content = content(note, markdown, attachments, hashes)
        var names: Set<String> = []
        let files = attachments.filter { names.insert(hashes[$0.id] ?? "").inserted }
        var facts = OwnFacts(note, typed: markdown, title: title(note), content: content, files: files)
        // Two of the same bytes are one here: the text cannot name both.
        if files.count < attachments.count { facts.typed = nil }
        let literal = content.split(separator: "]]>", omittingEmptySubsequences: false)
            .joined(separator: "]]]]><![CDATA[>")
        try file.append(lead(note, facts) + "<content><![CDATA[" + literal + "]]></content>\n")
        for attachment in files { try write(attachment, to: file, load: load) }
        try file.append("</note>\n")
    }

    private static func title(_ note: NoteSummary) -> String {
        note.title.isEmpty ? "Untitled" : MarkupText.allowed(note.title.filter { !$0.isNewline })
    }

    private static func lead(_ note: NoteSummary, _ facts: OwnFacts) -> String {
        var text = "<note><title>\(MarkupText.escaped(title(note)))</title>"
        text += "<created>\(time(note.created))</created><updated>\(time(note.modified))</updated>"
        text += note.tags.map { "<tag>\(MarkupText.escaped($0))</tag>" }.joined()
        text += "<note-attributes><application-data key=\"tresor\">\(MarkupText.escaped(facts.text))"
        return text + "</application-data></note-attributes>\n"
    }

    private static func content(
        _ note: NoteSummary, _ markdown: String, _ attachments: [AttachmentSummary], _ hashes: [String: String]
    ) -> String {
        let body = TitledText.body(of: markdown, note.title)
        var html = MarkupFromMarkdown.html(of: body)
        var shown: Set<String> = []
        html = MarkupPictures.replace(html) { address, _ in
            guard address.hasPrefix("attachment:"),
                let attachment = attachments.first(where: { $0.id == address.dropFirst("attachment:".count) })
            else { return nil }
            shown.insert(attachment.id)
            return media(attachment, hashes)
        }
        for attachment in attachments where !shown.contains(attachment.id) {
            html += "<div>\(media(attachment, hashes))</div>\n"
        }
        return contentHead + ENML.conforming(MarkupText.allowed(html)) + "</en-note>"
    }

    private static func media(_ attachment: AttachmentSummary, _ hashes: [String: String]) -> String {
        "<en-media hash=\"\(hashes[attachment.id] ?? "")\" type=\"\(type(attachment))\"/>"
    }

    private static func type(_ attachment: AttachmentSummary) -> String {
        let type = MediaEnding.checked(attachment.mediaType)
        return type.isEmpty ? "application/octet-stream" : type
    }

    private static func write(_ attachment: AttachmentSummary, to file: OutgoingFile, load: AttachmentLoad) throws {
        try file.append("<resource><data encoding=\"base64\">\n")
        var waiting: [UInt8] = []
        try load(attachment) { part in
            waiting += part
            // Three bytes make four letters.
            let whole = waiting.count / 3 * 3
            try file.append(Data(waiting.prefix(whole)).base64EncodedString() + "\n")
            waiting.removeFirst(whole)
        }
        try file.append(Data(waiting).base64EncodedString() + "</data><mime>\(type(attachment))</mime>")
        let name = MarkupText.escaped(attachment.name)
        try file.append("<resource-attributes><file-name>\(name)</file-name></resource-attributes></resource>\n")
    }

    /// To the second: ENEX has no finer time.
    private static func time(_ microseconds: Int64) -> String {
        guard ISODate.isWritable(microseconds) else { return "19700101T000000Z" }
        let text = ISODate.format(microseconds).prefix(19)
        return text.filter { $0 != "-" && $0 != ":" } + "Z"
    }
}

/// What of HTML Evernote takes.
enum ENML {
    /// Its document type knows neither classes nor form fields, and wants every picture to be a file.
    static func conforming(_ html: String) -> String {
        var text = MarkupTags.rewrite(html) { tag in
            switch tag.name {
            case "input":
                let isDone = tag.attributes["checked"] != nil
                return "<en-todo checked=\"\(isDone)\"/>"
            case "img":
                let address = tag.attributes["src"] ?? ""
                let label = tag.attributes["alt"] ?? address
                let text = MarkupText.escaped(label.isEmpty ? address : label)
                return "<a href=\"\(MarkupText.escaped(address))\">\(text)</a>"
            case "code":
                let language = tag.attributes["class"].map { " title=\"\(MarkupText.escaped($0))\"" } ?? ""
                return "<code\(language)>"
            case "pre", "table", "ul", "ol", "li": return "<\(tag.name)\(tag.kept(["start"]))>"
            case "th", "td": return "<\(tag.name)\(tag.kept(["align"]))>"
            default: return nil
            }
        }
        text = text.replacing("<hr />", with: "<hr/>").replacing("<br />", with: "<br/>")
        return text
    }
}
