/// Asks a terminal what it can show, and takes its answers out of what is typed.
///
/// Until the last answer has come, each byte passes through here first. What belongs to an answer is kept back, however
/// slowly and in whatever pieces it comes, so that it can be neither a key nor a character of a secret.
package struct TerminalAnswers {
    /// What has been answered so far.
    package private(set) var speaksKitty = false
    /// Whether it draws sixels.
    package private(set) var drawsSixels = false
    /// Pixels of a cell, where it told.
    package private(set) var cell: CellSize?
    /// Whether the last answer, which every terminal gives, is still to come.
    package private(set) var isOutstanding = true

    /// What may be the begin of an answer.
    private var held: [UInt8] = []
    /// Whether an Escape was just taken for a key, which may have been the begin of an answer that is late.
    private var isAfterEscape = false

    /// The longest answer in bytes; what goes on is none.
    private static let longest = 160

    /// Nothing was answered yet.
    package init() {}

    /// What to send to the terminal.
    ///
    /// A picture of one pixel that is not to be shown (kitty's protocol, "Querying support"), the size of a cell
    /// (xterm, CSI 16 t), and who it is (DA1), which every terminal answers and all answer last. A program that stands
    /// between gets no more than that.
    package static func question(_ looks: TerminalLooks) -> String {
        if looks.isDumb { return "" }
        let kitty = looks.isMultiplexed ? "" : "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\"
        return kitty + "\u{1B}[16t\u{1B}[c"
    }

    /// Whether bytes wait here for those that follow.
    package var isHolding: Bool { !held.isEmpty }

    /// The bytes that are typed, when this one has come: none while they may be an answer.
    package mutating func pass(_ byte: UInt8) -> [UInt8] {
        guard isOutstanding else { return [byte] }
        if held.isEmpty {
            let isLate = isAfterEscape && [UInt8(ascii: "["), UInt8(ascii: "_")].contains(byte)
            isAfterEscape = false
            guard byte == 0x1B || isLate else { return [byte] }
            held = isLate ? [0x1B, byte] : [byte]
            return []
        }
        if byte == 0x1B, !isString {
            let former = held
            held = [byte]
            return former
        }
        held.append(byte)
        guard !isAnswerEnded else { return take() }
        if isPossible { return [] }
        defer { held = [] }
        return held
    }

    /// The bytes that wait, when nothing has followed for a moment: a lone Escape is the key.
    ///
    /// What can be nothing but an answer goes on waiting.
    package mutating func giveUp() -> [UInt8] {
        guard held.count <= 2 else { return [] }
        isAfterEscape = held == [0x1B]
        defer { held = [] }
        return held
    }

    private var isString: Bool { held.starts(with: [0x1B, UInt8(ascii: "_")]) }

    /// Whether it may still become an answer: `ESC _ G …`, `ESC [ ? …`, or `ESC [ 6 ; …`.
    private var isPossible: Bool {
        guard held.count <= Self.longest else { return false }
        if isString { return held.count < 3 || held[2] == UInt8(ascii: "G") }
        guard held.count < 2 || held[1] == UInt8(ascii: "[") else { return false }
        guard held.count > 2 else { return true }
        let begins = held[2] == UInt8(ascii: "?") || held[2] == UInt8(ascii: "6")
        guard begins, held.count > 3 else { return begins }
        // `CSI 6 ~` is a key, PgDn.
        guard held[2] == UInt8(ascii: "?") || held[3] == UInt8(ascii: ";") else { return false }
        return held[3...].allSatisfy { (0x30...0x3B).contains($0) }
    }

    private var isAnswerEnded: Bool {
        guard held.count > 3, let last = held.last else { return false }
        if isString { return held.suffix(2) == [0x1B, UInt8(ascii: "\\")] }
        guard held[1] == UInt8(ascii: "[") else { return false }
        let isBody = held[3..<(held.count - 1)].allSatisfy { (0x30...0x3B).contains($0) }
        if held[2] == UInt8(ascii: "?") { return isBody && last == UInt8(ascii: "c") }
        return held[2] == UInt8(ascii: "6") && held[3] == UInt8(ascii: ";") && isBody && last == UInt8(ascii: "t")
    }

    /// Takes the answer that is whole; nothing of it is typed.
    private mutating func take() -> [UInt8] {
        let text = String(decoding: held, as: UTF8.self)
        defer { held = [] }
        if isString {
            // A refusal says so in words.
            speaksKitty = text.hasSuffix(";OK\u{1B}\\")
            return []
        }
        let numbers = text.dropFirst(3).dropLast().split(separator: ";").map { Int($0) ?? 0 }
        if held[2] == UInt8(ascii: "6") {
            guard numbers.count == 2 else { return [] }
            // First the height.
            cell = CellSize(pixels: numbers[1], by: numbers[0])
        } else {
            drawsSixels = numbers.dropFirst().contains(4)
            isOutstanding = false
        }
        return []
    }
}

extension TerminalAnswers {
    /// The best form that the terminal has said to know; else characters, where it has colours.
    package func form(_ looks: TerminalLooks) -> PictureForm? {
        if looks.isDumb { return nil }
        if speaksKitty, !looks.isMultiplexed { return .kitty }
        if drawsSixels { return .sixel }
        return looks.cellColors.map { .blocks($0) }
    }
}
