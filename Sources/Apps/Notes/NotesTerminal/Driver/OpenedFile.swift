import Linux

/// A file of a note that another program of this desktop shows: in memory, for this user alone, and wiped with this.
final class OpenedFile {
    /// Whether only a session of locked notes lets it be seen.
    let isLocked: Bool
    private let folder: PrivateFolder

    /// - Throws: `LinuxError` where no folder lies in memory, or the desktop has no program that opens files.
    init(_ bytes: [UInt8], as name: String, isLocked: Bool) throws(LinuxError) {
        self.isLocked = isLocked
        folder = try PrivateFolder.make(inMemoryFor: "tresor-open")
        try folder.write(bytes, as: name)
        do { try Self.open(folder.path + "/" + name) } catch {
            folder.wipe()
            throw error
        }
    }

    /// Hands a path or an address to the program that the desktop has for it.
    static func open(_ target: String) throws(LinuxError) {
        guard let opener = try CurrentProcess.findProgram("xdg-open") else {
            throw LinuxError(call: "xdg-open", code: LinuxError.Code.missing)
        }
        let nowhere = try FileDescriptor.open("/dev/null", FileFlags.readWrite)
        _ = try ChildProcess(detached: opener, arguments: [target], output: nowhere)
    }

    deinit { folder.wipe() }
}
