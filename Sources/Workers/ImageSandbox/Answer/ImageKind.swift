/// The kinds of images that are decoded, told by their first bytes.
///
/// Asked before a library sees any byte: libvips would let all its loaders look, also those that are blocked.
package enum ImageKind: UInt8, CaseIterable, Sendable {
    case jpeg = 1
    case png, gif, webp, tiff
    /// HEIC and AVIF.
    case heif

    /// How many of the first bytes tell the kind.
    package static let headerByteCount = 16

    /// Nil for everything else, SVG and PDF among it: those are programs rather than pictures.
    package init?(of image: [UInt8]) {
        guard let kind = Self.allCases.first(where: { $0.begins(image) }) else { return nil }
        self = kind
    }

    /// Whether ``ImageJob/strip`` can take its metadata out and leave its pixels as they are.
    package var isStrippable: Bool { [.jpeg, .png, .gif, .webp].contains(self) }

    private func begins(_ image: [UInt8]) -> Bool {
        switch self {
        case .jpeg: image.starts(with: [0xFF, 0xD8, 0xFF])
        case .png: image.starts(with: [0x89] + Array("PNG\r\n".utf8) + [0x1A, 0x0A])
        case .gif: image.starts(with: "GIF8".utf8)
        case .webp: image.starts(with: "RIFF".utf8) && image.dropFirst(8).starts(with: "WEBP".utf8)
        // The second of each order is BigTIFF.
        case .tiff:
            [[0x49, 0x49, 42, 0], [0x49, 0x49, 43, 0], [0x4D, 0x4D, 0, 42], [0x4D, 0x4D, 0, 43]]
                .contains { image.starts(with: $0) }
        case .heif:
            image.dropFirst(4).starts(with: "ftyp".utf8)
                && Self.heifBrands.contains { image.dropFirst(8).starts(with: $0.utf8) }
        }
    }

    /// The major brands of ISO/IEC 23008-12 for images and sequences of HEVC, the structural two, and AVIF's.
    private static let heifBrands = [
        "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "msf1", "avif", "avis",
    ]
}
