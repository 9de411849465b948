import Secrets

extension Block.Content: Hashable {
    package func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(text)
    }
}

extension Block.Content {
    /// What sort of content it is, whatever it says.
    enum Kind: Int { case heading, paragraph, code, table, html, rule, attachment, empty }

    var kind: Kind {
        switch self {
        case .heading: .heading
        case .paragraph: .paragraph
        case .code: .code
        case .table: .table
        case .html: .html
        case .rule: .rule
        case .attachment: .attachment
        case .empty: .empty
        }
    }

    /// What it says, for comparison.
    var text: String {
        switch self {
        case .heading(let level, let text): "\(level) \(text)"
        case .paragraph(let text), .html(let text): text
        case .code(let info, let text): info + "\n" + text
        case .table(let table): table.text
        case .attachment(let id, let name): "\(id) \(name)"
        case .rule, .empty: ""
        }
    }
}

extension Table {
    fileprivate var text: String {
        let head = alignments.map { String($0.rawValue) }.joined(separator: "\t")
        return head + "\n" + rows.map { $0.joined(separator: "\t") }.joined(separator: "\n")
    }
}

extension Block.Container {
    /// Of the quote or item itself, not of the item's list.
    var id: Identifier {
        switch self {
        case .quote(let id): id
        case .item(let item): item.id
        }
    }
}

/// A text in pieces that join to it again: words, stretches of white space, single marks.
enum Words {
    static func pieces(of text: String) -> [Substring] {
        var pieces: [Substring] = []
        var start = text.startIndex
        var kind: Kind?
        for index in text.indices {
            let next = Kind(text[index])
            if index > start, next != kind || next == .mark {
                pieces.append(text[start..<index])
                start = index
            }
            kind = next
        }
        if start < text.endIndex { pieces.append(text[start...]) }
        return pieces
    }

    private enum Kind {
        case word, space, mark

        init(_ character: Character) {
            self = character.isLetter || character.isNumber ? .word : character.isWhitespace ? .space : .mark
        }
    }
}
