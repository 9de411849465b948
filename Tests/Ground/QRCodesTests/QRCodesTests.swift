import Secrets
import Testing

@testable import QRCodes

/// QR codes of secrets, read back by a reader of the tests' own.
@Suite struct QRCodesTests {
    private static func secret(_ text: String) throws -> SecretBytes {
        try Array(text.utf8).withSpan { try SecretBytes(copying: $0) }
    }

    private static func modules(_ code: borrowing QRCode) -> [[Bool]] {
        var rows: [[Bool]] = []
        for row in 0..<code.side {
            var cells: [Bool] = []
            for column in 0..<code.side { cells.append(code.isDark(row, column)) }
            rows.append(cells)
        }
        return rows
    }

    /// The drawing's rows, without what sets colours.
    private static func lines(_ code: borrowing QRCode, _ ink: QRDrawing.Ink) throws -> [String] {
        let drawing = QRDrawing(side: code.side, ink)
        var lines: [String] = []
        for row in 0..<drawing.rows {
            var line = try SecretBuffer(capacity: 512)
            try drawing.draw(row: row, of: code, into: &line)
            lines.append(line.withBytes { String(decoding: $0.copyToArray(), as: UTF8.self) })
        }
        return lines
    }

    /// The capacities of versions 1 to 5 in bytes, with the lowest correction, are 17, 32, 53, 78, 106 (table 7).
    @Test(arguments: [(1, 1), (17, 1), (18, 2), (32, 2), (33, 3), (53, 3), (54, 4), (78, 4), (79, 5), (106, 5)])
    func `a text becomes the smallest code that holds it, and is read back`(count: Int, version: Int) throws {
        let text = String((0..<count).map { Character(UnicodeScalar(UInt8(33 + $0 % 94))) })
        let code = try QRCode(try Self.secret(text))
        let reader = SmallReader(Self.modules(code))
        #expect(reader.version == version && reader.isLowestLevel)
        #expect(reader.text == Array(text.utf8))
        #expect(!code.isDark(-1, 0) && !code.isDark(0, code.side) && code.isDark(0, 0))
    }

    @Test(arguments: [("Café", 26), ("Ключ", 26), ("鍵🔑", 26), ("plain", nil), ("", nil)])
    func `letters beyond ASCII say that they are UTF-8, and what is no text says nothing`(text: String, set: Int?)
        throws
    {
        // The last of them stands for bytes that are none.
        let bytes = text.isEmpty ? [0x63, 0xE9, 0x21] : Array(text.utf8)
        let code = try QRCode(try bytes.withSpan { try SecretBytes(copying: $0) })
        let reader = SmallReader(Self.modules(code))
        #expect(reader.characterSet == set && reader.text == bytes)
    }

    @Test func `nothing and too much have no code`() throws {
        #expect(throws: QRCodeError.empty) { _ = try QRCode(try Self.secret("")) }
        let longest = String(repeating: "x", count: QRCode.longestText)
        #expect(try QRCode(try Self.secret(longest)).side == 177)
        #expect(throws: QRCodeError.tooLong) { _ = try QRCode(try Self.secret(longest + "x")) }
        #expect(throws: QRCodeError.tooLong) { _ = try QRCode(try Self.secret(longest.dropLast(2) + "é")) }
    }

    @Test func `in colours each line says black and white, two modules in a cell, light around`() throws {
        let text = "WIFI:T:WPA;S:Café;P:a\\;b;;"
        let code = try QRCode(try Self.secret(text))
        let lines = try Self.lines(code, .colors)
        let drawing = QRDrawing(side: code.side, .colors)
        #expect(lines.count == drawing.rows && drawing.rows == (code.side + 9) / 2)
        #expect(lines.allSatisfy { $0.hasPrefix("\u{1B}[38;5;16;48;5;231m") && $0.hasSuffix("\u{1B}[0m") })
        let cells = lines.map { String($0.dropFirst("\u{1B}[38;5;16;48;5;231m".count).dropLast("\u{1B}[0m".count)) }
        #expect(cells.allSatisfy { $0.count == drawing.columns })
        #expect(cells.prefix(2).allSatisfy { $0.allSatisfy { $0 == " " } }, "four modules of quiet")
        #expect(cells.allSatisfy { $0.hasPrefix("    ") && $0.hasSuffix("    ") })
        let reader = SmallReader(cells) { cell in
            switch cell {
            case " ": [false, false]
            case "▀": [true, false]
            case "▄": [false, true]
            default: [true, true]
            }
        }
        #expect(reader.text == Array(text.utf8))
    }

    @Test(arguments: [false, true])
    func `without colours two cells are a module, for a light ground or for a dark one`(isInverted: Bool) throws {
        let code = try QRCode(try Self.secret("secret"))
        let lines = try Self.lines(code, .cells(isInverted: isInverted))
        #expect(lines.count == code.side + 8 && lines.allSatisfy { $0.count == 2 * (code.side + 8) })
        #expect(lines.allSatisfy { !$0.contains("\u{1B}") })
        let halves = lines.map { line in String(line.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)) }
        let reader = SmallReader(halves) { [($0 == "█") != isInverted] }
        #expect(reader.text == Array("secret".utf8))
    }

    /// Rows of "Barcode Contents", and what it says of special characters.
    @Test(arguments: [
        ("mynetwork", "mypass", "WIFI:T:WPA;S:mynetwork;P:mypass;;"),
        ("\"foo;bar\\baz\"", "x", "WIFI:T:WPA;S:\\\"foo\\;bar\\\\baz\\\";P:x;;"),
        ("Café: 2,4", "a:b,c", "WIFI:T:WPA;S:Café\\: 2\\,4;P:a\\:b\\,c;;"),
        ("ABCD", "12345678", "WIFI:T:WPA;S:\"ABCD\";P:12345678;;"), ("ABC", "", "WIFI:T:nopass;S:ABC;;"),
    ])
    func `a Wi-Fi is said as phones read it`(network: String, password: String, text: String) throws {
        let made = try WiFiText.make(network: network, password: try Self.secret(password))
        #expect(made.withBytes { String(decoding: $0.copyToArray(), as: UTF8.self) } == text)
    }
}
