import ImageSandbox
import NotesClient

/// What a file is, found from its bytes: neither from its name, nor from what somebody says of it.
///
/// A kind decides whether a locked note may hold the file; so nobody's word is taken for it, our own older records'
/// among them.
struct AttachmentContent: Equatable, Sendable {
    /// How many of the first bytes are looked at.
    static let beginningByteCount = 64 * 1024

    let kind: AttachmentKind
    /// Empty where it is not known.
    let mediaType: String
    /// Of a map.
    var place: SavedPlace?
    /// Of a saved page.
    var address: String?

    private init(_ kind: AttachmentKind, _ mediaType: String, place: SavedPlace? = nil, address: String? = nil) {
        self.kind = kind
        self.mediaType = mediaType
        self.place = place
        self.address = address
    }

    /// - Parameters:
    ///   - beginning: the first ``beginningByteCount`` bytes, or all.
    ///   - byteCount: of the whole file.
    init(_ beginning: [UInt8], byteCount: UInt64) {
        // Readers of PDFs take one that begins within the first 1024 bytes: a picture with one in front of it is both.
        guard !Self.hasPDF(beginning) else {
            self.init(.pdf, "application/pdf")
            return
        }
        let isWhole = byteCount == UInt64(beginning.count)
        if let image = ImageKind(of: beginning) {
            self.init(.image, image.mediaType(beginning))
        } else if let media = MediaSignature(beginning) {
            self.init(media.isVideo ? .video : .audio, media.mediaType)
        } else if isWhole, beginning.count <= SavedPlace.mostBytes,
            let place = SavedPlace(fileText: String(decoding: beginning, as: UTF8.self))
        {
            self.init(.map, SavedPlace.mediaType, place: place)
        } else if let address = SavedPage.address(beginning) {
            self.init(.website, "text/html", address: address)
        } else {
            self.init(.file, "")
        }
    }

    private static func hasPDF(_ beginning: [UInt8]) -> Bool {
        let mark = Array("%PDF-".utf8)
        let window = beginning.prefix(1024)
        return window.indices.contains { window[$0...].starts(with: mark) }
    }

    /// The kind of an attachment: a picture that came as a drawing is a sketch.
    func kind(claimed: AttachmentKind) -> AttachmentKind { kind == .image && claimed == .sketch ? .sketch : kind }

    /// The media type that goes with the kind; a name's word counts where the bytes say nothing against it.
    func mediaType(claimed: String) -> String {
        guard mediaType.isEmpty else { return mediaType }
        let others = ["image/", "audio/", "video/", "application/pdf"]
        return others.contains { claimed.hasPrefix($0) } ? "" : claimed
    }
}

extension ImageKind {
    fileprivate func mediaType(_ beginning: [UInt8]) -> String {
        switch self {
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        case .gif: "image/gif"
        case .webp: "image/webp"
        case .tiff: "image/tiff"
        case .heif: beginning.dropFirst(8).starts(with: "avi".utf8) ? "image/avif" : "image/heic"
        }
    }
}
