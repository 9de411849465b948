import Checkout
import Foundation
import Testing

/// What documents name is there: files, targets of make, and the recording as it was recorded.
@Suite struct DocumentTests {
    /// Every page in Markdown that is ours, by its path from the top.
    static let pages: [String] = {
        let enumerator = FileManager.default.enumerator(at: Checkout.root, includingPropertiesForKeys: nil)
        var pages: [String] = []
        while let url = enumerator?.nextObject() as? URL {
            let path = String(url.path.dropFirst(Checkout.root.path.count + 1))
            if path.hasPrefix(".") || path == "Tests" { enumerator?.skipDescendants() }
            if url.pathExtension == "md" { pages.append(path) }
        }
        return pages.sorted()
    }()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: Checkout.root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The lines outside of fenced code.
    static func prose(_ text: String) -> String {
        var isCode = false
        return text.components(separatedBy: "\n").filter { line in
            let isFence = line.trimmingCharacters(in: .whitespaces).hasPrefix("```")
            if isFence { isCode.toggle() }
            return !isCode && !isFence
        }.joined(separator: "\n")
    }

    /// Where links lead, without those into the web and into the page itself.
    static func links(_ text: String) -> [String] {
        let inText = prose(text).replacing(#/`[^`\n]*`/#, with: "")
        return inText.matches(of: #/\]\(<?([^)\s>]+)>?\)/#).map { String($0.output.1) }
            .filter { !$0.contains("://") && !$0.hasPrefix("#") && !$0.hasPrefix("mailto:") }
            .map { $0.components(separatedBy: "#")[0] }
    }

    /// Paths in backticks that begin with a folder of this checkout.
    static func paths(_ text: String) -> [String] {
        prose(text).matches(
            of: #/`((?:Sources|Tests|docs|specs|packaging|vectors|Benchmarks|\.ci)/[^`\s]*)`/#
        ).map { String($0.output.1) }
            .filter { !$0.contains(where: { "*…{<".contains($0) }) && !$0.contains("NNNN") && !$0.contains("NAME") }
    }

    /// What `make …` in backticks is asked for.
    static func targets(_ text: String) -> [String] {
        text.matches(of: #/`make ([a-z][a-z-]*)[^`\n]*`/#).map { String($0.output.1) }
    }

    static func isThere(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: Checkout.root.appendingPathComponent(path).standardized.path)
    }

    @Test(arguments: pages) func `what a page links to and names is there`(_ page: String) throws {
        let text = try Self.text(page)
        let folder = page.contains("/") ? page.components(separatedBy: "/").dropLast().joined(separator: "/") + "/" : ""
        #expect(Self.links(text).filter { !Self.isThere(folder + $0) } == [], "links")
        // Decisions tell what was decided then, by the names of then.
        if !page.hasPrefix("docs/decisions/"), page != "CHANGELOG.md" {
            #expect(Self.paths(text).filter { !Self.isThere($0) } == [], "paths")
        }
        let makefile = try Self.text("Makefile")
        #expect(Self.targets(text).filter { !makefile.contains("\n\($0):") } == [], "make")
    }

    @Test func `the rules about pages would see what is not there`() {
        let page = """
            [one](docs/gone.md#part) `[not](a link)` [web](https://example.com) [here](#here)
            `Sources/Gone/A.swift` and `Sources/*/A.swift`, `make gone FAST=1`
            ```
            [code](code.md)
            ```
            """
        #expect(Self.links(page) == ["docs/gone.md"] && !Self.isThere("docs/gone.md"))
        #expect(Self.paths(page) == ["Sources/Gone/A.swift"] && Self.targets(page) == ["gone"])
        #expect(Self.pages.count > 80)
    }

    @Test func `README takes five minutes at most`() throws {
        let words = Self.prose(try Self.text("README.md")).split { $0.isWhitespace }.count
        #expect(words <= 900, "\(words) words")
    }

    @Test func `the recording of README is drawn from its text`() throws {
        let outcome = try HouseScript.check("recording.py")
        #expect(outcome.code == 0, "\(outcome.text)")
    }
}

/// A script of packaging that says whether what it makes is stale.
enum HouseScript {
    static func check(_ name: String) throws -> (code: Int32, text: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [Checkout.root.appendingPathComponent("packaging/" + name).path, "--check"]
        let said = Pipe()
        process.standardError = said
        try process.run()
        let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (code: process.terminationStatus, text: text)
    }
}
