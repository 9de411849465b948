import Foundation
import Testing
import Tresor

@Suite struct Base64OfTheToolbox {
    /// RFC 4648, section 10, and the book's own.
    private static let known = [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"), ("Foobar", "Rm9vYmFy"), ("Grüße 🗝", "R3LDvMOfZSDwn5ed"),
    ]

    @Test(arguments: known) func `texts of the standard go both ways`(_ text: String, _ base64: String) {
        #expect(Base64.encode(text) == base64)
        #expect(Base64.decodeText(base64) == text)
        #expect(Base64.decode(base64) == Data(text.utf8))
    }

    @Test func `data of every length comes back, in lines of every kind`() throws {
        for count in 0..<200 {
            let data = Data((0..<count).map { _ in UInt8.random(in: 0...255) })
            for lines in Base64.Lines.allCases {
                for end in Base64.LineEnd.allCases {
                    let text = Base64.encode(data, lines: lines, lineEnd: end)
                    #expect(Base64.decode(text, ignoringUnknownCharacters: true) == data)
                }
            }
        }
    }

    @Test(arguments: [(Base64.Lines.of64, 64), (.of76, 76)])
    func `lines are as long as they should be`(_ lines: Base64.Lines, _ length: Int) {
        let data = Data(repeating: 1, count: 200)
        let parts = Base64.encode(data, lines: lines).components(separatedBy: "\r\n")
        #expect(parts.dropLast().allSatisfy { $0.utf8.count == length })
        #expect(parts.joined() == data.base64EncodedString())
        #expect(
            Base64.encode(data, lines: lines, lineEnd: .lineFeed).components(separatedBy: "\n").map(\.utf8.count)
                == parts.map(\.utf8.count))
        #expect(!Base64.encode(data).contains("\n"))
    }

    @Test(arguments: [
        "Rm9v=", "Rm9vYh==", "====", "=", "Zg=", "Zg", "Zh==", "Zm9=", "Rm9vYg==Rm9v", "Rm9v\r\nYmFy", " Rm9v",
        "Rm9v\n",
        "Rm9-", "Rm9_", "Zg==\0",
    ]) func `whatever is not the one text of its data is refused`(_ text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test func `unknown characters are ignored where that is asked for, and nothing else is`() {
        #expect(Base64.decodeText(" Rm9v\r\n?YmFy\u{7}ü", ignoringUnknownCharacters: true) == "Foobar")
        for text in ["Rm9vYg==\nRm9v", "====", "Rm9v=", "Zh=="] {
            #expect(Base64.decode(text, ignoringUnknownCharacters: true) == nil)
        }
    }

    @Test func `what is no text is refused as one`() {
        #expect(Base64.decode("/w==") == Data([255]))
        #expect(Base64.decodeText("/w==") == nil)
    }
}
