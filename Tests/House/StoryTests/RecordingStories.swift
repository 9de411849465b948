import Checkout
import Foundation
import Testing

/// The recording at the top of README shows what the programs print.
@Suite struct RecordingStories {
    struct Step: Equatable {
        var words: [String]
        var typed: String
        var output: [String]
    }

    /// The commands of docs/recording.txt, what is typed into each, and what it prints.
    static func steps(_ text: String) -> [Step] {
        var steps: [Step] = []
        for line in text.split(separator: "\n").map(String.init) where !line.hasPrefix("# ") {
            if line.hasPrefix("$ ") {
                let parts = line.dropFirst(2).components(separatedBy: " <<< ")
                let typed = parts.count > 1 ? parts[1].replacingOccurrences(of: "\\n", with: "\n") : ""
                steps.append(Step(words: parts[0].components(separatedBy: " "), typed: typed, output: []))
            } else if !steps.isEmpty {
                steps[steps.count - 1].output.append(line)
            }
        }
        return steps
    }

    @Test func `each line of README's recording is printed by the programs`() throws {
        let text = try String(
            contentsOf: Checkout.root.appendingPathComponent("docs/recording.txt"), encoding: .utf8)
        let steps = Self.steps(text)
        #expect(steps.count > 5 && steps.allSatisfy { $0.words.first == "tresor" })
        let device = try LiveDevice()
        try device.succeed("passcode", "set", input: Data("grey cats sleep\ngrey cats sleep\n".utf8))
        for step in steps {
            let outcome = try device.run(Array(step.words.dropFirst()), input: Data(step.typed.utf8))
            let printed = (outcome.text + outcome.errors).split(separator: "\n").map(String.init)
            #expect(printed == step.output, "\(step.words)")
        }
    }
}
