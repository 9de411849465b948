package import Secrets

/// Which message may follow which: a value without I/O.
///
/// ```swift
/// var order = PrintOrder()
/// try order.take(.cover(cover))
/// ```
package struct PrintOrder: Sendable {
    private enum Stage { case start, cover, book, month, entry, contents, over }

    private var stage = Stage.start
    private var entryCount: UInt32 = 0

    package init() {}

    /// Whether nothing may follow.
    package var isOver: Bool { stage == .over }

    /// - Throws: `invalid` for a message that may not stand here; `trailing` behind the last.
    package mutating func take(_ message: PrintMessage) throws(DecodingError) {
        guard stage != .over else { throw .trailing }
        switch (message, stage) {
        case (.cover, .start): stage = .cover
        case (.map, .cover): stage = .book
        case (.month, .cover), (.month, .book), (.month, .entry): stage = .month
        case (.entry, .month), (.entry, .entry):
            stage = .entry
            entryCount += 1
        case (.text, .entry), (.rule, .entry), (.picture, .entry), (.note, .entry): break
        case (.contents, .entry): stage = .contents
        case (.end(let count), .cover) where count == entryCount: stage = .over
        case (.end(let count), .book) where count == entryCount: stage = .over
        case (.end(let count), .contents) where count == entryCount: stage = .over
        case (.end(let count), .entry) where count == entryCount: stage = .over
        default: throw .invalid
        }
    }
}

/// A whole book that is in memory.
package enum PrintBook {
    /// - Throws: for everything that is not messages in their order, the last at the end.
    package static func messages(_ bytes: RawSpan) throws(DecodingError) -> [PrintMessage] {
        var order = PrintOrder()
        var messages: [PrintMessage] = []
        var reader = ByteReader(bytes)
        while reader.remaining > 0 || !order.isOver {
            guard !order.isOver else { throw .trailing }
            var ahead = ByteReader(bytes.extracting(droppingFirst: bytes.byteCount - reader.remaining))
            let head = try ahead.take(PrintMessage.headByteCount)
            let count = try PrintMessage.bodyByteCount(head: head)
            let message = try PrintMessage(reader.take(PrintMessage.headByteCount + count))
            try order.take(message)
            messages.append(message)
        }
        return messages
    }
}
