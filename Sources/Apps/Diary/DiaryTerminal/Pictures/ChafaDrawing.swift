import Linux
import Secrets

/// Pictures by chafa, a program of the system, which gets them through its standard input and writes what a terminal
/// shows; nothing of them is in a file.
struct ChafaDrawing: ThumbnailDrawing {
    let path: String
    let format: PictureFormat

    /// Bytes of output; a picture of 20 by 7 cells takes less than 200,000.
    private static let limit = 4 << 20
    private static let patience = 2000

    /// Kitty's graphics protocol: delete all placements, and what was sent for them.
    var erasure: String { format == .kitty ? "\u{1B}_Ga=d,d=A\u{1B}\\" : "" }

    func draw(_ picture: [UInt8], at place: PicturePlace) -> String? {
        let arguments = [
            "-f", format.rawValue, "-s", "\(place.width)x\(place.height)", "--animate", "off", "--polite", "on", "-",
        ]
        let output = try? picture.withSpan { bytes in
            try ChildProcess.convert(
                path, arguments, input: bytes, limit: Self.limit, milliseconds: Self.patience)
        }
        return output.flatMap { $0 }.flatMap { TerminalPicture(format).text($0, at: place) }
    }
}
