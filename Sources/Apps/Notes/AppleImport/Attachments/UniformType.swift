/// What Apple's type identifiers, or a file's extension, say about a file.
///
/// Source: Apple, "System-Declared Uniform Type Identifiers"; media types as IANA registers them.
struct UniformType {
    let kind: ImportedAttachment.Kind
    let mediaType: String

    init(_ identifier: String, fileName: String) {
        let name = fileName.split(separator: ".", omittingEmptySubsequences: false)
        let suffix = name.count > 1 ? (name.last ?? "").lowercased() : ""
        if let known = Self.identifiers[identifier] ?? Self.suffixes[suffix].flatMap({ Self.identifiers[$0] }) {
            self = known
        } else {
            let kind = Self.families.first { identifier.hasPrefix($0.prefix) }?.kind ?? .file
            self.init(kind, "application/octet-stream")
        }
    }

    /// A picture of something drawn by hand.
    init(sketch mediaType: String) { self.init(.sketch, mediaType) }

    private init(_ kind: ImportedAttachment.Kind, _ mediaType: String) {
        self.kind = kind
        self.mediaType = mediaType
    }

    private static let families: [(prefix: String, kind: ImportedAttachment.Kind)] = [
        ("public.image", .image), ("public.audio", .audio), ("public.movie", .video), ("public.video", .video),
    ]

    private static let identifiers: [String: UniformType] = [
        "public.jpeg": .init(.image, "image/jpeg"),
        "public.png": .init(.image, "image/png"),
        "public.heic": .init(.image, "image/heic"),
        "public.heif": .init(.image, "image/heif"),
        "public.tiff": .init(.image, "image/tiff"),
        "public.svg-image": .init(.image, "image/svg+xml"),
        "com.compuserve.gif": .init(.image, "image/gif"),
        "com.microsoft.bmp": .init(.image, "image/bmp"),
        "org.webmproject.webp": .init(.image, "image/webp"),
        "public.mp3": .init(.audio, "audio/mpeg"),
        "public.mpeg-4-audio": .init(.audio, "audio/mp4"),
        "com.apple.m4a-audio": .init(.audio, "audio/mp4"),
        "com.apple.coreaudio-format": .init(.audio, "audio/x-caf"),
        "com.microsoft.waveform-audio": .init(.audio, "audio/wav"),
        "public.aiff-audio": .init(.audio, "audio/aiff"),
        "com.apple.quicktime-movie": .init(.video, "video/quicktime"),
        "public.mpeg-4": .init(.video, "video/mp4"),
        "com.apple.m4v-video": .init(.video, "video/mp4"),
        "public.mpeg": .init(.video, "video/mpeg"),
        "com.adobe.pdf": .init(.pdf, "application/pdf"),
        "com.apple.paper.doc.pdf": .init(.pdf, "application/pdf"),
        "com.apple.webarchive": .init(.website, "application/x-webarchive"),
        "public.html": .init(.website, "text/html"),
        "public.vlocation": .init(.map, "text/vcard"),
        "public.vcard": .init(.file, "text/vcard"),
        "public.plain-text": .init(.file, "text/plain"),
        "public.rtf": .init(.file, "application/rtf"),
        "public.comma-separated-values-text": .init(.file, "text/csv"),
        "public.zip-archive": .init(.file, "application/zip"),
        "com.apple.ical.ics": .init(.file, "text/calendar"),
    ]

    private static let suffixes: [String: String] = [
        "jpg": "public.jpeg", "jpeg": "public.jpeg", "png": "public.png", "heic": "public.heic", "heif": "public.heif",
        "tif": "public.tiff", "tiff": "public.tiff", "svg": "public.svg-image", "gif": "com.compuserve.gif",
        "bmp": "com.microsoft.bmp", "webp": "org.webmproject.webp", "mp3": "public.mp3", "m4a": "com.apple.m4a-audio",
        "caf": "com.apple.coreaudio-format", "wav": "com.microsoft.waveform-audio", "aiff": "public.aiff-audio",
        "mov": "com.apple.quicktime-movie", "mp4": "public.mpeg-4", "m4v": "com.apple.m4v-video", "mpg": "public.mpeg",
        "pdf": "com.adobe.pdf", "webarchive": "com.apple.webarchive", "html": "public.html", "htm": "public.html",
        "vcf": "public.vcard", "txt": "public.plain-text", "rtf": "public.rtf",
        "csv": "public.comma-separated-values-text", "zip": "public.zip-archive", "ics": "com.apple.ical.ics",
    ]
}
