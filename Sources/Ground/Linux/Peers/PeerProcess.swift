import CLinux
import Glibc

/// The process at the other end of a UNIX socket, pinned: its number may be another's later, this is not.
///
/// What it says is of the moment at which it is asked. Who acts on an answer asks ``isAlive`` afterwards: if it was
/// alive then, /proc told of it and of no other.
package struct PeerProcess: ~Copyable {
    /// Its number, at the time of connect(2).
    package let id: Int32
    /// Its effective group at connect(2).
    package let group: UInt32
    /// When it started, in ticks of the boot clock: with its number, a name for it.
    package let startTime: UInt64
    private let descriptor: FileDescriptor

    /// The process that has this number now.
    ///
    /// - Parameter startTime: when it has to have started; else the number is another's by now.
    /// - Throws: `LinuxError` with ESRCH where that process has ended.
    package init(number: Int32, startTime wanted: UInt64) throws(LinuxError) {
        let pinned = FileDescriptor(owning: try LinuxError.check(cl_pidfd_open(number), "pidfd_open"))
        guard try Self.startTime(of: number) == wanted else { throw LinuxError(call: "pidfd_open", code: ESRCH) }
        id = number
        startTime = wanted
        group = .max
        descriptor = pinned
    }

    /// - Throws: `LinuxError` where it has ended already.
    package init(of socket: borrowing FileDescriptor) throws(LinuxError) {
        let credentials = try PeerCredentials(of: socket)
        let raw = cl_peer_pidfd(socket.raw, credentials.process)
        let pinned = FileDescriptor(owning: try LinuxError.check(raw, "getsockopt(SO_PEERPIDFD)"))
        let started = try Self.startTime(of: credentials.process)
        id = credentials.process
        group = credentials.group
        descriptor = pinned
        startTime = started
    }

    /// Whether it runs still; false from its end on, also before it was waited for.
    package var isAlive: Bool {
        switch try? Poll.wait(untilReadable: descriptor.raw, milliseconds: 0) {
        case .timedOut?, .interrupted?: true
        case .ready?, nil: false
        }
    }

    /// Ends it at once (SIGKILL): it, and never a later process that was given its number.
    ///
    /// - Returns: whether it was there to be ended.
    @discardableResult
    package func kill() -> Bool { id > 1 && cl_pidfd_signal(descriptor.raw, SIGKILL) == 0 }

    /// Waits until it has ended.
    ///
    /// - Returns: false where it has not within this time.
    package func waitForEnd(within time: Duration) -> Bool {
        switch try? Poll.wait(untilReadable: descriptor.raw, milliseconds: Int(time.kernelMilliseconds)) {
        case .ready?: true
        case .timedOut?, .interrupted?, nil: false
        }
    }

    // MARK: /proc

    /// The file that it runs.
    ///
    /// - Throws: `LinuxError` with EACCES for a process that let nobody look into it (PR_SET_DUMPABLE).
    package func executable() throws(LinuxError) -> FileIdentity { try FileIdentity(following: "/proc/\(id)/exe") }

    /// The same, open: also where no path names it any more.
    package func openExecutable() throws(LinuxError) -> FileDescriptor {
        try FileDescriptor.open("/proc/\(id)/exe", O_RDONLY | O_NONBLOCK)
    }

    /// The path of that file as the process's own mounts show it; not to be believed before a look.
    package func executablePath() throws(LinuxError) -> String { try FileSystem.target(ofLink: "/proc/\(id)/exe") }

    /// A regular file as the process sees it, from its own root folder on; nil where there is none.
    ///
    /// No link is followed, which would lead through our own root; and nothing is waited for, such as a pipe's writer.
    package func file(_ path: String, limit: Int) throws(LinuxError) -> [UInt8]? {
        let file: FileDescriptor
        do {
            file = try FileDescriptor.open("/proc/\(id)/root" + path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        } catch {
            guard error.code == ENOENT || error.code == ENOTDIR else { throw error }
            return nil
        }
        guard try FileIdentity(of: file).isRegular, try !file.isServedByProgram() else {
            throw LinuxError(call: "open", code: EINVAL, path: path)
        }
        let bytes = try file.read(count: limit + 1, at: 0)
        guard bytes.count <= limit else { throw LinuxError(call: "read", code: EFBIG, path: path) }
        return bytes
    }

    /// The lines of /proc/PID/cgroup.
    package func controlGroups() throws(LinuxError) -> [String] {
        try String(decoding: FileSystem.read("/proc/\(id)/cgroup", limit: 65_536), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }

    /// Its real group; its effective one differs where its file is set to a group (setgid).
    package func realGroup() throws(LinuxError) -> UInt32? {
        let text = String(decoding: try FileSystem.read("/proc/\(id)/status", limit: 16_384), as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix("Gid:") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { UInt32($0) }
    }

    /// The label of a security module, such as `snap.mail.app (enforce)`; nil where there is none.
    ///
    /// - Throws: `LinuxError` where it could not be looked up this time.
    package func securityLabel() throws(LinuxError) -> String? {
        for path in ["/proc/\(id)/attr/apparmor/current", "/proc/\(id)/attr/current"] {
            let read = try LinuxError.unlessPassing { () throws(LinuxError) in try FileSystem.read(path, limit: 4096) }
            guard let bytes = read else { continue }
            let text = String(decoding: bytes.prefix { $0 != 0 && $0 != UInt8(ascii: "\n") }, as: UTF8.self)
            return text.isEmpty ? nil : text
        }
        return nil
    }

    /// Whether the process of this number is the one that started then.
    package static func isRunning(_ process: Int32, since startTime: UInt64) -> Bool {
        (try? Self.startTime(of: process)) == startTime
    }

    /// Without it a connection cannot be served at all, so what passes is waited for.
    private static func stat(of process: Int32) throws(LinuxError) -> [UInt8] {
        for _ in 0..<3 {
            do { return try FileSystem.read("/proc/\(process)/stat", limit: 4096) } catch {
                guard error.isPassing else { throw error }
            }
        }
        return try FileSystem.read("/proc/\(process)/stat", limit: 4096)
    }

    /// When a process started, in ticks of the boot clock.
    package static func startTime(of process: Int32) throws(LinuxError) -> UInt64 {
        let text = String(decoding: try stat(of: process), as: UTF8.self)
        // The name in parentheses may hold anything; the rest are numbers. proc(5): starttime is the 22nd field.
        let rest = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        guard rest.count > 20, let time = UInt64(rest[20]) else {
            throw LinuxError(call: "/proc/PID/stat", code: EPROTO)
        }
        return time
    }
}

/// Which file it is, and whether it is the same still: any change of its content changes the last two.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    /// Of its content.
    package let byteCount: Int
    private let modified: Int64
    /// Of the inode; programs cannot set it.
    private let changed: Int64
    /// Whether no path leads to it any more; then nobody can write to it while it runs, nor begin to.
    package let isUnlinked: Bool
    /// Whether it is a file with bytes.
    package let isRegular: Bool

    /// Whether this is that file still, also where it has lost its path since, as at an update: that changes an inode.
    package func isStill(_ former: FileIdentity) -> Bool {
        if self == former { return true }
        return isUnlinked && device == former.device && inode == former.inode && byteCount == former.byteCount
            && modified == former.modified
    }

    /// Numbers by which a file that was changed or replaced is known.
    package var stamp: [Int64] {
        [Int64(bitPattern: device), Int64(bitPattern: inode), Int64(byteCount), modified, changed]
    }

    /// Whether it was changed so lately that another change might have the same time.
    package func isFresh(now: Int64) -> Bool { abs(now &* 1000 &- changed) < 1_000_000_000 }

    /// Of one file with one content; whether a path leads there does not matter.
    package static func == (left: Self, right: Self) -> Bool {
        left.device == right.device && left.inode == right.inode && left.byteCount == right.byteCount
            && left.modified == right.modified && left.changed == right.changed
    }

    /// By the file and its latest change, as equal ones have them.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(device)
        hasher.combine(inode)
        hasher.combine(changed)
    }

    /// Of what a path leads to, links followed.
    package init(following path: String) throws(LinuxError) {
        let file = try FileDescriptor.open(path, FileFlags.look)
        try self.init(of: file)
    }

    /// Of what lies at a path, be it a link.
    package init(at path: String) throws(LinuxError) {
        let file = try FileDescriptor.open(path, FileFlags.look | O_NOFOLLOW)
        try self.init(of: file)
    }

    /// - Parameter file: open, be it only to look at.
    package init(of file: borrowing FileDescriptor) throws(LinuxError) {
        var info = stat()
        try LinuxError.checkErrno(unsafe fstat(file.raw, &info), "fstat")
        self.init(info)
    }

    private init(_ info: stat) {
        device = UInt64(info.st_dev)
        inode = UInt64(info.st_ino)
        byteCount = Int(info.st_size)
        isUnlinked = info.st_nlink == 0
        isRegular = info.st_mode & S_IFMT == S_IFREG
        modified = Int64(info.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(info.st_mtim.tv_nsec)
        changed = Int64(info.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(info.st_ctim.tv_nsec)
    }
}

extension FileSystem {
    /// Where a symbolic link leads.
    package static func target(ofLink path: String) throws(LinuxError) -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = unsafe buffer.withUnsafeMutableBufferPointer { target in
            guard let base = target.baseAddress else { return -1 }
            return unsafe readlink(path, base, target.count)
        }
        try LinuxError.checkErrno(count, "readlink", path: path)
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The path without links and dots on it (realpath(3)).
    package static func canonicalPath(_ path: String) throws(LinuxError) -> String {
        let file = try FileDescriptor.open(path, FileFlags.look)
        return try target(ofLink: "/proc/self/fd/\(file.raw)")
    }

    /// Whether root alone can change what a path leads to: every folder on it, and the file, are root's and nobody
    /// else may write to them.
    ///
    /// - Parameter path: absolute, and free of links: a link on it is not root's word on where it leads.
    /// - Throws: `LinuxError` where it could not be looked up this time.
    package static func isRootsAlone(_ path: String) throws(LinuxError) -> Bool {
        guard path.hasPrefix("/") else { return false }
        var prefix = path
        while true {
            let look = try LinuxError.unlessPassing { () throws(LinuxError) in try status(prefix) }
            guard let status = look ?? nil, status.owner == 0, status.mode & 0o022 == 0,
                !status.isSymbolicLink
            else { return false }
            if prefix == "/" { return true }
            prefix = directory(of: prefix)
        }
    }

    /// The login name of a user, by /etc/passwd; nil for one that is not there.
    package static func userName(_ id: UInt32) -> String? {
        guard let bytes = try? read("/etc/passwd", limit: 1 << 20) else { return nil }
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            if fields.count == 7, UInt32(fields[2]) == id { return String(fields[0]) }
        }
        return nil
    }

    /// Whether /etc/passwd or /etc/group puts a user into a group: its members may set files of their own to it.
    ///
    /// - Throws: `LinuxError` where it could not be looked up this time.
    package static func isMember(user: UInt32, ofGroup id: UInt32) throws(LinuxError) -> Bool {
        func records(_ path: String) throws(LinuxError) -> [[Substring]] {
            let look = try LinuxError.unlessPassing { () throws(LinuxError) in try read(path, limit: 1 << 20) }
            guard let bytes = look else { return [] }
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
                .map { $0.split(separator: ":", omittingEmptySubsequences: false) }
        }
        let account = try records("/etc/passwd").first { $0.count == 7 && UInt32($0[2]) == user }
        // Whom the local files don't know may be in any group.
        guard let account, UInt32(account[3]) != id else { return true }
        let groups = try records("/etc/group").filter { $0.count == 4 && UInt32($0[2]) == id }
        return groups.isEmpty || groups.contains { $0[3].split(separator: ",").contains(account[0]) }
    }

    /// The name of a local group, of /etc/group; nil for one that has none there.
    ///
    /// Not getgrgid(3), which may ask the network: and nobody but this machine's root may say who is in such a group.
    ///
    /// - Throws: `LinuxError` where it could not be looked up this time.
    package static func groupName(_ id: UInt32) throws(LinuxError) -> String? {
        let look = try LinuxError.unlessPassing { () throws(LinuxError) in try read("/etc/group", limit: 1 << 20) }
        guard let bytes = look else { return nil }
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            if fields.count == 4, UInt32(fields[2]) == id { return String(fields[0]) }
        }
        return nil
    }
}
