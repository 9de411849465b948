import Glibc

/// Standard output and standard error, written without a buffer that would keep a copy.
package enum StandardStream: Int32 {
    case output = 1
    case error = 2

    /// Writes all of `bytes`.
    ///
    /// False when nobody reads any more.
    package func write(_ bytes: RawSpan) throws(LinuxError) -> Bool {
        let borrowed = FileDescriptor(owning: rawValue)
        do {
            let written = try borrowed.writeAll(bytes)
            _ = borrowed.release()
            return written
        } catch {
            _ = borrowed.release()
            throw error
        }
    }

    /// The same, of a text's UTF-8.
    package func write(_ text: String) throws(LinuxError) -> Bool { try write(unsafe Array(text.utf8).span.bytes) }
}

/// Standard input, read without a buffer that would keep a copy.
package enum StandardInput {
    /// All of it; nil when it is longer than `limit` bytes.
    ///
    /// The address space for `limit` bytes is taken at once, so that what is read is never copied; memory is taken as
    /// it is filled.
    package static func readAll(limit: Int) throws(LinuxError) -> [UInt8]? {
        let descriptor = FileDescriptor(owning: STDIN_FILENO)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(limit + 1)
        do {
            while bytes.count <= limit {
                if try descriptor.read(into: &bytes, room: min(1 << 16, limit - bytes.count + 1)) == .closed { break }
            }
            _ = descriptor.release()
            return bytes.count <= limit ? bytes : nil
        } catch {
            _ = descriptor.release()
            throw error
        }
    }
}
