import DiaryClient

/// Endings of names and what they stand for (IANA's media types).
package enum MediaTypes {
    private static let types: [(ending: String, mediaType: String)] = [
        ("jpeg", "image/jpeg"), ("jpg", "image/jpeg"), ("png", "image/png"), ("gif", "image/gif"),
        ("heic", "image/heic"), ("heif", "image/heif"), ("avif", "image/avif"), ("webp", "image/webp"),
        ("tiff", "image/tiff"), ("tif", "image/tiff"), ("dng", "image/x-adobe-dng"), ("bmp", "image/bmp"),
        ("m4a", "audio/mp4"), ("mp3", "audio/mpeg"), ("aac", "audio/aac"), ("wav", "audio/wav"),
        ("ogg", "audio/ogg"), ("opus", "audio/ogg"), ("flac", "audio/flac"), ("caf", "audio/x-caf"),
        ("mp4", "video/mp4"), ("m4v", "video/mp4"), ("mov", "video/quicktime"), ("webm", "video/webm"),
        ("pdf", "application/pdf"),
    ]

    /// Empty for an ending that is not known.
    package static func mediaType(ofEnding ending: String) -> String {
        let ending = ending.lowercased()
        return types.first { $0.ending == ending }?.mediaType ?? ""
    }

    /// Without the dot: of the name if it has one, else by the type, else by the kind.
    static func ending(of media: ImportedMedia) -> String {
        let ending = SafeName.parts(of: media.name).ending.lowercased()
        if !ending.isEmpty, ending.utf8.allSatisfy({ (48...57).contains($0) || (97...122).contains($0) }) {
            return ending
        }
        if let known = types.first(where: { $0.mediaType == media.mediaType }) { return known.ending }
        return switch media.kind {
        case .photo: "jpeg"
        case .audio: "m4a"
        case .video: "mp4"
        case .pdf: "pdf"
        }
    }
}
