import Foundation
import Testing

/// The tools that prove at length what is said of faults, power cuts and damage: each of them once, in its smallest form.
///
/// `make damage`, `faults`, `powercuts`, `soak`, `growth` and `bars` are run by hand. Here it shows whether they still can be.
@Suite(.enabled(if: CallInjection.isPossible, "needs root, and strace that the kernel permits"))
struct ProofToolStories {
    struct Tool: CustomTestStringConvertible, Sendable {
        let script: String
        let arguments: [String]
        /// What its last lines say where it has looked at something, and nothing was wrong.
        let proof: String

        var testDescription: String { script }
    }

    private static let tools = [
        Tool(
            script: "faults.py", arguments: ["--only", "keychain add | tresord | fdatasync", "--most", "2"],
            proof: #"\n[1-9]\d* calls failed, one at a time; 0 of them not right"#),
        Tool(
            script: "powercuts.py", arguments: ["--states", "4", "--rounds", "1"],
            proof: #"\n4 cuts .*: 0 not right"#),
        Tool(
            script: "soak.py", arguments: ["--minutes", "0.3", "--clients", "2"],
            proof: #"\n[1-9]\d* commands of 2 clients, .* [1-9]\d* objects compared(?s:.*)\n0 not right"#),
        Tool(script: "growth.py", arguments: ["--counts", "20,40"], proof: #"\n\| .*\d"#),
        Tool(
            script: "bars.py", arguments: ["--count", "100", "--times", "1"],
            proof: #"\n\| diary: a key to paint \| [0-9.]+ ms"#),
        Tool(
            script: "damage.py", arguments: ["--every", "150"],
            proof: #"\n[1-9]\d* cells, 0 of them wrong"#),
    ]

    @Test(arguments: tools)
    func `a tool that proves something still does`(tool: Tool) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        let script = LiveDevice.root.appendingPathComponent("packaging/" + tool.script).path
        process.arguments = [script, LiveDevice.programs] + tool.arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(text)")
        #expect(try Regex(tool.proof).firstMatch(in: "\n" + text) != nil, "\(text)")
    }
}
