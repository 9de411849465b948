import FoundationEssentials
import Linux
import Localization
import Secrets
import TerminalScreen
import Tresor
import Wire

/// What goes to the terminal.
enum Output {
    /// Data, which a person may copy: at a terminal as elsewhere.
    ///
    /// - Throws: `Failure` when the output cannot be written: a list that was cut short is no success.
    static func line(_ text: String) throws {
        do {
            guard try StandardStream.output.write(text + "\n") else {
                throw Failure(Wire.ExitCode.unavailable, localized("nobody reads the output any more"))
            }
        } catch let error as LinuxError {
            throw Self.unwritable(error)
        }
    }

    /// What is said to a person where data would stand: at a terminal in lines that fit it, elsewhere as it is.
    static func words(_ text: String) throws { try line(Terminal.wrapped(text, on: 1)) }

    /// Rows for a person: as wide as the terminal at most.
    static func table(_ table: TextTable) throws {
        for row in table.lines(within: Terminal.columns(1)) { try line(row) }
    }

    /// Rows within a message, each behind two spaces.
    static func told(_ table: TextTable) -> [String] {
        table.lines(within: Terminal.columns(2).map { $0 - 2 }).map { "  " + $0 }
    }

    /// Text that brings its own line feeds.
    static func text(_ text: String) throws {
        do {
            guard try StandardStream.output.write(text) else {
                throw Failure(Wire.ExitCode.unavailable, localized("nobody reads the output any more"))
            }
        } catch let error as LinuxError {
            throw Self.unwritable(error)
        }
    }

    private static func unwritable(_ error: LinuxError) -> Failure {
        Failure(
            Report.exitCode(for: error), localized("the output cannot be written: \(error)"),
            hint: localized("look whether what you asked for was done before you say it again"))
    }

    /// What a command tells of its own doing, where nobody asked for data; nothing with `--quiet`.
    static func done(_ text: String) throws {
        if !Manner.isQuiet { try words(text) }
    }

    /// The same beside data, and warnings: on standard error.
    static func remark(_ text: String) {
        if !Manner.isQuiet { error(text) }
    }

    /// Errors, and what somebody has to do now for the command to go on; at a terminal in lines that fit it.
    static func error(_ text: String) {
        _ = try? StandardStream.error.write(Terminal.wrapped(text, on: 2) + "\n")
    }

    /// Writes a secret straight from locked memory; nothing is added where a program reads it.
    static func secret(_ secret: borrowing SecretBytes) throws {
        let written = try secret.withBytes { try StandardStream.output.write($0) }
        guard written else { throw Failure(Wire.ExitCode.unavailable, localized("nobody reads the output any more")) }
        if Terminal.isTerminal(1) { _ = try StandardStream.output.write("\n") }
    }

    /// Writes it with a line break behind it, also where a program reads it.
    static func secretLine(_ secret: borrowing SecretBytes) throws {
        var line = try SecretBuffer(capacity: secret.count + 1)
        try line.append(secret)
        try line.append(byte: UInt8(ascii: "\n"))
        let written = try line.withBytes { try StandardStream.output.write($0) }
        guard written else { throw Failure(Wire.ExitCode.unavailable, localized("nobody reads the output any more")) }
    }

    static func json(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        try line(escaped(String(decoding: try encoder.encode(value), as: UTF8.self)))
    }

    /// JSON in which no character is left that a terminal would obey or a reader could not see.
    private static func escaped(_ json: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in json.unicodeScalars {
            let isLayout = scalar == "\n" || scalar == "\t"
            switch scalar.properties.generalCategory {
            case .control where !isLayout, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    let padded = "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                    escaped.append(contentsOf: padded.unicodeScalars)
                }
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }

    static func describe(_ duration: Duration) -> String {
        PasscodeStrength.words(seconds: (duration / .seconds(1)).rounded(.up))
    }
}
