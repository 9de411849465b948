import DiaryClient

/// What a file is by the end of its name; the diary looks into photos itself.
struct FileKind: Equatable, Sendable {
    let kind: MediaKind
    let mediaType: String

    /// Names as the Internet Assigned Numbers Authority registers media types.
    private static let known: [String: FileKind] = [
        "jpg": FileKind(kind: .photo, mediaType: "image/jpeg"),
        "jpeg": FileKind(kind: .photo, mediaType: "image/jpeg"),
        "png": FileKind(kind: .photo, mediaType: "image/png"),
        "gif": FileKind(kind: .photo, mediaType: "image/gif"),
        "webp": FileKind(kind: .photo, mediaType: "image/webp"),
        "heic": FileKind(kind: .photo, mediaType: "image/heic"),
        "avif": FileKind(kind: .photo, mediaType: "image/avif"),
        "tif": FileKind(kind: .photo, mediaType: "image/tiff"),
        "tiff": FileKind(kind: .photo, mediaType: "image/tiff"),
        "heif": FileKind(kind: .photo, mediaType: "image/heif"),
        "m4a": FileKind(kind: .audio, mediaType: "audio/mp4"),
        "mp3": FileKind(kind: .audio, mediaType: "audio/mpeg"),
        "ogg": FileKind(kind: .audio, mediaType: "audio/ogg"),
        "opus": FileKind(kind: .audio, mediaType: "audio/ogg"),
        "flac": FileKind(kind: .audio, mediaType: "audio/flac"),
        "wav": FileKind(kind: .audio, mediaType: "audio/vnd.wave"),
        "aac": FileKind(kind: .audio, mediaType: "audio/aac"),
        "caf": FileKind(kind: .audio, mediaType: "audio/x-caf"),
        "m4v": FileKind(kind: .video, mediaType: "video/mp4"),
        "mp4": FileKind(kind: .video, mediaType: "video/mp4"),
        "mov": FileKind(kind: .video, mediaType: "video/quicktime"),
        "webm": FileKind(kind: .video, mediaType: "video/webm"),
        "pdf": FileKind(kind: .pdf, mediaType: "application/pdf"),
    ]

    /// A photo where the name says nothing: that is what a photo diary is given.
    static func of(_ name: String) -> FileKind {
        let end = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return known[end] ?? FileKind(kind: .photo, mediaType: "")
    }
}

extension NewMedia {
    /// - Parameter path: of a file of this computer; its last part becomes the name.
    init(path: String) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let kind = FileKind.of(name)
        self.init(kind: kind.kind, name: name, mediaType: kind.mediaType, awaitsLook: kind.kind == .photo)
    }
}
