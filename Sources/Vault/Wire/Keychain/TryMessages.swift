import Protection
package import Secrets

/// Which count of wrong passwords is meant: the caller's of this name.
package struct TryName: Equatable, Sendable {
    /// The longest name, in bytes.
    package static let longest = 64

    /// 1 to 64 bytes of UTF-8.
    package let text: String

    /// The diary's password and recovery key.
    package static let diary = TryName(known: "diary")

    private init(known: String) { text = known }

    /// - Returns: nil for an empty name, or one that is too long.
    package init?(_ text: String) {
        guard (1...Self.longest).contains(text.utf8.count) else { return nil }
        self.text = text
    }

    init(from reader: inout ByteReader) throws(DecodingError) {
        guard let name = TryName(try reader.stringField(limit: Self.longest)) else { throw .invalid }
        self = name
    }

    func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) { try buffer.field(Array(text.utf8)) }
}

/// How many wrong ones there were in a row, and how long to wait.
package struct TryReport: Equatable, Sendable {
    /// The one that was just counted is among them.
    package var failures: UInt32
    /// Until the next may be tried; where a try was to be counted, more than 0 says that it was not.
    package var wait: Duration

    /// - Parameter wait: until the next may be tried.
    package init(failures: UInt32, wait: Duration) {
        self.failures = failures
        self.wait = wait
    }

    /// - Throws: `DecodingError` where the bytes end early.
    package init(from reader: inout ByteReader) throws(DecodingError) {
        failures = try reader.uint32()
        wait = .milliseconds(try reader.uint64())
    }

    /// Writes the count and the milliseconds, 12 bytes.
    package func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.uint32(failures)
        try buffer.uint64(wait.wholeMilliseconds)
    }
}
