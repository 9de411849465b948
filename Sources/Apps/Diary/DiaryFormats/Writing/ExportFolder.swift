import Linux

/// A new folder that an export fills: files of mode 0600 in folders of mode 0700, and nothing is overwritten.
///
/// All of it is on the disk when it is finished.
struct ExportFolder {
    let root: String
    private var folders = NewFolders()

    /// - Throws: `alreadyThere` where the folder holds something, or is none.
    init(_ path: String) throws(DiaryFormatError) {
        root = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        do {
            if try FileSystem.status(root + "/.") != nil {
                guard try FileSystem.names(in: root).isEmpty else { throw DiaryFormatError.alreadyThere }
            } else {
                guard try FileSystem.status(root) == nil else { throw DiaryFormatError.alreadyThere }
            }
            try folders.make(root)
        } catch let error as DiaryFormatError { throw error } catch {
            throw .cannotWrite(isFull: (error as? LinuxError)?.isOutOfSpace == true, path: root)
        }
    }

    mutating func makeFolder(_ path: String) throws(DiaryFormatError) {
        do { try folders.make(root + "/" + path) } catch { throw failure(error, path) }
    }

    /// Waits until all files are on the disk.
    func finish() throws(DiaryFormatError) {
        do { try folders.sync() } catch { throw .cannotWrite(isFull: error.isOutOfSpace, path: error.path) }
    }

    func write(_ text: String, to path: String) throws(DiaryFormatError) {
        do {
            let file = try FileDescriptor.open(root + "/" + path, FileFlags.create)
            try file.write(Array(text.utf8), at: 0)
        } catch { throw failure(error, path) }
    }

    /// Writes behind what a file of ours holds already.
    func append(_ text: String, to path: String, at offset: Int) throws(DiaryFormatError) {
        do {
            let file = try FileDescriptor.open(root + "/" + path, FileFlags.readWrite)
            try file.write(Array(text.utf8), at: offset)
        } catch { throw failure(error, path) }
    }

    /// Writes a file of an entry, and leaves none of it where that fails.
    ///
    /// - Throws: what `media` throws, else ``DiaryFormatError``.
    func write(_ item: ImportedMedia, to path: String, _ media: MediaBytes) throws {
        let file: OpenFile
        do { file = try OpenFile(root + "/" + path, FileFlags.create) } catch { throw failure(error, path) }
        do {
            var offset = 0
            try media(item) { part in
                try file.descriptor.write(part, at: offset)
                offset += part.count
            }
        } catch {
            try? FileSystem.remove(root + "/" + path)
            guard let refused = error as? LinuxError else { throw error }
            throw failure(refused, path)
        }
    }

    private func failure(_ error: LinuxError, _ path: String) -> DiaryFormatError {
        .cannotWrite(isFull: error.isOutOfSpace, path: root + "/" + path)
    }
}
