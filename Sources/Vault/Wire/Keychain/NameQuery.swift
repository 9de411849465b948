package import Secrets

/// Items of which a name begins so; see specs/wire.md, "What a name begins with".
package struct NameQuery: Equatable, Sendable {
    /// Of how many bytes of a name its beginning may be.
    package static let limit = 64

    /// Folded, at most ``limit`` bytes.
    package let beginning: String
    /// Where the page before ended; 0 begins.
    package var cursor: UInt64

    /// - Parameters:
    ///   - beginning: as somebody typed it; of a long one, the first bytes.
    ///   - cursor: `next` of the page before.
    package init(beginning: String, cursor: UInt64 = 0) {
        self.beginning = Self.folded(beginning)
        self.cursor = cursor
    }

    /// A name, or a beginning, as they are compared: in lower case, and without what shells put around words.
    package static func folded(_ text: String) -> String {
        var folded = text.lowercased()
        folded.removeAll { "\\'\"".contains($0) }
        guard folded.utf8.count > limit else { return folded }
        var end = folded.utf8.index(folded.startIndex, offsetBy: limit)
        while end.samePosition(in: folded.unicodeScalars) == nil { folded.utf8.formIndex(before: &end) }
        return String(folded[..<end])
    }

    /// The attributes that items are known by.
    package static let names: [AttributeCode] = [.service, .server, .label, .account, .applicationTag].sorted()

    /// Writes the beginning, and the row behind which it goes on.
    package func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.field(Array(beginning.utf8))
        try buffer.uint64(cursor)
    }

    /// - Throws: `DecodingError` for a beginning that is too long or no UTF-8.
    package init(from reader: inout ByteReader) throws(DecodingError) {
        beginning = try reader.stringField(limit: Self.limit)
        cursor = try reader.uint64()
    }
}
