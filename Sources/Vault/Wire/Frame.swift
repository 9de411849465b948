package import Secrets

/// Frames on a stream socket: a 32-bit big-endian length and that many bytes.
///
/// See specs/wire.md.
package enum Frame {
    /// The length before a frame's payload, in bytes.
    package static let headerByteCount = 4
    /// On the keychain socket.
    package static let keychainLimit = 1 << 20
    /// Between tresord and its enclave.
    package static let enclaveLimit = 64 * 1024

    /// Why a stream can't go on.
    package enum Violation: Error, Equatable, Sendable {
        case tooLong
        case empty
    }

    /// How long the first frame in `bytes` is with its header; nil while that header is incomplete.
    package static func byteCount(of bytes: RawSpan, limit: Int) throws(Violation) -> Int? {
        guard bytes.byteCount >= headerByteCount else { return nil }
        var reader = ByteReader(bytes)
        guard let length = try? reader.uint32() else { return nil }
        guard length > 0 else { throw .empty }
        guard Int(length) <= limit else { throw .tooLong }
        return headerByteCount + Int(length)
    }

    /// Begins a frame at the end of `buffer`; `end` fills in its length.
    package static func begin(in buffer: inout SecretBuffer) throws(SecretMemoryError) -> Int {
        let start = buffer.count
        try buffer.uint32(0)
        return start
    }

    /// Fills in the length of the frame that ``begin(in:)`` began at `start`, with all that was appended since.
    package static func end(_ start: Int, in buffer: inout SecretBuffer) {
        buffer.overwrite(at: start, with: UInt32(buffer.count - start - headerByteCount))
    }
}
