import ArgumentParser
import Linux
import Localization
import PasswordMaking
import Secrets

struct GenerateCommand: ParsableCommand, AsksForNoItems {
    static let configuration = CommandConfiguration(
        commandName: "generate", abstract: localized("Make a password, and print it alone."),
        discussion: localized(
            """
            Without options it is of 20 characters as Apple's devices make them: three groups with a capital and a \
            digit, 71 bits. At a terminal a line below says how many bits it has. It is kept nowhere: 'tresor keychain \
            add --generate' and 'update --generate' make one and keep it. docs/guides/making-passwords.md says more.
            """))

    @OptionGroup var making: PasswordMakingOptions
    @Option(help: ArgumentHelp(localized("So many of them, each on a line of its own.")))
    var count: Int?
    @Flag(help: ArgumentHelp(localized("As JSON: the password, its bits, and the rules; with --count an array.")))
    var json = false
    @Flag(help: ArgumentHelp(localized("Copy it to the clipboard instead, and clear that after 30 seconds.")))
    var clip = false

    func validate() throws {
        if let count, !(1...1000).contains(count) { throw ValidationError(localized("--count is from 1 to 1000")) }
        if clip && (json || count != nil) {
            throw ValidationError(
                localized("--clip copies one password, and prints none; leave --json and --count out"))
        }
    }

    func run() throws {
        let chosen = try making.chosen()
        guard !json else { return try printJSON(chosen) }
        if clip {
            try Clipboard.lend(try chosen.maker.make(), readIn: nil)
            return Output.error("  \(chosen.description)")
        }
        for _ in 0..<(count ?? 1) { try Output.secretLine(try chosen.maker.make()) }
        if Terminal.isTerminal(1) { Output.remark("  \(chosen.description)") }
    }

    private func printJSON(_ chosen: ChosenPassword) throws {
        var json = try SecretJSON()
        if count != nil { try json.append("[") }
        for number in 0..<(count ?? 1) {
            if number > 0 { try json.append(",\n") }
            try json.append("{\"bits\":\(chosen.bits),\"password\":")
            try json.appendQuoted(try chosen.maker.make())
            for (name, text) in [("rules", chosen.rules?.description), ("site", chosen.site)] {
                guard let text else { continue }
                try json.append(",\"\(name)\":")
                try json.appendQuoted(text)
            }
            try json.append("}")
        }
        if count != nil { try json.append("]") }
        try Output.secretLine(json.finish())
    }
}

/// Written by hand, so that no password is in a string; all in it is printable ASCII.
private struct SecretJSON: ~Copyable {
    private var text: SecretBuffer

    init() throws(SecretMemoryError) { text = try SecretBuffer() }

    mutating func append(_ literal: String) throws(SecretMemoryError) { try text.append(Array(literal.utf8)) }

    mutating func appendQuoted(_ secret: borrowing SecretBytes) throws(SecretMemoryError) {
        try text.append(byte: UInt8(ascii: "\""))
        try secret.withBytes { (bytes) throws(SecretMemoryError) in
            for offset in 0..<bytes.byteCount { try appendEscaped(bytes.byte(at: offset)) }
        }
        try text.append(byte: UInt8(ascii: "\""))
    }

    mutating func appendQuoted(_ literal: String) throws(SecretMemoryError) {
        try text.append(byte: UInt8(ascii: "\""))
        for byte in literal.utf8 { try appendEscaped(byte) }
        try text.append(byte: UInt8(ascii: "\""))
    }

    private mutating func appendEscaped(_ byte: UInt8) throws(SecretMemoryError) {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { try text.append(byte: UInt8(ascii: "\\")) }
        try text.append(byte: byte)
    }

    consuming func finish() -> SecretBytes { text.finish() }
}
