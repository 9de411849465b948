import Checkout
import Foundation

@testable import WidgetPrograms

/// A folder of programs, gone at the end.
final class Folder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "widget-programs-\(UInt64.random(in: 0...UInt64.max))"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a program of the shell's.
    @discardableResult
    func add(_ name: String, _ script: String, mode: Int = 0o755, interpreter: String = "#!/bin/sh") throws -> String {
        let file = path + "/" + name
        try (interpreter + "\n" + script + "\n").write(toFile: file, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
        waitUntilNobodyWrites(file)
        return file
    }

    /// Waits until no process has a file open for writing: it would not start as a program.
    ///
    /// A child that another test has just forked holds what was open here until it executes. A lease for reading is
    /// only had where nobody writes (F_SETLEASE of fcntl(2)).
    private func waitUntilNobodyWrites(_ file: String) {
        let setLease: Int32 = 1024
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        for _ in 0..<2000 where fcntl(descriptor, setLease, Int32(F_RDLCK)) != 0 && errno == EAGAIN {
            Thread.sleep(forTimeInterval: 0.01)
        }
    }

    func program(_ name: String, _ script: String) throws -> ExternalProgram {
        try ExternalProgram(path: try add(name, script), builtInKinds: [])
    }

    func text(_ name: String) -> String? { try? String(contentsOfFile: path + "/" + name, encoding: .utf8) }

    /// The root of this package.
    static let root = Checkout.root

    static func example(_ name: String) -> String {
        root.appendingPathComponent("docs/guides/widget-programs/" + name).path
    }
}

func exists(_ process: Int32) -> Bool { kill(process, 0) == 0 }
