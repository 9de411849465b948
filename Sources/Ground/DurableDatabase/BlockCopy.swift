package import Linux

/// Copies a file of a disk that goes bad.
package enum BlockCopy {
    private static let block = 4096
    private static let part = 1 << 20

    /// - Parameters:
    ///   - target: where nothing lies. It is on the disk when this returns.
    ///   - tell: gets, each second, how many bytes are copied, and of how many.
    /// - Returns: how many blocks the disk did not give; they are zeros in the copy.
    package static func copy(
        _ source: String, to target: String, tell: (_ done: Int, _ all: Int) -> Void = { _, _ in }
    ) throws(LinuxError) -> Int {
        let from = try FileDescriptor.open(source, FileFlags.read)
        let to = try FileDescriptor.open(target, FileFlags.create)
        let count = try from.byteCount()
        var unreadable = 0
        var told = SystemClock.bootMilliseconds()
        for start in stride(from: 0, to: count, by: part) {
            let size = min(part, count - start)
            if SystemClock.bootMilliseconds() >= told + 1000 {
                told = SystemClock.bootMilliseconds()
                tell(start, count)
            }
            if let bytes = try? from.read(count: size, at: start) {
                try to.write(bytes, at: start)
                continue
            }
            for start in stride(from: start, to: start + size, by: block) {
                let size = min(block, count - start)
                let bytes = try? from.read(count: size, at: start)
                if bytes == nil { unreadable += 1 }
                try to.write(bytes ?? [UInt8](repeating: 0, count: size), at: start)
            }
        }
        try to.truncate(to: count)
        try to.sync()
        return unreadable
    }
}
