import Checkout
import DiaryClient
import DiaryFormats
import DiaryPrint
import DiaryViews
import Foundation
import Linux
import PrintStream
import Testing

/// Programs that the tests run.
enum Programs {
    static let printer = Checkout.programs + "/tresor-print"

    /// Whether there are poppler's and qpdf's commands to look into a PDF with.
    static let haveReaders = ["pdftotext", "pdfinfo", "pdfimages", "qpdf"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/" + $0)
    }

    /// What a program of the system writes, and its exit code.
    static func run(_ name: String, _ arguments: [String]) throws -> (text: String, code: Int32) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/" + name)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (String(decoding: bytes, as: UTF8.self), process.terminationStatus)
    }
}

/// A folder for one test, removed with it.
final class Folder {
    let path = NSTemporaryDirectory() + "tresor-print-" + UUID().uuidString

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }
}

/// A PDF as its readers see it.
struct PrintedFile {
    let path: String

    /// The text of each page.
    func pages() throws -> [String] {
        let (text, _) = try Programs.run("pdftotext", ["-enc", "UTF-8", path, "-"])
        return text.components(separatedBy: "\u{c}").dropLast()
    }

    func fact(_ name: String) throws -> String? {
        let (text, _) = try Programs.run("pdfinfo", [path])
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line.map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }

    /// Its objects, uncompressed.
    func objects() throws -> String {
        let (_, code) = try Programs.run(
            "qpdf", ["--qdf", "--object-streams=disable", path, path + ".qdf"])
        #expect(code == 0)
        return String(decoding: try Data(contentsOf: URL(fileURLWithPath: path + ".qdf")), as: UTF8.self)
    }

    func isSound() throws -> Bool { try Programs.run("qpdf", ["--check", path]).code == 0 }
}

enum Pictures {
    /// 48 by 32 pixels of grey, as libvips writes them.
    static let small = Array(
        Data(
            base64Encoded: """
                /9j/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/\
                2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAAR\
                CAAgADADASIAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/xAAUAQEAAAAAAAAA\
                AAAAAAAAAAAA/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AAAAAAAAAAAAA/9k=
                """) ?? Data())

    /// The same picture in so many bytes more.
    static func padded(_ count: Int) -> [UInt8] {
        var comments: [UInt8] = []
        var left = count
        while left > 0 {
            let part = min(left, 65_000)
            comments += [0xFF, 0xFE, UInt8((part + 2) >> 8), UInt8((part + 2) & 0xFF)]
            comments += [UInt8](repeating: 65, count: part)
            left -= part
        }
        return Array(small.prefix(2)) + comments + small.dropFirst(2)
    }
}

enum Sample {
    /// An entry of a day counted from 22 July 2024, at 20:19 in Oslo.
    static func entry(_ text: String, day: Int = 0, files: [(MediaKind, String)] = []) -> ImportedEntry {
        let head = EntryHead(date: (1_721_672_396 + Int64(day) * 86_400) * 1_000_000, timeZone: "Europe/Oslo")
        var entry = ImportedEntry(source: "\(day)", head: head, text: text, created: 0, modified: 0)
        entry.media = files.map { kind, name in
            ImportedMedia(id: name, kind: kind, name: name, mediaType: "", byteCount: 12_345_678)
        }
        return entry
    }

    static func write(
        _ entries: [ImportedEntry], to path: String, language: DiaryLanguage = .english, paper: PrintPaper = .a4,
        program: String = Programs.printer, preview: @escaping MediaPreview = { _ in Pictures.small }
    ) throws {
        let book = PrintedBook(title: "Diary", language: language, paper: paper, heads: entries.map(\.head))
        let writer = try PDFDiaryWriter(path, book, program: program, preview: preview)
        for entry in entries { try writer.add(entry) }
        try writer.finish()
    }

    /// What the program is told of entries: `cat` in its place keeps it.
    static func messages(
        _ entries: [ImportedEntry], language: DiaryLanguage = .english,
        preview: @escaping MediaPreview = { _ in Pictures.small }
    ) throws -> [PrintMessage] {
        let folder = try Folder()
        let path = folder.path + "/stream"
        try write(entries, to: path, language: language, program: "/bin/cat", preview: preview)
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        return try PrintBook.messages(bytes.span.bytes)
    }
}
