package import Secrets

/// A piece of a note: some of its lines, byte for byte as they were typed.
///
/// A note is a list of these, and its text is their sources one after the other: marks, blank lines and line ends
/// included. What the lines mean is found by reading them; the identity is what a merge needs.
package struct SourceBlock: Equatable, Sendable {
    /// Stays the same while the block is edited or moved.
    package var id: Identifier
    /// UTF-8, never empty.
    ///
    /// Bytes, because strings are equal in Swift whose bytes are not.
    package var source: [UInt8]

    package init(id: Identifier = .makeRandom(), source: [UInt8]) {
        self.id = id
        self.source = source
    }
}

extension [SourceBlock] {
    /// The text, as it was typed.
    package var text: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(byteCount)
        for block in self { text += block.source }
        return text
    }

    package var byteCount: Int { reduce(0) { $0 + $1.source.count } }
}
