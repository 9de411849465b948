import Linux

/// The files in which fprintd keeps a user's fingers: `<state folder>/<user>/<driver>/<device>/<finger>`.
enum EnrolmentFiles {
    /// More than any reader has fingers, more than any driver writes of one, deeper than fprintd writes.
    private static let (mostFiles, largestFile, deepest) = (128, 16 << 20, 8)

    private struct File {
        let path: [UInt8]
        let name: String
    }

    /// - Returns: how many files there are; nil where we may not read them, and `sink` got nothing.
    static func read(
        of user: LoginName, in folder: String, into sink: ([UInt8]) -> Void
    ) throws(BiometryError) -> Int? {
        let root = folder + "/" + user.text
        do {
            guard try FileSystem.status(root) != nil else {
                sink(EnrolmentBytes.header(.files, count: 0))
                return 0
            }
            var files: [File] = []
            try list("", in: root, depth: 0, into: &files)
            files.sort { $0.path.lexicographicallyPrecedes($1.path) }
            // Opened before the first byte is given out: a file that we may not read is found out here.
            for file in files { _ = try FileDescriptor.open(root + "/" + file.name, FileFlags.read) }
            sink(EnrolmentBytes.header(.files, count: files.count))
            for file in files { try read(file, in: root, into: sink) }
            return files.count
        } catch let error as LinuxError where isForbidden(error) {
            return nil
        } catch { throw .enrolmentUnreadable }
    }

    /// EPERM and EACCES, errno(3).
    private static func isForbidden(_ error: LinuxError) -> Bool { error.code == 1 || error.code == 13 }

    private static func list(_ folder: String, in root: String, depth: Int, into files: inout [File]) throws {
        guard depth < deepest else { throw BiometryError.enrolmentUnreadable }
        for name in try FileSystem.names(in: root + "/" + folder) {
            let path = folder.isEmpty ? name : folder + "/" + name
            guard let status = try FileSystem.status(root + "/" + path), files.count < mostFiles else {
                throw BiometryError.enrolmentUnreadable
            }
            switch (status.isDirectory, status.isRegular) {
            case (true, _): try list(path, in: root, depth: depth + 1, into: &files)
            case (_, true): files.append(File(path: Array(path.utf8), name: path))
            default: throw BiometryError.enrolmentUnreadable
            }
        }
    }

    private static func read(_ file: File, in root: String, into sink: ([UInt8]) -> Void) throws {
        let descriptor = try FileDescriptor.open(root + "/" + file.name, FileFlags.read)
        let size = try descriptor.byteCount()
        guard try descriptor.isRegular(), size <= largestFile else { throw BiometryError.enrolmentUnreadable }
        sink(EnrolmentBytes.text(file.path) + EnrolmentBytes.bigEndian(UInt64(size)))
        var done = 0
        while done < size {
            let part = try descriptor.read(count: min(64 << 10, size - done), at: done)
            guard !part.isEmpty else { throw BiometryError.enrolmentUnreadable }
            sink(part)
            done += part.count
        }
        guard try descriptor.read(count: 1, at: size).isEmpty else { throw BiometryError.enrolmentUnreadable }
    }
}
