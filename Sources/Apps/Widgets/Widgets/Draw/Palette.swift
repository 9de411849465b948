/// Whether a widget is drawn dark on light or light on dark.
public enum WidgetTheme: UInt8, CaseIterable, Sendable {
    /// Dark letters on a light ground.
    case light = 0
    /// Light letters on a dark ground.
    case dark = 1

    /// As the command line takes it.
    public var name: String { self == .light ? "light" : "dark" }
}

/// An opaque colour of sRGB.
public struct WidgetColor: Equatable, Sendable {
    /// 0 to 255.
    public let red: UInt8
    /// 0 to 255.
    public let green: UInt8
    /// 0 to 255.
    public let blue: UInt8

    /// - Parameter value: red, green and blue, a byte each, red the highest.
    public init(_ value: UInt32) {
        red = UInt8(value >> 16 & 255)
        green = UInt8(value >> 8 & 255)
        blue = UInt8(value & 255)
    }

    /// As CSS and SVG write it: `#1c1c1e`.
    public var hexadecimal: String {
        var text = "#"
        for byte in [red, green, blue] {
            for digit in [byte >> 4, byte & 15] {
                text.unicodeScalars.append(Unicode.Scalar(digit < 10 ? 48 + digit : 87 + digit))
            }
        }
        return text
    }
}

/// Which colour each meaning has.
///
/// Every tint has a contrast of at least 4.5 to 1 on the background, as WCAG 2.2 asks for text (1.4.3).
public struct Palette: Equatable, Sendable {
    private let background: UInt32
    private let tints: [UInt32]
    private let track: UInt32
    private let divider: UInt32
    private let mask: UInt32
    private let knob: UInt32
    /// How much of a colour is left where content is dimmed, of 1.
    public let dimming: Double

    /// For a screen with colours.
    ///
    /// - Parameters:
    ///   - theme: light or dark; a dimmed display is dark either way.
    ///   - isLuminanceReduced: whether the display is dimmed.
    public init(_ theme: WidgetTheme, isLuminanceReduced: Bool = false) {
        dimming = 0.5
        knob = isLuminanceReduced ? 0xb8b8be : 0xffffff
        if isLuminanceReduced {
            background = 0x000000
            tints = [0xb8b8be, 0x85858d, 0x8790d8, 0x5aa583, 0xb98f45, 0xc97570]
            (track, divider, mask) = (0x26262a, 0x26262a, 0x2c2c31)
        } else if theme == .dark {
            background = 0x1c1c20
            tints = [0xf4f4f7, 0xa4a4ae, 0x9aa5ff, 0x56cc98, 0xf3bc5c, 0xff8a82]
            (track, divider, mask) = (0x3a3a41, 0x3a3a41, 0x44444c)
        } else {
            background = 0xffffff
            tints = [0x1c1c20, 0x6a6a73, 0x4a55c8, 0x1a7a47, 0x9a5b00, 0xc0322c]
            (track, divider, mask) = (0xe6e6eb, 0xe0e0e6, 0xdcdce2)
        }
    }

    private init(paper: UInt32, ink: UInt32, track: UInt32, mask: UInt32) {
        background = paper
        tints = [UInt32](repeating: ink, count: Tint.allCases.count)
        self.track = track
        divider = ink
        self.mask = mask
        knob = paper
        dimming = 1
    }

    /// For a display that has black and white alone: greys become patterns, and nothing that is read is one.
    ///
    /// - Parameter theme: light is black on white.
    public static func ink(_ theme: WidgetTheme) -> Palette {
        theme == .light
            ? Palette(paper: 0xffffff, ink: 0x000000, track: 0xd0d0d0, mask: 0xa0a0a0)
            : Palette(paper: 0x000000, ink: 0xffffff, track: 0x404040, mask: 0x707070)
    }

    /// The colour of a paint.
    public func color(of paint: Paint) -> WidgetColor {
        switch paint {
        case .background: WidgetColor(background)
        case .tint(let tint): WidgetColor(tints[Int(tint.rawValue)])
        case .track: WidgetColor(track)
        case .divider: WidgetColor(divider)
        case .mask: WidgetColor(mask)
        case .knob: WidgetColor(knob)
        }
    }
}
