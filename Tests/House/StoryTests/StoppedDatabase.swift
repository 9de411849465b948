import Foundation
import Testing

/// A database of a stopped device, changed and read by a program that knows nothing of Tresor.
struct StoppedDatabase {
    let path: String

    /// The rows of a statement, each as the texts of its columns; bytes are in hexadecimal.
    @discardableResult func rows(_ statement: String) throws -> [[String]] {
        let program = """
            import sqlite3, sys
            store = sqlite3.connect(sys.argv[1])
            for row in store.execute(sys.argv[2]):
                print("\\t".join(value.hex() if isinstance(value, bytes) else str(value) for value in row))
            store.commit()
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", program, path, statement]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return text.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
    }
}
