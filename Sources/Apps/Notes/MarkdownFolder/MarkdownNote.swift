/// One note of a folder of Markdown files.
package struct MarkdownNote: Sendable, Equatable {
    /// `markdown:<path in the folder>`: the same at every import.
    package var source: String
    package var title: String
    /// Attachment number i stands in a paragraph of its own as `![name](attachment:i)`, or nowhere.
    package var markdown = ""
    /// A path such as `Work/Plans`; empty for none.
    package var folder = ""
    package var tags: [String] = []
    /// Microseconds since 1970, UTC.
    package var created: Int64?
    /// Microseconds since 1970, UTC.
    package var modified: Int64?
    package var isPinned = false
    /// Of the note that was exported to this file; nil for a file of somebody else.
    package var id: String?
    /// Whether it was locked when it was exported.
    package var isLocked = false
    package var attachments: [MarkdownAttachment] = []
    /// Lines of its front matter that mean nothing here, as they were.
    package var frontMatter = ""
    /// What could not be carried over, one sentence each.
    package var problems: [String] = []
}

/// A file that a note names.
package struct MarkdownAttachment: Sendable, Equatable {
    package var name: String
    /// Where the file is.
    package var path: String
}

/// Something in a folder, or a file of notes, that was not read.
package struct MarkdownProblem: Sendable, Equatable {
    /// Its path in the folder, or its name in the file.
    package let path: String
    package let text: String
    /// Whether notes may be missing for it; otherwise it is left out on purpose, as links are.
    package let isLoss: Bool

    package init(path: String, text: String, isLoss: Bool) {
        self.path = path
        self.text = text
        self.isLoss = isLoss
    }
}
