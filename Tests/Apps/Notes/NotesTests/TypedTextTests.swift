import Foundation
import Secrets
import Testing
import Thoroughness

@testable import Notes

/// A note is what was typed: its blocks, one after the other, are the text byte for byte.
@Suite struct TypedTextTests {
    /// TRESOR_TEXTS names another number of documents, TRESOR_SEED another beginning.
    private static let count = Thoroughness.count(4000, soak: 100_000, orBy: "TRESOR_TEXTS")
    private static let seed = ProcessInfo.processInfo.environment["TRESOR_SEED"].flatMap(UInt64.init)

    @Test func `random documents are kept byte for byte`() throws {
        let seed = Self.seed ?? .random(in: 0...(.max))
        var random = RandomDocument(seed: seed)
        var blockCount = 0
        for number in 0..<Self.count {
            let text = Array(random.make().utf8)
            let blocks = Markdown.split(text)
            blockCount += blocks.count
            let isKept = blocks.text == text && !blocks.contains { $0.source.isEmpty }
            // What is stored is what is kept; a tenth of them also as its record.
            let isStored =
                try number % 10 != 0 || NoteBody(from: NoteBody(blocks: blocks).encoded).blocks == blocks
            guard isKept, isStored else {
                Issue.record("seed \(seed), document \(number): \(Hexadecimal.encode(text))")
                return
            }
        }
        #expect(blockCount > Self.count, "documents have more than one block")
    }

    @Test func `the parts of a block are its source`() {
        var random = RandomDocument(seed: Self.seed ?? .random(in: 0...(.max)))
        for _ in 0..<Thoroughness.count(800, soak: 10_000) {
            for block in Markdown.split(Array(random.make().utf8)) {
                #expect(BlockParts(block.source).source == block.source)
            }
        }
    }

    @Test(arguments: ["gfm-0.29.txt", "gfm-extensions.txt"])
    func `the examples of the specifications are kept byte for byte`(_ file: String) throws {
        let examples = try Examples.documents(file)
        #expect(examples.count == (file == "gfm-0.29.txt" ? 673 : 28))
        for example in examples {
            for end in ["\n", "\r\n", "\r"] {
                let lines = example.replacing("\n", with: end)
                for text in [lines, lines + end, "\u{FEFF}" + lines + end + end, end + lines + " \t"] {
                    #expect(Markdown.split(Array(text.utf8)).text == Array(text.utf8))
                }
            }
        }
    }

    @Test func `each leaf begins a block, and what shows nothing is one too`() {
        let pieces = [
            "\n# Title\n\n", "Setext\n===\n", "* one\n", "* two\n\n  more\n\n", "[wifi]: secret\n", "[Anna]: 0171\n\n",
            "> quote\n>\n", "> second\n\n", "```\ncode\n\nmore\n```\n", "| a |\n|---|\n| b | c |\n\n", "<div>\n\n",
            "---\n",
            "\n    code\n\n    code\n\n", "3. three\n", "7. seven\n   - [ ] deep\n\n", "[last]: x",
        ]
        let found = Markdown.split(Array(pieces.joined().utf8)).map { String(decoding: $0.source, as: UTF8.self) }
        let expected = [
            "\n# Title\n\n", "Setext\n===\n", "* one\n", "* two\n\n", "  more\n\n", "[wifi]: secret\n",
            "[Anna]: 0171\n\n", "> quote\n>\n", "> second\n\n", "```\ncode\n\nmore\n```\n",
            "| a |\n|---|\n| b | c |\n\n", "<div>\n\n", "---\n\n", "    code\n\n    code\n\n",
            "3. three\n", "7. seven\n", "   - [ ] deep\n\n", "[last]: x",
        ]
        #expect(found == expected)
    }

    @Test func `every word that was typed is found`() {
        let text = """
            # Title

            See [the page](https://example.com/hidden) and ![alt](pic.png "caption").

            [wifi]: secret
            [^1]: footnote words

            | a | b |
            |---|---|
            | 1 | 2 | extra |

            <div class="boxed">shown</div>

            ```swift
            let x = 1
            ```
            """
        let found = Markdown.searchText(text)
        for word in ["hidden", "caption", "wifi", "secret", "footnote", "extra", "boxed", "shown", "swift", "let"] {
            #expect(found.contains(word), "\(word)")
        }
        let attachment = "![p](attachment:00112233445566778899aabbccddeeff)"
        #expect(Markdown.searchText("words\n\n\(attachment)\n") == "words\np")
        #expect(Markdown.searchText("plain words only") == "plain words only")
    }

    @Test func `a note of definitions alone has a title`() {
        #expect(Markdown.title(ofText: "\n[Anna]: 0171-1234567\n[Ben]: 0172\n") == "[Anna]: 0171-1234567")
        #expect(Markdown.title(ofText: "[a]: b\n\n# Shown\n") == "Shown" && Markdown.title(ofText: " \n\t\n") == "")
    }
}

/// Documents of others, beside this file.
enum Examples {
    static func documents(_ name: String) throws -> [String] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Examples").appendingPathComponent(name)
        let text = try String(contentsOf: file, encoding: .utf8).replacing("→", with: "\t")
        return text.components(separatedBy: "%%%\n").dropFirst().map { String($0.dropLast()) }
    }
}
