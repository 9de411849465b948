import Linux

/// A new folder that an export fills: files of mode 0600 in folders of mode 0700, and nothing is overwritten.
struct ExportFolder {
    let root: String
    private var folders: Set<String> = []

    /// - Throws: `alreadyThere` where the folder holds something, or is none.
    init(_ path: String) throws(DiaryFormatError) {
        root = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        do {
            if try FileSystem.status(root + "/.") != nil {
                guard try FileSystem.names(in: root).isEmpty else { throw DiaryFormatError.alreadyThere }
            } else {
                guard try FileSystem.status(root) == nil else { throw DiaryFormatError.alreadyThere }
                try FileSystem.makeDirectories(root)
            }
        } catch let error as DiaryFormatError { throw error } catch { throw Self.failure(error) }
    }

    mutating func makeFolder(_ path: String) throws(DiaryFormatError) {
        guard folders.insert(path).inserted else { return }
        do { try FileSystem.makeDirectories(root + "/" + path) } catch { throw Self.failure(error) }
    }

    func write(_ text: String, to path: String) throws(DiaryFormatError) {
        do {
            try FileDescriptor.open(root + "/" + path, FileFlags.create).write(Array(text.utf8), at: 0)
        } catch { throw Self.failure(error) }
    }

    /// Writes behind what a file of ours holds already.
    func append(_ text: String, to path: String, at offset: Int) throws(DiaryFormatError) {
        do {
            try FileDescriptor.open(root + "/" + path, FileFlags.readWrite).write(Array(text.utf8), at: offset)
        } catch { throw Self.failure(error) }
    }

    /// Writes a file of an entry, and leaves none of it where that fails.
    ///
    /// - Throws: what `media` throws, else ``DiaryFormatError``.
    func write(_ item: ImportedMedia, to path: String, _ media: MediaBytes) throws {
        let file: OpenFile
        do { file = try OpenFile(root + "/" + path, FileFlags.create) } catch { throw Self.failure(error) }
        do {
            var offset = 0
            try media(item) { part in
                try file.descriptor.write(part, at: offset)
                offset += part.count
            }
        } catch {
            try? FileSystem.remove(root + "/" + path)
            guard error is LinuxError else { throw error }
            throw Self.failure(error)
        }
    }

    private static func failure(_ error: some Error) -> DiaryFormatError {
        .cannotWrite(isFull: (error as? LinuxError)?.isOutOfSpace == true)
    }
}
