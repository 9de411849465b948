/// What a host would take for its own markup, written so that it does not; byte by byte, since a mark that stands on a
/// `<` makes another character of it, and no other byte.
enum Markup {
    /// Text and attributes of HTML and XML, and Pango's markup.
    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { entity($0) != nil }) else { return text }
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if let entity = entity(byte) { bytes += Array(entity.utf8) } else { bytes.append(byte) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func entity(_ byte: UInt8) -> String? {
        switch byte {
        case 0x26: "&amp;"
        case 0x3C: "&lt;"
        case 0x3E: "&gt;"
        case 0x27: "&#39;"
        case 0x22: "&quot;"
        default: nil
        }
    }

    /// A string of JSON, its quotes among it (RFC 8259, section 7): no other escapes than `\"`, `\\`, `\n` and, of the
    /// rest below U+0020, `\u00XX`.
    static func quoted(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }) { return "\"\(text)\"" }
        let digits = Array("0123456789abcdef".utf8)
        var bytes: [UInt8] = [0x22]
        for byte in text.utf8 {
            switch byte {
            case 0x22, 0x5C: bytes += [0x5C, byte]
            case 0x0A: bytes += Array("\\n".utf8)
            case 0..<0x20: bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        bytes.append(0x22)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A class of CSS: letters, digits, `-`; all else becomes `-`.
    static func className(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            bytes.append(isPlain ? byte : 0x2D)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// What a bar makes of a frame as a whole.
struct FrameTone {
    /// The most pressing colour in it: critical, warning, positive, else primary.
    private(set) var tint = Tint.primary
    /// Its gauges.
    private(set) var gauges: [GaugeValue] = []

    init(_ frame: Frame) {
        if frame.state == .shown || frame.state == .redacted { look(frame.root) }
    }

    private mutating func look(_ node: FrameNode) {
        switch node {
        case .text(let run, _): take(run.tint)
        case .symbol(_, let tint, _): take(tint)
        case .gauge(_, let value, let label, _):
            gauges.append(value)
            look(label)
        case .toggle(_, let label, _): look(label)
        case .stack(_, _, _, let nodes): for node in nodes { look(node) }
        case .labelled(_, let node), .link(_, let node): look(node)
        case .image, .divider, .spacer, .mask: break
        }
    }

    private mutating func take(_ other: Tint) {
        let isPressing = other == .positive || other == .warning || other == .critical
        if isPressing && (tint == .primary || other.rawValue > tint.rawValue) { tint = other }
    }
}
