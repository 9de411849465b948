package import Secrets

/// Markdown, and what it says.
///
/// A note is kept as it was typed (``split(_:)``). What is read here serves lists, titles and the search, and the merge
/// of edits. Writing serves notes that an older version stored as what it had read.
///
/// Reading takes CommonMark with tables, strikethrough, bare links and check items (`[ ]` or `[x]` at the start of an
/// item). Writing gives one canonical form, which reads back as the same blocks. What is normalised on the way:
/// - reference links become inline links, for which the library rewrites their paragraph; definitions vanish, and so
///   does the title of a picture that became an attachment;
/// - underlined headings become `#` headings unless they span lines, indented code becomes fenced code;
/// - indentation of lines within a paragraph is left out, in code spans too;
/// - markers of lists, rules, fences and the columns of tables are written in one way;
/// - line ends are LF; a code block of one blank line is empty; HTML begins in its first column;
/// - what is nested deeper than ``maxDepth`` stays, but at that depth.
package enum Markdown {
    /// Containers in containers; a list in a list in a quote has depth 3.
    package static let maxDepth = 32

    /// Reads a document; every block, item, list and quote gets a fresh random identity.
    ///
    /// Every text is a document, so nothing is refused; a null character becomes U+FFFD. The time is linear in the
    /// length of the text, whatever it holds.
    package static func blocks(from source: String) -> [Block] {
        outline(source).blocks
    }

    /// Writes blocks as canonical CommonMark, with attachments as `![name](attachment:<identifier>)`.
    package static func render(_ blocks: [Block]) -> String {
        render(blocks) { attachmentScheme + $0.description }
    }

    /// Writes blocks as canonical CommonMark.
    ///
    /// A heading, paragraph or empty block without text is left out where nothing in the format can stand for it, and
    /// text that would read as another block is protected by an indent or a backslash.
    package static func render(_ blocks: [Block], attachmentURL: @escaping (Identifier) -> String) -> String {
        var writer = MarkdownWriter(attachmentURL: attachmentURL)
        writer.write(MarkdownTree.nodes(of: blocks))
        return writer.text
    }

    /// What an attachment's link starts with; the identifier's 32 digits follow.
    static let attachmentScheme = "attachment:"
}
