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
