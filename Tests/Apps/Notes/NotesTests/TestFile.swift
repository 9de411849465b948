import NotesClient

/// The bytes by which files are known, for tests that care for what comes behind them.
enum TestFile {
    /// Kinds that attachments can have; a table is none.
    static let kinds = AttachmentKind.allCases.filter { $0 != .table }
    /// Sixteen bytes, so that a picture is known by the first piece of it.
    static let png: [UInt8] = [0x89] + Array("PNG\r\n".utf8) + [0x1a, 0x0a, 0, 0, 0, 0x0d] + Array("IHDR".utf8)
    static let pdf = Array("%PDF-1.7\n".utf8)
    static let page = Array("<!-- saved from url=(0020)https://example.org/ -->\n<!DOCTYPE html>\n".utf8)

    static func beginning(_ kind: AttachmentKind) -> [UInt8] {
        switch kind {
        case .image, .sketch: png
        case .website: page
        case .audio: Array("ID3".utf8)
        case .video: [0, 0, 0, 8] + Array("ftypisom".utf8)
        case .pdf: pdf
        // A place has one form, behind which nothing stands.
        case .map, .table, .file: []
        }
    }

    /// What stands behind such a beginning.
    static func content(_ bytes: [UInt8]) -> [UInt8] {
        for kind in AttachmentKind.allCases where !beginning(kind).isEmpty && bytes.starts(with: beginning(kind)) {
            return Array(bytes.dropFirst(beginning(kind).count))
        }
        return bytes
    }

    /// A whole file of a kind.
    static func whole(_ kind: AttachmentKind) -> [UInt8] {
        kind == .map
            ? Array((SavedPlace(latitude: 63.4305, longitude: 10.3951, name: "Harbour")?.fileText ?? "").utf8)
            : beginning(kind) + [1, 2, 3]
    }
}
