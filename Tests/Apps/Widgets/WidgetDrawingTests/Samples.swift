import Checkout
import Foundation
import WidgetDrawing
import Widgets

/// The program that the tests run.
enum Programs {
    static let drawing = Checkout.programs + "/tresor-draw"

    /// A fresh one, with more patience than people have: tests share the processor.
    static func make(patience: Int = 20_000) -> DrawingProgram { DrawingProgram(path: drawing, patience: patience) }
}

/// Frames that the tests draw.
enum Sample {
    static func frame(
        _ family: WidgetFamily, _ root: FrameNode, state: Frame.State = .shown, isLuminanceReduced: Bool = false,
        name: String = "Notes"
    ) -> Frame {
        Frame(
            WidgetConfiguration(
                kind: "sample", displayName: name, summary: "", symbol: .note, families: [family],
                protection: .completeUntilFirstUserAuthentication),
            family: family, state: state,
            isLuminanceReduced: isLuminanceReduced, root: root)
    }

    static func text(
        _ content: String, _ font: Font = .body, _ tint: Tint = .primary, isBold: Bool = false, lines: UInt8 = 0,
        isDimmed: Bool = false
    ) -> FrameNode {
        .text(TextRun(content, font: font, tint: tint, isBold: isBold, lineLimit: lines), isDimmed: isDimmed)
    }

    static func column(_ nodes: [FrameNode], _ alignment: Alignment = .leading, spacing: UInt8 = 4) -> FrameNode {
        .stack(.vertical, alignment, spacing: spacing, nodes)
    }

    static func row(_ nodes: [FrameNode], _ alignment: Alignment = .center, spacing: UInt8 = 6) -> FrameNode {
        .stack(.horizontal, alignment, spacing: spacing, nodes)
    }

    static func symbol(_ name: SymbolName, _ tint: Tint = .accent) -> FrameNode { .symbol(name, tint, isDimmed: false) }

    static func gauge(_ style: GaugeStyle, _ part: Int, of whole: Int, _ label: FrameNode = .empty) -> FrameNode {
        .gauge(style, GaugeValue(part, of: whole), label: label, isDimmed: false)
    }

    /// Something of every sort, as it would stand in a widget of this family.
    static func content(_ family: WidgetFamily) -> FrameNode {
        switch family {
        case .systemSmall:
            column([
                row([symbol(.checklist), text("Packing", .headline)]), .spacer,
                text("5 of 8", .largeTitle),
                gauge(.linear, 5, of: 8, text("Left: socks, book, maps", .caption, .secondary)),
            ])
        case .systemMedium:
            row([
                column([
                    row([symbol(.note), text("Recent notes", .headline)]), .divider,
                    text("Letter to the landlord about the heating", lines: 1), text("Recipe: lemon tart", lines: 1),
                    text("Ideas for Saturday", .body, .secondary, lines: 1),
                ]), .spacer, gauge(.circular, 7, of: 10, text("7", .headline)),
            ])
        case .systemLarge, .systemExtraLarge:
            column(
                [
                    row([
                        symbol(.shield), text("Keychain health", .title, isBold: true), .spacer,
                        symbol(.lock, .secondary),
                    ]),
                    .divider,
                    row([symbol(.warning, .warning), text("3 weak"), .spacer, text("12", .monospaced, .warning)]),
                    row([symbol(.key, .critical), text("1 reused"), .spacer, text("2", .monospaced, .critical)]),
                    row([symbol(.check, .positive), text("48 good"), .spacer, text("48", .monospaced, .positive)]),
                    gauge(.linear, 48, of: 52, text("Good", .caption, .secondary)),
                    .toggle(isOn: true, label: text("Watch for leaks"), isDimmed: false),
                    .toggle(isOn: false, label: text("Ask each time"), isDimmed: true),
                    .image(Picture(Pictures.png, width: 120, height: 60, label: "Hills"), isDimmed: false),
                    text("Last looked at today", .caption, .secondary),
                ], spacing: 8)
        case .accessoryInline: row([symbol(.calendar), text("Thu 12: dentist at half past nine")])
        case .accessoryCircular: gauge(.circular, 21, of: 30, column([text("21", .title, isBold: true)], .center))
        case .accessoryRectangular:
            column(
                [
                    row([symbol(.flame, .warning), text("12 days", .headline)]),
                    gauge(.linear, 12, of: 30, text("of writing", .caption, .secondary)),
                ], spacing: 2)
        }
    }

    /// The masks of all of it.
    static func masks(_ family: WidgetFamily) -> FrameNode {
        switch family {
        case .accessoryInline: row([.mask(.image), .mask(.text(.body, columns: 6))])
        case .accessoryCircular: .mask(.gauge(.circular))
        case .accessoryRectangular: column([.mask(.text(.headline, columns: 6)), .mask(.gauge(.linear))])
        default:
            column([
                row([.mask(.image), .mask(.text(.headline, columns: 6))]), .mask(.text(.largeTitle, columns: 6)),
                .mask(.block), .mask(.toggle), .mask(.gauge(.linear)),
            ])
        }
    }
}

/// Small pictures.
enum Pictures {
    /// 6 by 3 pixels, red at the left and blue at the right.
    static let png = bytes(
        "iVBORw0KGgoAAAANSUhEUgAAAAYAAAADCAIAAAA/Y+msAAAAFUlE"
            + "QVR4nGM4oaEBQRo2JyCIgSghAEJPFGXhgqSvAAAAAElFTkSuQmCC"
    )

    /// 16 by 8 pixels of red.
    static let jpeg = bytes(
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMU\
        FRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU\
        FBQUFBQUFBT/wAARCAAIABADAREAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAf/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QA\
        FgEBAQEAAAAAAAAAAAAAAAAAAAcI/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AhiXt1gP/2Q==
        """)

    /// The same, in several passes.
    static let progressiveJPEG = bytes(
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8Q\
        EBEQCgwSExIQEw8QEBD/2wBDAQMDAwQDBAgEBAgQCwkLEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQ\
        EBAQEBAQEBD/wgARCAAIABADAREAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAb/xAAWAQEBAQAAAAAAAAAAAAAAAAAABgf/\
        2gAMAwEAAhADEAAAAYWX3Uf/xAAUEAEAAAAAAAAAAAAAAAAAAAAQ/9oACAEBAAEFAj//xAAUEQEAAAAAAAAAAAAAAAAAAAAQ/9oA\
        CAEDAQE/AT//xAAUEQEAAAAAAAAAAAAAAAAAAAAQ/9oACAECAQE/AT//xAAUEAEAAAAAAAAAAAAAAAAAAAAQ/9oACAEBAAY/Aj//\
        xAAUEAEAAAAAAAAAAAAAAAAAAAAQ/9oACAEBAAE/IT//2gAMAwEAAgADAAAAELf/xAAUEQEAAAAAAAAAAAAAAAAAAAAQ/9oACAED\
        AQE/ED//xAAUEQEAAAAAAAAAAAAAAAAAAAAQ/9oACAECAQE/ED//xAAUEAEAAAAAAAAAAAAAAAAAAAAQ/9oACAEBAAE/ED//2Q==
        """)

    /// For a printer: of cyan, magenta, yellow and black, which no screen has.
    static let printJPEG = bytes(
        """
        /9j/7gAOQWRvYmUAZAAAAAAC/9sAQwADAgICAgIDAgICAwMDAwQGBAQEBAQIBgYFBgkICgoJCAkJCgwPDAoLDgsJCQ0RDQ4PEBAR\
        EAoMEhMSEBMPEBAQ/9sAQwEDAwMEAwQIBAQIEAsJCxAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQ\
        EBAQEBAQ/8AAFAgACAAQBAERAAIRAQMRAQQRAP/EABYAAQEBAAAAAAAAAAAAAAAAAAAHCP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/\
        xAAVAQEBAAAAAAAAAAAAAAAAAAAACP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAOBAEAAhEDEQQAAD8Ai6wF4NqgD//Z
        """)

    static func bytes(_ base64: String) -> [UInt8] { Array(Data(base64Encoded: base64) ?? Data()) }
}
