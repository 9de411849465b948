/// SHA-256 of the token that a page's address ends with: all that is kept of it.
package struct PageDigest: Codable, Sendable, Hashable {
    package static let byteCount = 32

    package let bytes: [UInt8]

    /// - Parameter bytes: 32 of them.
    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        bytes = try container.decode([UInt8].self)
        guard bytes.count == Self.byteCount else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a digest has 32 bytes")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(bytes)
    }
}

/// A page, as its owner is told of it; its token is not kept.
package struct PageSummary: Codable, Sendable, Equatable {
    /// Eight hexadecimal digits, which say nothing of the token.
    package var id: String
    package var order: WidgetOrder
    /// Seconds since 1970.
    package var created: Int64

    package init(id: String, order: WidgetOrder, created: Int64) {
        self.id = id
        self.order = order
        self.created = created
    }
}
