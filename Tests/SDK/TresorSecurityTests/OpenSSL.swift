import Checkout
import Foundation

/// The program that some tests compare with, in a folder of its own.
final class OpenSSL {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "tresor-openssl-\(UInt64.random(in: 0...(.max)))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    struct Failed: Error { let arguments: String }

    /// Runs a command whose words stand between spaces, in the folder.
    @discardableResult
    func run(_ command: String) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + command.split(separator: " ").map(String.init)
        process.currentDirectoryURL = folder
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(arguments: command) }
        return output
    }

    func write(_ name: String, _ data: Data) throws { try data.write(to: folder.appendingPathComponent(name)) }
    func write(_ name: String, _ text: String) throws { try write(name, Data(text.utf8)) }
    func read(_ name: String) throws -> Data { try Data(contentsOf: folder.appendingPathComponent(name)) }

    static let isThere: Bool = (try? OpenSSL().run("version")) != nil
}

/// The files of `CertificateTests`.
enum Vector {
    static func data(_ name: String) throws -> Data {
        let vectors = Checkout.root.appendingPathComponent("Tests/SDK/CertificateTests/Vectors")
        return try Data(contentsOf: vectors.appendingPathComponent(name))
    }

    /// The bytes of the first block.
    static func der(_ name: String) throws -> Data {
        let lines = String(decoding: try data(name), as: UTF8.self).split(whereSeparator: \.isNewline)
        let body = lines.drop { !$0.hasPrefix("-----BEGIN") }.dropFirst().prefix { !$0.hasPrefix("-----END") }
        return Data(base64Encoded: body.joined()) ?? Data()
    }
}

extension Data {
    init(hex: String) {
        let digits = Array(hex.filter { !$0.isWhitespace })
        self.init(stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) })
    }

    var hex: String { map { String(format: "%02x", $0) }.joined() }
}
