/// Sound and films, told by their first bytes.
struct MediaSignature {
    let mediaType: String
    let isVideo: Bool

    private struct Form {
        let mediaType: String
        let isVideo: Bool
        let offset: Int
        let bytes: [UInt8]

        init(_ mediaType: String, _ offset: Int, _ bytes: some Sequence<UInt8>) {
            self.mediaType = mediaType
            isVideo = mediaType.hasPrefix("video/")
            self.offset = offset
            self.bytes = Array(bytes)
        }
    }

    /// The first that fits counts.
    ///
    /// ISO base media files (ISO/IEC 14496-12) are films unless their brand says otherwise.
    private static let forms = [
        Form("audio/ogg", 0, "OggS".utf8), Form("audio/flac", 0, "fLaC".utf8), Form("audio/mpeg", 0, "ID3".utf8),
        Form("audio/amr", 0, "#!AMR".utf8), Form("audio/x-caf", 0, "caff".utf8), Form("audio/wav", 8, "WAVE".utf8),
        Form("audio/aiff", 8, "AIF".utf8), Form("audio/midi", 0, "MThd".utf8),
        Form("audio/mp4", 4, "ftypM4A".utf8), Form("audio/mp4", 4, "ftypM4B".utf8),
        Form("video/quicktime", 4, "ftypqt".utf8), Form("video/mp4", 4, "ftyp".utf8),
        Form("video/quicktime", 4, "moov".utf8), Form("video/webm", 0, [0x1a, 0x45, 0xdf, 0xa3]),
        Form("video/x-msvideo", 8, "AVI ".utf8), Form("video/mpeg", 0, [0, 0, 1, 0xba]),
    ]

    /// Nil for bytes of another form.
    init?(_ beginning: [UInt8]) {
        if let form = Self.forms.first(where: { beginning.dropFirst($0.offset).starts(with: $0.bytes) }) {
            (mediaType, isVideo) = (form.mediaType, form.isVideo)
        } else if Self.isFrame(beginning) {
            (mediaType, isVideo) = ("audio/mpeg", false)
        } else {
            return nil
        }
    }

    /// A frame of MPEG audio without a tag before it: eleven bits of one, and a layer (ISO/IEC 11172-3, 2.4.1).
    private static func isFrame(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 4, bytes[0] == 0xff, bytes[1] & 0xe0 == 0xe0 else { return false }
        // AAC in ADTS has layer 0; of MPEG's three none is 0, and no bit rate is 15.
        return bytes[1] & 0x06 != 0 ? bytes[2] >> 4 != 15 : bytes[1] & 0xf0 == 0xf0
    }
}
