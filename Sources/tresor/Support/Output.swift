import FoundationEssentials
import Linux
import Tresor

/// What goes to the terminal.
enum Output {
    static func line(_ text: String) { print(text) }

    static func error(_ text: String) {
        _ = try? StandardStream.error.write(text + "\n")
    }

    /// Writes a secret straight from locked memory; nothing is added where a program reads it.
    static func secret(_ secret: borrowing SecretBytes) throws {
        let written = try secret.withBytes { try StandardStream.output.write($0) }
        guard written else { throw Failure(69, "nobody reads the output any more") }
        if Terminal.isTerminal(1) { _ = try StandardStream.output.write("\n") }
    }

    static func json(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    static func describe(_ duration: Duration) -> String {
        PasscodeStrength.describe(seconds: Double(duration.components.seconds))
    }
}
