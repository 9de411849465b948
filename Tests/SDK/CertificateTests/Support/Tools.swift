import Foundation

/// The programs that some tests compare with.
enum Tools {
    static func run(_ program: String, _ arguments: [String]) throws -> (output: String, status: Int32) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (String(decoding: output, as: UTF8.self), process.terminationStatus)
    }

    static let hasOpenSSL = (try? run("openssl", ["version"]).status) == 0

    /// The python of CI's virtual environment, where TRESOR_PYTHON names it.
    static let python = ProcessInfo.processInfo.environment["TRESOR_PYTHON"] ?? "python3"

    static let hasPythonCryptography = (try? run(python, ["-c", "import cryptography"]).status) == 0
}
