import FoundationEssentials
import Linux

/// The pictures of a folder and the folders in it.
package struct PhotoListing {
    /// Below the folder, sorted.
    package private(set) var paths: [String] = []
    package private(set) var remarks: [ImportRemark] = []
    package let root: String
    private(set) var mediaTypes: [String: String] = [:]

    private static let deepest = 16
    private static let mostFiles = 250_000
    private static let firstBytes = 64

    /// Looks at the first bytes of every file; links and what is hidden are not followed.
    ///
    /// - Parameter mediaType: of a file by its first 64 bytes; nil for what is no picture.
    package init(_ path: String, mediaType: ([UInt8]) -> String?) throws(DiaryFormatError) {
        root = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        guard (try? FileSystem.status(root + "/."))??.isDirectory == true else { throw .notFound }
        var unreadable = 0
        try list("", depth: 0, &unreadable, mediaType)
        if unreadable > 0 { remarks.append(ImportRemark(.unreadableFile, count: unreadable)) }
        guard !paths.isEmpty else { throw .notADiary }
        paths.sort()
    }

    private mutating func list(
        _ folder: String, depth: Int, _ unreadable: inout Int, _ mediaType: ([UInt8]) -> String?
    ) throws(DiaryFormatError) {
        guard let names = try? FileSystem.names(in: root + folder) else {
            unreadable += 1
            return
        }
        for name in names where !name.hasPrefix(".") {
            let path = folder + "/" + name
            guard let status = (try? FileSystem.status(root + path)) ?? nil else { continue }
            if status.isDirectory && depth < Self.deepest {
                try list(path, depth: depth + 1, &unreadable, mediaType)
            } else if status.isRegular {
                guard
                    let bytes = try? FileDescriptor.open(root + path, FileFlags.read).read(
                        count: Self.firstBytes, at: 0)
                else {
                    unreadable += 1
                    continue
                }
                guard let type = mediaType(bytes) else { continue }
                guard paths.count < Self.mostFiles else { throw .tooLarge }
                let inner = String(path.dropFirst())
                paths.append(inner)
                mediaTypes[inner] = type
            }
        }
    }

    /// Microseconds since 1970, UTC.
    func fileTime(_ path: String) -> Int64? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: root + "/" + path)
        guard let date = attributes?[.modificationDate] as? Date else { return nil }
        return Int64(exactly: (date.timeIntervalSince1970 * 1_000_000).rounded())
    }
}
