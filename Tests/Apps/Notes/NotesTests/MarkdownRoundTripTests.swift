import Testing
import Thoroughness

@testable import Notes

@Suite struct MarkdownRoundTripTests {
    @Test(arguments: MarkdownSamples.documents)
    func `a document that was read and written renders as before`(_ document: String) {
        let written = Markdown.render(Markdown.blocks(from: document))
        #expect(MarkdownLibrary.html(of: written) == MarkdownLibrary.html(of: document), "\(written)")
    }

    @Test(arguments: MarkdownSamples.documents + MarkdownSamples.normalized)
    func `what was written once stays as it is`(_ document: String) {
        let written = Markdown.render(Markdown.blocks(from: document))
        #expect(Markdown.render(Markdown.blocks(from: written)) == written)
    }

    @Test(arguments: MarkdownSamples.documents)
    func `blocks keep their content exactly`(_ document: String) {
        let blocks = Markdown.blocks(from: document)
        #expect(Markdown.blocks(from: Markdown.render(blocks)).map(\.content) == blocks.map(\.content))
    }

    @Test func `lines that come together at random keep their meaning`() {
        var random = SplitMix64(seed: 7)
        for _ in 0..<Thoroughness.count(1500, soak: 20_000) {
            let document = MarkdownSamples.makeDocument(&random)
            let written = Markdown.render(Markdown.blocks(from: document))
            #expect(visible(written) == visible(document), "\(document)\n→\n\(written)")
            #expect(Markdown.render(Markdown.blocks(from: written)) == written, "\(document)\n→\n\(written)")
        }
    }

    /// HTML without what is normalised: the indentation of lines and blank ones.
    private func visible(_ document: String) -> String {
        let html = MarkdownLibrary.html(of: document)
        let lines = html.split(separator: "\n").map { line in line.drop { $0 == " " || $0 == "\t" } }
        return lines.filter { !$0.isEmpty }.joined(separator: "\n").replacing("\n</code>", with: "</code>")
    }
}

/// Repeatable random numbers (Steele, Lea and Flood: Fast splittable pseudorandom number generators, 2014).
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
