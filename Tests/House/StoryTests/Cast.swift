import Conformance
import Foundation
import Glibc
import Testing

/// Programs of somebody's: copies of one that do as they are told, each with a content of its own.
struct Cast {
    let device: LiveDevice
    let folder: String

    private let programs: String

    /// - Parameter programs: where the one that is copied lies, if not beside the device's.
    init(_ device: LiveDevice, from programs: String? = nil) throws {
        self.device = device
        self.programs = programs ?? device.programs
        folder = device.folder + "/cast"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    /// A program of this name; what stands behind an ELF file changes its digest and nothing else.
    @discardableResult
    func make(_ name: String, tail: String? = nil) throws -> String {
        let path = folder + "/" + name
        var content = try Data(contentsOf: URL(fileURLWithPath: programs + "/tresor-caller-testing"))
        content.append(contentsOf: (tail ?? name).utf8)
        try? FileManager.default.removeItem(atPath: path)
        try content.write(to: URL(fileURLWithPath: path))
        #expect(chmod(path, 0o755) == 0)
        return path
    }

    /// What the program prints.
    func run(_ path: String, _ arguments: String..., meanwhile: (() throws -> Void)? = nil) throws -> String {
        let (input, output) = (Pipe(), Pipe())
        let process = try start {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: path.hasPrefix("/") ? path : folder + "/" + path)
            process.arguments = (meanwhile == nil ? [] : ["--wait"]) + arguments
            process.environment = [
                "TRESOR_HOME": device.folder, "PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no",
            ]
            process.standardInput = input
            process.standardOutput = output
            return process
        }
        try meanwhile?()
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        return String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            .trimmingCharacters(in: .newlines)
    }

    /// Starts a program whose file was just written.
    ///
    /// Another test may have forked while it was open for writing, and its child holds it so until it executes; until
    /// then execve(2) fails with ETXTBSY.
    private func start(_ make: () -> Process) throws -> Process {
        for _ in 0..<200 {
            let process = make()
            do {
                try process.run()
                return process
            } catch let error as NSError {
                let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError
                guard cause?.domain == NSPOSIXErrorDomain, cause?.code == Int(ETXTBSY) else { throw error }
            }
            usleep(10_000)
        }
        let process = make()
        try process.run()
        return process
    }

    func groups(_ path: String, meanwhile: (() throws -> Void)? = nil) throws -> [String] {
        try run(path, "groups", meanwhile: meanwhile).split(separator: "\n").map(String.init)
    }

    /// A developer's key; its prefix.
    func makeDeveloper() throws -> String {
        try device.run("app", "keygen").text.trimmingCharacters(in: .newlines)
    }

    /// A signed manifest; its file.
    func sign(
        _ bundle: String, by prefix: String, version: Int = 1, executables: [String], groups: [String] = [],
        applicationGroups: [String] = [], expires: String? = nil
    ) throws -> String {
        let name = "\(bundle)-\(prefix.prefix(4))-\(version)-\(UInt32.random(in: 0...UInt32.max))"
        var description: [String: Any] = [
            "bundleIdentifier": bundle, "name": bundle, "version": version,
            "executables": executables.map { $0.hasPrefix("/") ? $0 : folder + "/" + $0 }, "keychainGroups": groups,
            "applicationGroups": applicationGroups,
        ]
        description["expires"] = expires
        let source = folder + "/\(name).json"
        try JSONSerialization.data(withJSONObject: description).write(to: URL(fileURLWithPath: source))
        let manifest = folder + "/\(name).tam"
        let signed = try device.run("app", "sign", source, "--output", manifest, "--prefix", prefix)
        #expect(signed.code == 0, "\(signed.errors)")
        return manifest
    }
}
