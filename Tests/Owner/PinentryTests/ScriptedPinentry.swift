import Foundation
import Linux

/// A program that plays pinentry, in a folder of its own: Python whose part a test writes.
///
/// It notes its number, and what it is told.
final class ScriptedPinentry: Sendable {
    private let folder: URL

    /// - Parameter answer: what it does when it is told GETPIN; `say` sends a line, `send` bytes.
    init(_ answer: String, greeting: String = "say('OK Pleased to meet you')", option: String = "say('OK')") throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("pinentry-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let program = """
            #!/usr/bin/python3
            import os, signal, sys, time
            folder = os.path.dirname(os.path.abspath(sys.argv[0]))
            note = open(folder + '/heard', 'w', buffering=1)
            open(folder + '/environment', 'w').write('\\n'.join(sys.argv + sorted(os.environ)))
            listing = ' '.join(sorted(os.listdir('/proc/self/fd'), key=int))
            open(folder + '/open', 'w').write(listing)
            open(folder + '/number', 'w').write(str(os.getpid()))
            def send(data): os.write(1, data)
            def say(line): send(line.encode() + b'\\n')
            \(greeting)
            for line in sys.stdin:
                note.write(line)
                if line.startswith('GETPIN'):
                    \(answer.replacingOccurrences(of: "\n", with: "\n        "))
                elif line.startswith('BYE'):
                    say('OK closing connection')
                    break
                elif line.startswith('OPTION') or line.startswith('SETTIMEOUT'):
                    \(option)
                else:
                    say('OK')
            note.write('end\\n')

            """
        try program.write(toFile: path, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var path: String { folder.appendingPathComponent("program").path }

    /// The lines that it was told.
    var heard: [String] { file("heard").split(separator: "\n").map(String.init) }

    func file(_ name: String) -> String {
        (try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)) ?? ""
    }

    /// Whether its process is there.
    var isRunning: Bool { Int32(file("number")).map { ChildProcess.isRunning($0) } ?? false }
}
