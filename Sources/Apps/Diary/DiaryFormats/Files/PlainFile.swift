import Linux

/// A file of a folder, which is no link.
enum PlainFile {
    static func open(_ path: String) throws(DiaryFormatError) -> MediaParts {
        let file: OpenFile
        do { file = try OpenFile(path, FileFlags.read) } catch {
            throw error.isMissing ? .notFound : error.isOfDamagedFile && !error.isOfBadSector ? .damaged : .unreadable
        }
        var offset = 0
        return {
            guard let bytes = try? file.descriptor.read(count: mediaPart, at: offset) else {
                throw DiaryFormatError.unreadable
            }
            offset += bytes.count
            return bytes.isEmpty ? nil : bytes
        }
    }
}
