import Protection
package import Secrets

/// The operation that a finger shall permit.
package struct BiometryClaim: Equatable, Sendable {
    /// The item that is to be read, changed or used.
    package var item: Identifier
    /// A `ProtectedOperation`.
    package var operation: UInt8
    /// How long to wait for a finger; at most a minute.
    package var patience: Duration

    /// - Parameters:
    ///   - operation: a `ProtectedOperation`.
    ///   - patience: how long to wait for a finger.
    package init(item: Identifier, operation: UInt8, patience: Duration) {
        self.item = item
        self.operation = operation
        self.patience = patience
    }

    /// Writes item, operation and the milliseconds: 21 bytes.
    package func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.identifier(item)
        try buffer.uint8(operation)
        try buffer.uint32(UInt32(clamping: patience.wholeMilliseconds))
    }

    /// - Throws: `DecodingError` where the bytes end early.
    package init(from reader: inout ByteReader) throws(DecodingError) {
        item = try reader.identifier()
        operation = try reader.uint8()
        patience = .milliseconds(try reader.uint32())
    }
}
