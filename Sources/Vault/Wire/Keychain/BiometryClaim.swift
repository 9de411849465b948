package import Secrets

/// The operation that a finger shall permit.
package struct BiometryClaim: Equatable, Sendable {
    /// The item that is to be read, changed or used.
    package var item: Identifier
    /// A `ProtectedOperation`.
    package var operation: UInt8
    /// How long to wait for a finger, in milliseconds; at most a minute.
    package var milliseconds: UInt32

    /// - Parameters:
    ///   - operation: a `ProtectedOperation`.
    ///   - milliseconds: how long to wait for a finger.
    package init(item: Identifier, operation: UInt8, milliseconds: UInt32) {
        self.item = item
        self.operation = operation
        self.milliseconds = milliseconds
    }

    /// Writes item, operation and milliseconds: 21 bytes.
    package func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.identifier(item)
        try buffer.uint8(operation)
        try buffer.uint32(milliseconds)
    }

    /// - Throws: `DecodingError` where the bytes end early.
    package init(from reader: inout ByteReader) throws(DecodingError) {
        item = try reader.identifier()
        operation = try reader.uint8()
        milliseconds = try reader.uint32()
    }
}
