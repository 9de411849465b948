package import Secrets

/// One leaf of a note: a paragraph, a heading, a table.
///
/// What surrounds it (quotes, list items) is its path of containers, outermost first, so that a note is one flat list
/// and every block has an identity of its own that survives edits.
package struct Block: Equatable, Sendable {
    /// Stays the same while the block is edited or moved.
    package var id: Identifier
    package var containers: [Container]
    package var content: Content

    package init(id: Identifier = .makeRandom(), containers: [Container] = [], content: Content) {
        self.id = id
        self.containers = containers
        self.content = content
    }

    /// What a leaf holds.
    ///
    /// Inline text is CommonMark source: emphasis, links and code spans stand in it as they are written.
    package enum Content: Equatable, Sendable {
        /// - Parameter level: 1 to 6.
        case heading(level: Int, text: String)
        case paragraph(text: String)
        /// - Parameter info: the language, or nothing.
        case code(info: String, text: String)
        case table(Table)
        case html(String)
        case rule
        /// A picture, a file: by the identity of its attachment; the name is what a reader sees.
        case attachment(id: Identifier, name: String)
        /// A list item or quote without content.
        case empty
    }

    /// What a leaf stands in.
    package enum Container: Equatable, Sendable {
        /// Leaves with the same quote share its identity.
        case quote(id: Identifier)
        case item(Item)
    }

    /// An item of a list; leaves of one item share its identity, items of one list that of the list.
    package struct Item: Equatable, Sendable {
        package var id: Identifier
        package var list: Identifier
        /// The number of an ordered list's item, nil for a bullet.
        package var number: Int?
        /// Whether it is done, nil where it is no checklist.
        package var isChecked: Bool?
        /// Whether no blank line parts it from its neighbours.
        package var isTight: Bool

        package init(id: Identifier, list: Identifier, number: Int? = nil, isChecked: Bool? = nil, isTight: Bool = true)
        {
            self.id = id
            self.list = list
            self.number = number
            self.isChecked = isChecked
            self.isTight = isTight
        }
    }
}

/// A table: its first row is its head; every row has as many cells as there are alignments.
package struct Table: Equatable, Sendable {
    package enum Alignment: UInt8, Sendable { case none, left, center, right }
    package var alignments: [Alignment]
    /// Inline CommonMark source; a `|` in a cell stands without a backslash.
    package var rows: [[String]]

    package init(alignments: [Alignment], rows: [[String]]) {
        self.alignments = alignments
        self.rows = rows
    }
}
