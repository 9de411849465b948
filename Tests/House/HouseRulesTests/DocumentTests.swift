import Checkout
import Foundation
import Testing

/// What documents name is there: files, their parts, targets of make, and the recording as it was recorded.
@Suite struct DocumentTests {
    @Test(arguments: Document.all) func `what a page links to and names is there`(_ page: String) throws {
        let document = try Document(page)
        #expect(document.links.filter { !document.leads(to: $0) } == [], "links")
        // What has changed in a release is told by the names of then.
        if page != "CHANGELOG.md" {
            #expect(document.paths.filter { !Document.isThere($0) } == [], "paths")
        }
        let makefile = try Document.text("Makefile")
        #expect(document.targets.filter { !makefile.contains("\n\($0):") } == [], "make")
    }

    @Test func `the rules about pages would see what is not there`() {
        let page = Document(
            path: "docs/page.md",
            text: """
                # The page
                [one](gone.md#part) `[not](a link)` [web](https://example.com) [here](#the-page) [there](#nowhere)
                [up](../README.md#beside-others) [off](../README.md#gone) <img src="gone.svg">
                `Sources/Gone/A.swift`, `Sources/*/A.swift`, `Sources/Gone/*/A.swift`, `make gone FAST=1`, `make test`
                ```
                [code](code.md)
                make lost     # a line to type
                ```
                """)
        #expect(
            page.links.filter { !page.leads(to: $0) } == ["gone.md#part", "#nowhere", "../README.md#gone", "gone.svg"])
        #expect(page.links.count == 6, "neither code nor the web")
        #expect(page.paths.filter { !Document.isThere($0) } == ["Sources/Gone/A.swift", "Sources/Gone/*/A.swift"])
        #expect(page.targets == ["gone", "test", "lost"])
        #expect(Document.all.count > 80 && Document.all.contains("docs/decisions/0032-keystones-twice.md"))
    }

    @Test func `README takes five minutes at most`() throws {
        let words = try Document("README.md").wordCount
        #expect(words > 400 && words <= 900, "\(words) words")
        let some = Document(path: "a.md", text: "three words here\n```\nand code\n```\n| a | table |\n")
        #expect(some.wordCount == 8, "a table counts, with its lines; code does not")
    }

    @Test func `README and the policy say the version that the programs say`() throws {
        let source = try Document.text("Sources/Vault/StoreTables/Version.swift")
        let version = try #require(source.firstMatch(of: #/text = "([0-9.]+)"/#)).output.1
        for page in ["README.md", "docs/STATE.md", "SECURITY.md"] {
            #expect(try Document.text(page).contains("ersion \(version)"), "\(page)")
        }
    }

    @Test func `the recording of README is drawn from its text`() throws {
        let outcome = try HouseScript.check("recording.py")
        #expect(outcome.code == 0, "\(outcome.text)")
    }

    @Test func `a recording that was changed and not drawn is seen`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("docs-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["recording.txt", "recording-light.svg", "recording-dark.svg"] {
            try FileManager.default.copyItem(
                at: Checkout.root.appendingPathComponent("docs/" + name), to: folder.appendingPathComponent(name))
        }
        #expect(try HouseScript.check("recording.py", "--docs", folder.path).code == 0)
        let text = folder.appendingPathComponent("recording.txt")
        let changed = try String(contentsOf: text, encoding: .utf8) + "$ tresor status\n"
        try changed.write(to: text, atomically: true, encoding: .utf8)
        let outcome = try HouseScript.check("recording.py", "--docs", folder.path)
        #expect(outcome.code == 1 && outcome.text.contains("recording-dark.svg"), "\(outcome.text)")
    }
}

/// A page in Markdown, by its path from the top of the checkout.
struct Document {
    let path: String
    let text: String

    init(path: String, text: String) {
        (self.path, self.text) = (path, text)
    }

    init(_ path: String) throws {
        self.init(path: path, text: try Self.text(path))
    }

    /// Every page that is ours.
    static let all: [String] = {
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

    /// The lines inside of fenced code, or those outside.
    private func lines(inCode wanted: Bool) -> [String] {
        var isCode = false
        return text.components(separatedBy: "\n").filter { line in
            let isFence = line.trimmingCharacters(in: .whitespaces).hasPrefix("```")
            if isFence { isCode.toggle() }
            return !isFence && isCode == wanted
        }
    }

    private var prose: String { lines(inCode: false).joined(separator: "\n") }

    var wordCount: Int { prose.split { $0.isWhitespace }.count }

    /// Where links and pictures lead, without those into the web.
    var links: [String] {
        let inText = prose.replacing(#/`[^`\n]*`/#, with: "")
        let found =
            inText.matches(of: #/\]\(<?([^)\s>]+)>?\)/#).map { String($0.output.1) }
            + inText.matches(of: #/(?:src|srcset|href)="([^"\s]+)"/#).map { String($0.output.1) }
        return found.filter { !$0.contains("://") && !$0.hasPrefix("mailto:") }
    }

    /// Whether there is a file, and in a page of ours a heading, where a link leads.
    func leads(to link: String) -> Bool {
        let parts = link.components(separatedBy: "#")
        let folder = path.contains("/") ? path.components(separatedBy: "/").dropLast().joined(separator: "/") + "/" : ""
        let url = Checkout.root.appendingPathComponent(folder + parts[0]).standardized
        guard parts[0].isEmpty || FileManager.default.fileExists(atPath: url.path) else { return false }
        guard parts.count > 1, parts[0].isEmpty || url.pathExtension == "md" else { return true }
        let target = parts[0].isEmpty ? text : (try? String(contentsOf: url, encoding: .utf8)) ?? ""
        return Document(path: parts[0], text: target).headings.contains(parts[1])
    }

    /// The headings as links write them: small letters, a hyphen for each space, and neither marks nor other signs.
    private var headings: Set<String> {
        Set(
            lines(inCode: false).filter { $0.hasPrefix("#") }.map { line in
                let title = line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
                let hyphened = title.replacingOccurrences(of: " ", with: "-")
                return hyphened.filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
            })
    }

    /// Paths in backticks that begin with a folder of this checkout.
    var paths: [String] {
        prose.matches(of: #/`((?:Sources|Tests|docs|specs|packaging|vectors|Benchmarks|\.ci)/[^`\s]*)`/#)
            .map { String($0.output.1) }
    }

    /// Of a pattern, such as `docs/*/a.md` or `specs/<name>.md`, the folder before it has to be there.
    static func isThere(_ path: String) -> Bool {
        var fixed = path
        for sign in ["*", "…", "{", "<", "NNNN", "NAME"] {
            if let range = fixed.range(of: sign) { fixed = String(fixed[..<range.lowerBound]) }
        }
        if fixed != path { fixed = fixed.components(separatedBy: "/").dropLast().joined(separator: "/") }
        return FileManager.default.fileExists(atPath: Checkout.root.appendingPathComponent(fixed).path)
    }

    /// What make is asked for, in backticks or on a line of code.
    var targets: [String] {
        prose.matches(of: #/`make ([a-z][a-z-]*)[^`\n]*`/#).map { String($0.output.1) }
            + lines(inCode: true).compactMap {
                $0.prefixMatch(of: #/(?:\$ )?make ([a-z][a-z-]*)/#).map { String($0.output.1) }
            }
    }
}

/// A script of packaging that says whether what it makes is stale.
enum HouseScript {
    static func check(_ name: String, _ more: String...) throws -> (code: Int32, text: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [Checkout.root.appendingPathComponent("packaging/" + name).path, "--check"] + more
        let said = Pipe()
        process.standardError = said
        process.standardOutput = said
        try process.run()
        let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (code: process.terminationStatus, text: text)
    }
}
