@testable import TerminalScreen

/// What stands behind the cursor's movement, if that is all that there is before it.
private func body(_ sent: [UInt8], from introducer: String) -> Substring? {
    let text = String(decoding: sent, as: UTF8.self)
    guard let start = text.range(of: introducer) else { return nil }
    let move = text[..<start.lowerBound]
    guard move.hasPrefix("\u{1B}["), move.hasSuffix("H"), move.dropFirst(2).dropLast().allSatisfy(\.isDigitOrSemicolon)
    else { return nil }
    return text[start.lowerBound...]
}

extension Character {
    fileprivate var isDigitOrSemicolon: Bool { isASCII && (isNumber || self == ";") }
}

extension String {
    fileprivate func range(of word: String) -> Range<Index>? {
        indices.first { self[$0...].hasPrefix(word) }.map { $0..<index($0, offsetBy: word.count) }
    }
}

/// Kitty's protocol, as much of it as is used.
struct KittyReading {
    let pixels: Pixels
    let columns: Int
    let rows: Int
    let pieces: Int
    let isQuiet: Bool

    init?(_ sent: [UInt8]) {
        guard let text = body(sent, from: "\u{1B}_G") else { return nil }
        let pieces = text.split(separator: "\u{1B}\\", omittingEmptySubsequences: true)
        var keys: [Substring: Substring] = [:]
        var data = ""
        for (index, piece) in pieces.enumerated() {
            let parts = piece.split(separator: ";", omittingEmptySubsequences: false)
            guard piece.hasPrefix("\u{1B}_G"), parts.count == 2, parts[1].count <= 4096 else { return nil }
            var own: [Substring: Substring] = [:]
            for pair in parts[0].dropFirst(3).split(separator: ",") {
                let sides = pair.split(separator: "=")
                guard sides.count == 2 else { return nil }
                own[sides[0]] = sides[1]
            }
            guard own["m"] == (index < pieces.count - 1 ? "1" : "0") else { return nil }
            if index == 0 { keys = own }
            data += parts[1]
        }
        guard keys["a"] == "T", keys["f"] == "24", let bytes = Self.decode(data),
            let width = keys["s"].flatMap({ Int($0) }), let height = keys["v"].flatMap({ Int($0) }),
            let pixels = Pixels(width: width, height: height, bytes)
        else { return nil }
        self.pixels = pixels
        columns = keys["c"].flatMap { Int($0) } ?? 0
        rows = keys["r"].flatMap { Int($0) } ?? 0
        self.pieces = pieces.count
        isQuiet = keys["q"] == "2"
    }

    private static func decode(_ text: String) -> [UInt8]? {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var (bytes, bits, count): ([UInt8], Int, Int) = ([], 0, 0)
        for character in text.utf8 {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            (bits, count) = (bits << 6 | value, count + 6)
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(bits >> count & 255))
            }
            bits &= (1 << count) - 1
        }
        return bytes
    }
}

/// Sixels, as a VT340 reads them.
struct SixelReading {
    let pixels: Pixels
    private(set) var bands = 0
    private(set) var colors = 0

    init?(_ sent: [UInt8]) {
        guard let text = body(sent, from: "\u{1B}P"), text.hasPrefix("\u{1B}P0;1;0q\""), text.hasSuffix("\u{1B}\\")
        else {
            return nil
        }
        var rest = Array(text.dropFirst(9).dropLast(2).utf8)[...]
        func numbers() -> [Int] {
            let run = rest.prefix { (0x30...0x39).contains($0) || $0 == 0x3B }
            rest = rest.dropFirst(run.count)
            return String(decoding: run, as: UTF8.self).split(separator: ";").map { Int($0) ?? 0 }
        }
        let raster = numbers()
        guard raster.count == 4, raster[2] > 0, raster[3] > 0 else { return nil }
        let (width, height) = (raster[2], raster[3])
        var bytes = [UInt8](repeating: 7, count: width * height * 3)
        var palette: [Int: [UInt8]] = [:]
        var (color, column, repeats) = (0, 0, 1)
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "#"):
                let given = numbers()
                color = given[0]
                if given.count == 5 { palette[color] = given[2...].map { UInt8(($0 * 255 + 50) / 100) } }
            case UInt8(ascii: "!"): repeats = numbers()[0]
            case UInt8(ascii: "$"): column = 0
            case UInt8(ascii: "-"): (bands, column) = (bands + 1, 0)
            case 0x3F...0x7E:
                guard let drawn = palette[color], column + repeats <= width else { return nil }
                for bit in 0..<6 where (byte - 0x3F) >> UInt8(bit) & 1 == 1 {
                    let row = bands * 6 + bit
                    guard row < height else { return nil }
                    for at in column..<column + repeats {
                        for channel in 0..<3 { bytes[(row * width + at) * 3 + channel] = drawn[channel] }
                    }
                }
                (column, repeats) = (column + repeats, 1)
            default: return nil
            }
        }
        guard let pixels = Pixels(width: width, height: height, bytes) else { return nil }
        self.pixels = pixels
        colors = palette.count
    }
}

/// Half blocks in colours, from a terminal's cells.
struct BlockReading {
    let pixels: Pixels
    private(set) var rows: [Int] = []
    private(set) var columns: [Int] = []

    init?(_ sent: [UInt8]) {
        var rest = String(decoding: sent, as: UTF8.self).unicodeScalars[...]
        var (row, column) = (0, 0)
        var front: [UInt8]?
        var back: [UInt8]?
        var cells: [(row: Int, column: Int, front: [UInt8], back: [UInt8]?)] = []
        while let scalar = rest.popFirst() {
            guard scalar == "\u{1B}" else {
                guard scalar == "▀", let front else { return nil }
                cells.append((row, column, front, back))
                column += 1
                continue
            }
            guard rest.popFirst() == "[" else { return nil }
            let parameters = rest.prefix { $0 == ";" || ("0"..."9").contains($0) }
            rest = rest.dropFirst(parameters.count)
            let numbers = String(parameters).split(separator: ";").map { Int($0) ?? 0 }
            switch rest.popFirst() {
            case "H": (row, column) = (numbers[0] - 1, numbers[1] - 1)
            case "m": if !Self.take(numbers, &front, &back) { return nil }
            default: return nil
            }
        }
        rows = cells.map(\.row)
        columns = cells.map(\.column)
        guard let top = rows.min(), let left = columns.min(), let bottom = rows.max(), let right = columns.max() else {
            return nil
        }
        let (width, height) = (right - left + 1, (bottom - top + 1) * 2)
        let isOdd = cells.contains { $0.back == nil }
        var bytes = [UInt8](repeating: 0, count: width * height * 3)
        for cell in cells {
            let at = ((cell.row - top) * 2 * width + cell.column - left) * 3
            bytes.replaceSubrange(at..<at + 3, with: cell.front)
            if let back = cell.back { bytes.replaceSubrange(at + width * 3..<at + width * 3 + 3, with: back) }
        }
        let seen = isOdd ? height - 1 : height
        guard let pixels = Pixels(width: width, height: seen, Array(bytes.prefix(width * seen * 3))) else { return nil }
        self.pixels = pixels
    }

    private static func take(_ numbers: [Int], _ front: inout [UInt8]?, _ back: inout [UInt8]?) -> Bool {
        var rest = numbers[...]
        while let code = rest.popFirst() {
            switch code {
            case 0: (front, back) = (nil, nil)
            case 49: back = nil
            case 38, 48:
                guard let color = color(&rest) else { return false }
                if code == 38 { front = color } else { back = color }
            default: return false
            }
        }
        return true
    }

    private static func color(_ rest: inout ArraySlice<Int>) -> [UInt8]? {
        let kind = rest.popFirst()
        if kind == 2, rest.count >= 3 {
            defer { rest = rest.dropFirst(3) }
            return rest.prefix(3).map { UInt8(clamping: $0) }
        }
        guard kind == 5, let index = rest.popFirst(), (16...255).contains(index) else { return nil }
        if index >= 232 { return Array(repeating: UInt8(8 + (index - 232) * 10), count: 3) }
        let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
        return [(index - 16) / 36, (index - 16) / 6 % 6, (index - 16) % 6].map { levels[$0] }
    }
}
