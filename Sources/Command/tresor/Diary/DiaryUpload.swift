import DiaryClient
import DiaryFormats
import Linux
import Localization
import ResidentClient
import Wire

/// A file on its way to tresor-diary, part by part.
enum DiaryUpload {
    /// What each path is taken for.
    ///
    /// - Throws: `Failure` for a film that is called a photo, and the like.
    static func files(_ photos: [String], _ sounds: [String], _ others: [String]) throws -> [(
        path: String, kind: MediaKind
    )] {
        func check(_ path: String, is kind: MediaKind) throws -> (path: String, kind: MediaKind) {
            guard let known = kindByName(path), known != kind else { return (path, kind) }
            throw Failure(
                ExitCode.usage,
                kind == .photo
                    ? localized("'\(path)' is no photo by its name; nothing was changed")
                    : localized("'\(path)' is no sound by its name; nothing was changed"),
                hint: localized("--file takes it for what it is"))
        }
        let named = try others.map { path -> (path: String, kind: MediaKind) in
            guard let kind = kindByName(path) else {
                throw Failure(
                    ExitCode.usage, localized("the name of '\(path)' does not tell what it is; nothing was changed"),
                    hint: localized("--photo or --audio says so"))
            }
            return (path, kind)
        }
        return try photos.map { try check($0, is: .photo) } + sounds.map { try check($0, is: .audio) } + named
    }

    private static func kindByName(_ path: String) -> MediaKind? {
        let ending = path.split(separator: "/").last?.split(separator: ".").dropFirst().last.map(String.init)
        let type = ending.map(MediaTypes.mediaType(ofEnding:)) ?? ""
        if type == "application/pdf" { return .pdf }
        let family = type.prefix { $0 != "/" }
        switch family {
        case "image": return .photo
        case "audio": return .audio
        case "video": return .video
        default: return nil
        }
    }

    static func stage(_ path: String, as kind: MediaKind, over connection: DiaryConnection) throws -> MediaSummary {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let new = NewMedia(
            kind: kind, name: name, mediaType: MediaType(fileName: name).name, awaitsLook: kind == .photo)
        let parts = try FileParts(path, otherwise: localized("nothing was added"))
        let reply = try connection.ask(.stage(new), hasBody: true) {
            try parts.next()
        } receive: { _ in
        }
        guard case .staged(let staged) = reply else { throw DiaryConnection.unexpected }
        return staged
    }
}
