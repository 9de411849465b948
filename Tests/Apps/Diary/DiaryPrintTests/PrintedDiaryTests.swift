import DiaryClient
import DiaryFormats
import DiaryPrint
import DiaryViews
import Foundation
import Linux
import PrintStream
import ShippedCatalogues
import Testing

/// The real program, and what readers of PDF find in what it writes (needs poppler-utils and qpdf).
@Suite(.enabled(if: Programs.haveReaders, "needs poppler-utils and qpdf")) struct PrintedDiaryTests {
    init() throws { try ShippedCatalogue.keepAll() }

    private static let words = "Nebel lag über der Bucht, und die Boote waren nur Stimmen. "

    @Test func `every kind of writing is in the book, in its order`() throws {
        let folder = try Folder()
        let text = """
            # Fjord
            A *slanted* and **strong** word, `code()` and a [link](https://example.org/a(b)).

            - first
            - [x] done
            1. number

            > quoted

            ```
            let boat = 1
            ```
            ---
            ![Below](media:0)
            last words
            """
        try Sample.write(
            [Sample.entry(text, files: [(.photo, "a.jpg"), (.audio, "wind.m4a")])], to: folder.path + "/a.pdf")
        let file = PrintedFile(path: folder.path + "/a.pdf")
        #expect(try file.isSound())
        let pages = try file.pages()
        #expect(pages.count > 1 && pages[0].contains("Diary") && pages[0].contains("1 entry"))
        var rest = pages.dropFirst().joined()[...]
        for word in [
            "2024", "JULY", "Monday, 22 July 2024", "20:19", "Fjord", "slanted", "strong", "code()", "link", "first",
            "☑", "done", "1.", "number", "quoted", "let boat = 1", "Below", "last words", "Audio: wind.m4a · 12.3",
        ] {
            let found = try #require(rest.range(of: word), "\(word)")
            rest = rest[found.upperBound...]
        }
        let objects = try file.objects()
        #expect(
            objects.contains("/URI (https://example.org/a%28b%29)")
                || objects.contains("/URI (https://example.org/a%28b)"))
    }

    @Test func `items of lists within lists stand farther in`() throws {
        let folder = try Folder()
        let deep = (0..<6).map { String(repeating: "  ", count: $0) + "- step\($0)" }.joined(separator: "\n")
        try Sample.write([Sample.entry(deep + "\n- back")], to: folder.path + "/a.pdf")
        let (boxes, code) = try Programs.run("pdftotext", ["-bbox", folder.path + "/a.pdf", "-"])
        #expect(code == 0)
        let left = try ((0..<6).map { "step\($0)" } + ["back"]).map { word in
            let found = boxes.firstMatch(of: try Regex("xMin=\"([0-9.]+)\"[^>]*>\(word)<"))
            let place = try #require(found?.output[1].substring, "\(word)")
            return try #require(Double(place))
        }
        for (outer, inner) in zip(left.prefix(6), left.prefix(6).dropFirst()) { #expect(inner > outer + 10) }
        #expect(abs(left[6] - left[0]) < 2)
    }

    @Test func `writing of any script is printed`() throws {
        let folder = try Folder()
        let texts = [
            "שלום עולם with English", "مرحبا بالعالم", "日本語のテキスト 中文 한국어", "😀👨‍👩‍👧🏳️‍🌈 e\u{301}\u{302}\u{303}",
            "नमस्ते ภาษาไทย", "\u{202E}reversed\u{202C} \u{200D}\u{FE0F}\u{FFFE}", "- פריט\n> اقتباس", "**日*本**語*",
            String(repeating: "\u{301}", count: 5000), String(repeating: "無", count: 5000),
            String(repeating: "a", count: 30_000),
        ]
        let entries = texts.enumerated().map { Sample.entry($1, day: $0) }
        try Sample.write(entries, to: folder.path + "/a.pdf")
        let file = PrintedFile(path: folder.path + "/a.pdf")
        #expect(try file.isSound())
        let text = try file.pages().joined()
        #expect(text.contains("with English") && text.contains("Monday, 22 July 2024"))
        // Each is a letter of a font where there is one for it.
        #expect(text.filter { $0 == "a" }.count > 25_000)
    }

    @Test func `three hundred entries have pages with numbers, months in the outline, and no lonely heading`() throws {
        let folder = try Folder()
        let entries = (0..<300).map { day in
            let text = String(repeating: Self.words, count: 1 + day * 7 % 23)
            let files: [(MediaKind, String)] = day % 9 == 0 ? [(.photo, "a.jpg")] : []
            return Sample.entry(text, day: day, files: files)
        }
        try Sample.write(entries, to: folder.path + "/a.pdf", language: .german)
        let file = PrintedFile(path: folder.path + "/a.pdf")
        let pages = try file.pages()
        #expect(try file.isSound() && file.fact("Pages") == String(pages.count) && pages.count > 60)
        let language = DiaryLanguage.german
        let days = entries.map { language.heading($0.head.localTime.day) }
        for day in days { #expect(pages.contains { $0.contains(day) }, "\(day)") }
        for (index, page) in pages.enumerated().dropFirst() {
            let lines = page.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter {
                !$0.isEmpty
            }
            #expect(lines.last == String(index + 1))
            // Above the number stands something of an entry.
            let last = try #require(lines.dropLast().last)
            #expect(!days.contains(last) && !last.contains("20:19"), "page \(index + 1)")
        }
        let objects = try file.objects()
        for name in ["2024", "2025", "Juli", "August", "September", "Oktober", "November", "Dezember", "Januar"] {
            #expect(objects.contains("/Title (\(name))"))
        }
        // The document's own, two years, eleven months, and the list of them.
        #expect(objects.components(separatedBy: "/Title ").count - 1 == 1 + 2 + 11 + 1)
        #expect(
            pages.joined().components(separatedBy: "Nebel").count - 1 == (0..<300).reduce(0) { $0 + 1 + $1 * 7 % 23 })
    }

    @Test func `photos are in the book as they came, and words in place of those that are none`() throws {
        let folder = try Folder()
        let broken: [[UInt8]] = [
            Array(Pictures.small.dropLast(2)), [0xFF, 0xD8, 0xFF, 0xD9], Array("no picture".utf8), Pictures.small + [0],
        ]
        let pictures = [Pictures.small, Pictures.padded(300_000)] + broken
        var entry = Sample.entry("", files: pictures.indices.map { (.photo, "\($0)") })
        entry.text = "x"
        try Sample.write([entry], to: folder.path + "/a.pdf") { media in pictures[Int(media.name) ?? 0] }
        let file = PrintedFile(path: folder.path + "/a.pdf")
        #expect(try file.isSound())
        let text = try file.pages().joined()
        #expect(text.components(separatedBy: "be printed.").count - 1 == broken.count)
        let (list, _) = try Programs.run("pdfimages", ["-list", file.path])
        #expect(list.split(separator: "\n").filter { $0.contains(" 48 ") && $0.contains("jpeg") }.count == 2)
        // The bytes themselves, comments included.
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file.path))
        #expect(bytes.range(of: Data(Pictures.small)) != nil && bytes.range(of: Data(pictures[1])) != nil)
    }

    @Test func `the file says its title and nothing of when and where it was made`() throws {
        let folder = try Folder()
        let entries = [Sample.entry("x"), Sample.entry("y", day: 400)]
        try Sample.write(entries, to: folder.path + "/a.pdf", paper: .letter)
        SystemClock.sleep(milliseconds: 1100)
        try Sample.write(entries, to: folder.path + "/b.pdf", paper: .letter)
        let file = PrintedFile(path: folder.path + "/a.pdf")
        #expect(try file.fact("Title") == "Diary" && file.fact("Creator") == "Tresor")
        #expect(try file.fact("Page size")?.hasPrefix("612 x 792 pts (letter)") == true)
        #expect(try file.fact("CreationDate") == nil && file.fact("ModDate") == nil && file.fact("Author") == nil)
        let first = try Data(contentsOf: URL(fileURLWithPath: file.path))
        #expect(try first == Data(contentsOf: URL(fileURLWithPath: folder.path + "/b.pdf")))
        #expect(try FileSystem.status(file.path)?.mode == 0o600)
    }

    @Test func `a diary without an entry is a first page`() throws {
        let folder = try Folder()
        try Sample.write([], to: folder.path + "/a.pdf")
        #expect(try PrintedFile(path: folder.path + "/a.pdf").pages().count == 1)
    }
}

/// What goes wrong on the way.
@Suite struct PrintFailureTests {
    private func failure(_ path: String, program: String) -> PrintError? {
        do {
            try Sample.write([Sample.entry("x")], to: path, program: program)
            return nil
        } catch { return error as? PrintError }
    }

    @Test func `nothing is overwritten, and nothing is left of what failed`() throws {
        struct Gone: Error {}
        let folder = try Folder()
        let path = folder.path + "/a.pdf"
        #expect(failure(path, program: "/nonexistent/tresor-print") == .missingProgram)
        #expect(failure(path, program: "/bin/false") == .failed(.exited(code: 1)))
        #expect(throws: Gone.self) {
            try Sample.write([Sample.entry("x", files: [(.photo, "a")])], to: path) { _ in throw Gone() }
        }
        #expect(failure(folder.path + "/none/a.pdf", program: Programs.printer) == .cannotWrite(isFull: false))
        #expect(folder.names == [])
        try Data([1]).write(to: URL(fileURLWithPath: path))
        #expect(failure(path, program: Programs.printer) == .alreadyThere)
        #expect(folder.names == ["a.pdf"])
    }

    @Test func `what appears while it is printed is not overwritten`() throws {
        let folder = try Folder()
        let path = folder.path + "/a.pdf"
        let book = PrintedBook(title: "", language: .english, paper: .a4, heads: [])
        let writer = try PDFDiaryWriter(path, book, program: Programs.printer) { _ in nil }
        try Data([7]).write(to: URL(fileURLWithPath: path))
        #expect(throws: PrintError.alreadyThere) { try writer.finish() }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([7]))
    }

    @Test(arguments: [[], [1], Array("%PDF".utf8), PrintMessage.rule.encoded, PrintMessage.end(entryCount: 0).encoded])
    func `the program refuses what is no book`(_ bytes: [UInt8]) throws {
        #expect(try Running(sending: bytes).end() == .exited(code: PrintExit.badBook))
        let cover = PrintCover(paper: .a4, language: "en", title: "", lines: [], brokenPicture: "?")
        let begun = PrintMessage.cover(cover).encoded
        #expect(try Running(sending: begun + bytes.dropLast()).end() == .exited(code: PrintExit.badBook))
        let whole = begun + PrintMessage.end(entryCount: 0).encoded
        #expect(try Running(sending: whole).end() == .exited(code: PrintExit.printed))
        #expect(try Running(sending: whole + [0]).end() == .exited(code: PrintExit.badBook))
    }

    @Test func `a full disk is told from others`() throws {
        let cover = PrintCover(paper: .a4, language: "en", title: "", lines: [], brokenPicture: "?")
        let book = PrintMessage.cover(cover).encoded + PrintMessage.end(entryCount: 0).encoded
        #expect(try Running(sending: book, output: "/dev/full").end() == .exited(code: PrintExit.diskFull))
    }

    @Test func `the program has closed itself off before it reads a byte, and ends with its parent's writing`() throws {
        let running = try Running(sending: [], isComplete: false)
        var status = ""
        for _ in 0..<500 where !status.contains("Seccomp:\t2") {
            status = try String(contentsOfFile: "/proc/\(running.process.id)/status", encoding: .utf8)
            SystemClock.sleep(milliseconds: 10)
        }
        #expect(status.contains("Seccomp:\t2") && status.contains("NoNewPrivs:\t1"))
        let limits = try String(contentsOfFile: "/proc/\(running.process.id)/limits", encoding: .utf8)
            .split(separator: " ").joined(separator: " ")
        #expect(limits.contains("Max address space 4294967296 4294967296") && limits.contains("Max core file size 0 0"))
        #expect(try running.end() == .exited(code: PrintExit.badBook))
    }

    @Test func `however many photos there are, few are in memory`() throws {
        let running = try Running(sending: [], isComplete: false)
        let cover = PrintCover(paper: .a4, language: "en", title: "x", lines: [], brokenPicture: "?")
        try running.send(PrintMessage.cover(cover).encoded)
        try running.send(PrintMessage.month(PrintMonth(year: 2024, name: "July")).encoded)
        let picture = PrintMessage.picture(PrintPicture(caption: "x", jpeg: Pictures.padded(1 << 20))).encoded
        for _ in 0..<100 {
            try running.send(PrintMessage.entry(PrintEntry(heading: "x", facts: "", isStarred: false)).encoded)
            try running.send(picture)
        }
        let usage = try ProcessUsage(of: running.process.id)
        #expect(usage.residentBytes > 0 && usage.residentBytes < 64 << 20)
        try running.send(PrintMessage.end(entryCount: 100).encoded)
        #expect(try running.end() == .exited(code: PrintExit.printed))
    }
}

/// The program by itself, its output where nobody reads it.
private final class Running {
    let process: ChildProcess
    private var input: FileDescriptor?

    init(sending bytes: [UInt8], output: String = "/dev/null", isComplete: Bool = true) throws {
        let (ours, its) = try UnixSocket.makePair()
        let near = FileDescriptor(owning: ours)
        let far = FileDescriptor(owning: its)
        let sink = try FileDescriptor.open(output, FileFlags.readWrite)
        process = try ChildProcess(filter: Programs.printer, input: far, output: sink)
        input = consume near
        try send(bytes)
        if isComplete { input = nil }
    }

    func send(_ bytes: [UInt8]) throws {
        switch input {
        case .some(let open): _ = try open.writeAll(bytes.span.bytes)
        case .none: break
        }
    }

    func end() throws -> ChildProcess.End {
        input = nil
        return process.waitForEnd()
    }
}
