import Codecs
import DiaryClient
import Linux

/// Where an export's journals and files are: in a zip file, or unpacked in a folder.
struct DayOneFiles {
    struct File {
        /// The path in the archive or the folder.
        let id: String
        /// Without its ending, in lower case.
        let stem: String
        let ending: String
        let byteCount: UInt64
        fileprivate let place: Place
    }

    fileprivate enum Place {
        case member(ZipArchive.Member)
        case path(String)
    }

    private(set) var journals: [File] = []
    private var files: [String: [File]] = [:]
    private var byIdentity: [String: File] = [:]
    private let archive: ZipArchive?
    private(set) var remarks: [ImportRemark] = []

    static func folder(of kind: MediaKind) -> String {
        switch kind {
        case .photo: "photos"
        case .audio: "audios"
        case .video: "videos"
        case .pdf: "pdfs"
        }
    }

    private static let folders = Set(MediaKind.allCases.map(folder))

    /// - Parameter path: a zip file, a `.json` file, or the folder that holds one.
    init(_ path: String, limits: ZipLimits) throws(DiaryFormatError) {
        guard let status = (try? FileSystem.status(path + "/.")) ?? (try? FileSystem.status(path)) else {
            throw .notFound
        }
        if status.isDirectory {
            archive = nil
            try list(path, journal: nil)
        } else if SafeName.parts(of: path).ending.lowercased() == "json" {
            archive = nil
            let folder = FileSystem.directory(of: path)
            try list(folder, journal: String(path.split(separator: "/").last ?? ""))
        } else {
            let archive = try Self.open(path, limits)
            self.archive = archive
            remarks = archive.remarks
            for member in archive.members { add(member.path, member.byteCount, .member(member)) }
        }
    }

    private static func open(_ path: String, _ limits: ZipLimits) throws(DiaryFormatError) -> ZipArchive {
        do {
            let file = try FileDescriptor.open(path, FileFlags.readFollowing)
            guard try file.isRegular() else { throw DiaryFormatError.notADiary }
            return try ZipArchive(file, limits: limits)
        } catch let error as DiaryFormatError { throw error } catch { throw .unreadable }
    }

    /// Lists a folder and the folders of files in it; links are not followed.
    private mutating func list(_ root: String, journal: String?) throws(DiaryFormatError) {
        do {
            for name in try FileSystem.names(in: root).sorted() {
                let path = root + "/" + name
                guard let status = try FileSystem.status(path) else { continue }
                if status.isRegular {
                    if journal == nil || journal == name { add([name], UInt64(status.byteCount), .path(path)) }
                } else if status.isDirectory && Self.folders.contains(name.lowercased()) {
                    for inner in try FileSystem.names(in: path).sorted() {
                        guard let status = try FileSystem.status(path + "/" + inner), status.isRegular else { continue }
                        add([name, inner], UInt64(status.byteCount), .path(path + "/" + inner))
                    }
                }
            }
        } catch { throw .unreadable }
    }

    private mutating func add(_ path: [String], _ byteCount: UInt64, _ place: Place) {
        guard let name = path.last, !name.hasPrefix("."), path.first != "__MACOSX" else { return }
        let parts = SafeName.parts(of: name)
        let file = File(
            id: path.joined(separator: "/"), stem: parts.stem, ending: parts.ending, byteCount: byteCount, place: place)
        let folder = path.dropLast().last?.lowercased() ?? ""
        if Self.folders.contains(folder) {
            files[folder + "/" + parts.stem.lowercased(), default: []].append(file)
            byIdentity[file.id] = file
        } else if parts.ending.lowercased() == "json" {
            journals.append(file)
        }
    }

    /// The file of the first name that there is, with the ending that is wished if there are several.
    func find(_ kind: MediaKind, named names: [String], ending: String?) -> File? {
        for name in names {
            guard let found = files[Self.folder(of: kind) + "/" + name.lowercased()] else { continue }
            return found.first { $0.ending.lowercased() == ending?.lowercased() } ?? found.first
        }
        return nil
    }

    func read(_ file: File, limit: Int) throws -> [UInt8] {
        let parts = try open(file)
        var bytes: [UInt8] = []
        while let part = try parts() {
            guard bytes.count + part.count <= limit else { throw DiaryFormatError.tooLarge }
            bytes += part
        }
        return bytes
    }

    func open(_ id: String) throws(DiaryFormatError) -> MediaParts {
        guard let file = byIdentity[id] else { throw .notFound }
        return try open(file)
    }

    private func open(_ file: File) throws(DiaryFormatError) -> MediaParts {
        switch file.place {
        case .member(let member):
            guard let archive else { throw .notFound }
            return try archive.open(member)
        case .path(let path): return try PlainFile.open(path)
        }
    }
}
