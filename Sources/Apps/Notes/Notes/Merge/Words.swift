/// A text in pieces that join to it again: words, stretches of white space, single marks.
enum Words {
    static func pieces(of source: [UInt8]) -> [[UInt8]] {
        let text = String(decoding: source, as: UTF8.self)
        var pieces: [[UInt8]] = []
        var piece: [UInt8] = []
        var kind: Kind?
        for character in text {
            let next = Kind(character)
            if !piece.isEmpty, next != kind || next == .mark {
                pieces.append(piece)
                piece = []
            }
            piece += character.utf8
            kind = next
        }
        if !piece.isEmpty { pieces.append(piece) }
        return pieces
    }

    private enum Kind {
        case word, space, mark

        init(_ character: Character) {
            self = character.isLetter || character.isNumber ? .word : character.isWhitespace ? .space : .mark
        }
    }
}
