package import Widgets

/// How many pixels a point has a side.
package enum DrawScale: UInt8, CaseIterable, Sendable {
    /// As many pixels as points.
    case one = 1
    /// Four pixels for each.
    case two = 2
}

/// Which colours a picture has.
package enum DrawDepth: UInt8, CaseIterable, Sendable {
    /// Black and white, a bit for each pixel: for displays of electronic ink.
    case ink = 1
    /// Red, green, blue and opacity, 8 bits each; the corners are transparent.
    case color = 8
}

/// What `tresor-draw` is asked; specs/draw-stream.md.
///
///     let request = DrawRequest(frame: bytes, scale: .two, depth: .color, theme: .dark)
package struct DrawRequest: Equatable, Sendable {
    /// The bytes of a request at most, without its length.
    package static let limit = 16 << 20
    private static let headByteCount = 4

    /// As `Frame.encode()` gives it, and not looked at yet.
    package var frame: [UInt8]
    /// Pixels for each point.
    package var scale: DrawScale
    /// Its colours.
    package var depth: DrawDepth
    /// Dark on light or light on dark.
    package var theme: WidgetTheme

    /// - Parameters:
    ///   - frame: as `Frame.encode()` gives it.
    ///   - scale: pixels for each point.
    ///   - depth: its colours.
    ///   - theme: dark on light or light on dark.
    package init(frame: [UInt8], scale: DrawScale, depth: DrawDepth, theme: WidgetTheme) {
        self.frame = frame
        self.scale = scale
        self.depth = depth
        self.theme = theme
    }

    /// The length and what follows it; nil where that is more than ``limit``.
    package var encoded: [UInt8]? {
        let count = frame.count + Self.headByteCount
        guard count <= Self.limit else { return nil }
        return DrawLength.encode(count) + [1, scale.rawValue, depth.rawValue, theme.rawValue] + frame
    }

    /// - Parameter body: without its length; nil for what is no request.
    package init?(_ body: [UInt8]) {
        guard body.count >= Self.headByteCount, body.count <= Self.limit, body[0] == 1,
            let scale = DrawScale(rawValue: body[1]), let depth = DrawDepth(rawValue: body[2]),
            let theme = WidgetTheme(rawValue: body[3])
        else { return nil }
        self.init(frame: Array(body[Self.headByteCount...]), scale: scale, depth: depth, theme: theme)
    }
}

/// What `tresor-draw` answers; specs/draw-stream.md.
package enum DrawAnswer: Equatable, Sendable {
    /// A PNG.
    case png([UInt8])
    /// Nothing was drawn.
    case refused(Refusal)

    /// Why nothing was drawn.
    package enum Refusal: UInt8, CaseIterable, Sendable {
        /// Of another version, or with a value that there is none of.
        case badRequest = 1
        /// The frame's bytes are none.
        case badFrame = 2
        /// There was no memory.
        case failed = 3
    }

    /// The bytes of an answer at most, without its length: the largest family at scale 2, uncompressed, is half of it.
    package static let limit = 8 << 20

    /// The length and what follows it.
    package var encoded: [UInt8] {
        switch self {
        case .png(let png): DrawLength.encode(png.count + 1) + [0] + png
        case .refused(let refusal): DrawLength.encode(1) + [refusal.rawValue]
        }
    }

    /// - Parameter body: without its length; nil for what is no answer.
    package init?(_ body: [UInt8]) {
        guard let code = body.first, body.count <= Self.limit else { return nil }
        if code == 0 {
            guard body.dropFirst().starts(with: [0x89, 0x50, 0x4e, 0x47]) else { return nil }
            self = .png(Array(body.dropFirst()))
        } else {
            guard body.count == 1, let refusal = Refusal(rawValue: code) else { return nil }
            self = .refused(refusal)
        }
    }
}

/// The length before each message, big-endian.
package enum DrawLength {
    /// Bytes that it takes.
    package static let byteCount = 4

    static func encode(_ count: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(count >> $0 & 255) } }

    /// - Parameter bytes: ``byteCount`` of them, at least.
    package static func decode(_ bytes: [UInt8]) -> Int { bytes.prefix(byteCount).reduce(0) { $0 << 8 | Int($1) } }
}

/// How `tresor-draw` ends, see sysexits.h for the numbers' family.
package enum DrawExit {
    /// There was nothing more to draw.
    package static let done: Int32 = 0
    /// No font, or no memory to begin with.
    package static let failed: Int32 = 70
    /// A length beyond the limit, or an end within a message.
    package static let badStream: Int32 = 76
    /// The system does not let the program give up what it needs not.
    package static let noSandbox: Int32 = 77
}
