// The one file of this target that touches raw pointers: zlib takes nothing else.
import CZlib

/// Unpacks gzip (RFC 1952) with zlib, within limits.
enum Gunzip {
    /// No note is larger.
    static let longestOutput = 256 * 1024 * 1024
    /// Prose shrinks to a third, a table's bookkeeping to a twentieth; what grows much more is a bomb.
    static let steepestRatio = 100
    /// Small outputs may grow as they like.
    static let harmlessOutput = 4 * 1024 * 1024

    /// Unpacks the first member of `input`.
    static func unpack(_ input: [UInt8]) throws(BodyError) -> [UInt8] {
        guard input.count > 18, input[0] == 0x1F, input[1] == 0x8B, input.count < longestOutput else {
            throw .notGzip
        }
        let limit = min(longestOutput, max(harmlessOutput, input.count * steepestRatio))
        var stream = unsafe z_stream()
        guard unsafe czlib_inflate_init_gzip(&stream) == Z_OK else { throw .tooLarge }
        defer { unsafe inflateEnd(&stream) }
        // zlib asks for a mutable pointer and does not write through it; a copy keeps Swift's promise all the same.
        var input = input
        return try unsafe input.withUnsafeMutableBufferPointer { (source) throws(BodyError) -> [UInt8] in
            unsafe stream.next_in = source.baseAddress
            unsafe stream.avail_in = UInt32(source.count)
            return try unsafe inflateAll(&stream, limit: limit)
        }
    }

    private static func inflateAll(_ stream: inout z_stream, limit: Int) throws(BodyError) -> [UInt8] {
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let (status, count) = unsafe chunk.withUnsafeMutableBufferPointer { buffer in
                unsafe stream.next_out = buffer.baseAddress
                unsafe stream.avail_out = UInt32(buffer.count)
                let status = unsafe inflate(&stream, Z_NO_FLUSH)
                return unsafe (status, buffer.count - Int(stream.avail_out))
            }
            guard output.count + count <= limit else { throw .tooLarge }
            output += chunk[..<count]
            if status == Z_STREAM_END { return output }
            guard status == Z_OK, count > 0 else { throw .notGzip }
        }
    }
}
