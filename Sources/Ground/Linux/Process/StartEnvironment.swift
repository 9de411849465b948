import Glibc

extension CurrentProcess {
    /// The variables that this process was started with, as /proc/self/environ shows them: each ends with a zero byte.
    ///
    /// That file is root's alone once a process hides from others (PR_SET_DUMPABLE); this reads the same bytes from the
    /// process's own memory, where proc(5), `env_start` and `env_end` of /proc/PID/stat, says that they lie. What the
    /// process overwrote there is gone in both; what it only unset is not.
    ///
    /// - Parameter limit: the most bytes; the kernel permits 6 MiB.
    /// - Throws: `LinuxError`; EFAULT where nothing is mapped there any more.
    package static func startEnvironment(limit: Int = 8 << 20) throws(LinuxError) -> [UInt8] {
        let (start, end) = try startEnvironmentPlace()
        guard end >= start, end - start <= UInt(limit) else {
            throw LinuxError(call: "/proc/self/stat", code: EPROTO)
        }
        var ends: [Int32] = [-1, -1]
        try LinuxError.checkErrno(unsafe ends.withUnsafeMutableBufferPointer { unsafe pipe($0.baseAddress) }, "pipe")
        let reading = FileDescriptor(owning: ends[0])
        let writing = FileDescriptor(owning: ends[1])
        var bytes: [UInt8] = []
        while bytes.count < Int(end - start) {
            let room = min(4096, Int(end - start) - bytes.count)
            // The kernel copies, and answers EFAULT where reading it ourselves would end the process.
            let put = unsafe Glibc.write(writing.raw, UnsafeRawPointer(bitPattern: start + UInt(bytes.count)), room)
            if put < 0 && errno == EINTR { continue }
            try LinuxError.checkErrno(put, "write")
            let wanted = bytes.count + put
            while bytes.count < wanted { _ = try reading.read(into: &bytes, room: wanted - bytes.count) }
        }
        return bytes
    }

    private static func startEnvironmentPlace() throws(LinuxError) -> (start: UInt, end: UInt) {
        let text = String(decoding: try FileSystem.read("/proc/self/stat", limit: 4096), as: UTF8.self)
        // The name in parentheses may hold anything. Behind it the fields 3, 4, … of proc(5): these are 50 and 51.
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(whereSeparator: \.isWhitespace)
        guard fields.count > 49, let start = UInt(fields[48]), let end = UInt(fields[49]), start > 0 else {
            throw LinuxError(call: "/proc/self/stat", code: EPROTO)
        }
        return (start: start, end: end)
    }
}
