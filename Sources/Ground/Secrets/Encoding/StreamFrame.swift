/// Frames on a stream socket: a 32-bit big-endian length and that many bytes.
///
/// How long a frame may be, each socket says for itself. See specs/wire.md and specs/enclave-protocol.md.
package enum StreamFrame {
    /// The length before a frame's payload, in bytes.
    package static let headerByteCount = 4

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

extension SecretBuffer {
    /// How long the first frame in here is with its header, once all of it has come.
    package borrowing func wholeFrame(limit: Int) throws(StreamFrame.Violation) -> Int? {
        try withBytes { (bytes) throws(StreamFrame.Violation) -> Int? in
            guard let end = try StreamFrame.byteCount(of: bytes, limit: limit), bytes.byteCount >= end else {
                return nil
            }
            return end
        }
    }

    /// How many bytes to read next: those that the first frame lacks, and no fewer than `least`.
    package borrowing func missing(limit: Int, least: Int) throws(StreamFrame.Violation) -> Int {
        try withBytes { (bytes) throws(StreamFrame.Violation) -> Int in
            let end = try StreamFrame.byteCount(of: bytes, limit: limit) ?? 0
            return max(least, end - bytes.byteCount)
        }
    }
}
