import Checkout
import Foundation
import Testing

/// The module as a browser gets it, built once, and the programs that run it.
enum Browser {
    static let root = Checkout.root
    static let script = root.appendingPathComponent("packaging/wasm/build.sh").path
    static let node = program("node")
    static let chromium = program("chromium")

    /// Whether the module can be built and run here.
    static let isThere = node != nil && (try? run(script, ["--check"])) != nil

    /// The folder of the page, whole.
    static let folder = Result { () throws -> String in
        atexit { try? FileManager.default.removeItem(atPath: Browser.temporary) }
        try run(script, [temporary])
        return temporary
    }
    private static let temporary = FileManager.default.temporaryDirectory
        .appendingPathComponent("tresor-browser-\(getpid())").path

    struct Failure: Error {
        let program: String
        let status: Int32
        let words: String
    }

    static func program(_ name: String) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return path.split(separator: ":").map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    static func run(_ program: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let words = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(program: program, status: process.terminationStatus, words: words)
        }
    }

    /// What module.mjs answers.
    static func ask(_ task: String, _ secrets: [[UInt8]?]) throws -> Data {
        let folder = try folder.get()
        let place = folder + "/" + task
        let list = secrets.map { $0.map { Data($0).base64EncodedString() } }
        try JSONEncoder().encode(list).write(to: URL(fileURLWithPath: place + ".json"))
        let script = root.appendingPathComponent("Tests/Apps/Widgets/WidgetsBrowserTests/module.mjs").path
        try run(try #require(node), [script, folder, task, place + ".json", place + ".answers"])
        return try Data(contentsOf: URL(fileURLWithPath: place + ".answers"))
    }

    /// What page.mjs answers.
    static func browse() throws -> Data {
        let folder = try folder.get()
        let answers = folder + "/pages.answers"
        let script = root.appendingPathComponent("Tests/Apps/Widgets/WidgetsBrowserTests/page.mjs").path
        try run(try #require(node), [script, folder, try #require(chromium), folder + "/profile", answers])
        return try Data(contentsOf: URL(fileURLWithPath: answers))
    }
}
