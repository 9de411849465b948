import Linux

/// A resident program's log on standard error: what happened, by codes, never a word that a user typed.
package struct ResidentLog: Sendable {
    package let program: String

    package init(program: String) { self.program = program }

    package func note(_ text: String) { write("info", text) }

    package func error(_ text: String, _ code: String) { write("error", "\(text): \(code)") }

    /// - Parameter error: whose description has nothing of a user in it.
    package func error(_ text: String, _ error: any Error) { self.error(text, "\(error)") }

    private func write(_ level: String, _ text: String) {
        _ = try? StandardStream.error.write("\(program) \(level) \(text)\n")
    }
}
