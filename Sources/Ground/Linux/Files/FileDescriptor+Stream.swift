import Glibc

extension FileDescriptor {
    /// One read(2) of a stream, behind the bytes already in `bytes`, of at most `room` bytes.
    package borrowing func read(into bytes: inout [UInt8], room: Int) throws(LinuxError) -> Transfer {
        var got = 0
        var code: Int32 = 0
        let chunk = unsafe [UInt8](unsafeUninitializedCapacity: room) { target, count in
            repeat {
                got = unsafe Glibc.read(raw, target.baseAddress, target.count)
                code = errno
            } while got < 0 && code == EINTR
            count = max(got, 0)
        }
        if got < 0 && code == EAGAIN { return .wouldBlock }
        if got == 0 || (got < 0 && code == ECONNRESET) { return .closed }
        guard got > 0 else { throw LinuxError(call: "read", code: code) }
        bytes += chunk
        return .moved(got)
    }
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
