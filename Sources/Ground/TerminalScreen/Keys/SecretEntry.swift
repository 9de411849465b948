package import Secrets

/// A passphrase while it is typed: its bytes lie in locked memory from the terminal on, and are never a string.
package struct SecretEntry: ~Copyable {
    /// What came of a byte: more may come, Enter ended it, or Ctrl-C did.
    package enum Outcome { case typing, entered, cancelled }

    private enum Escape { case none, begun, sequenceBegun, sequence, singleShift, string, stringEnd }

    private var bytes: SecretBuffer
    /// Where each character begins: for Backspace, which cannot look into the bytes.
    private var starts: [Int] = []
    private var escape = Escape.none

    /// The longest passphrase in bytes; what is typed behind it is passed over.
    package static let limit = 1024

    /// Nothing was typed yet.
    package init() throws(SecretMemoryError) { bytes = try SecretBuffer(capacity: Self.limit) }

    /// Whether an ESC has arrived that is either the Escape key or the begin of a sequence.
    package var isUndecided: Bool { escape == .begun }

    /// How many characters were typed, for the dots that stand for them.
    package var characterCount: Int { starts.count }

    /// Takes the terminal's next byte: a part of a character, or a key that edits.
    package mutating func type(_ byte: UInt8) throws(SecretMemoryError) -> Outcome {
        if escape != .none {
            skip(byte)
            return .typing
        }
        switch byte {
        case 0x0A, 0x0D: return .entered
        case 0x03: return .cancelled
        case 0x1B: escape = .begun
        case 0x08, 0x7F: bytes.truncate(to: starts.popLast() ?? 0)
        case 0x15: clear()
        case 0x00..<0x20: break
        default: try append(byte)
        }
        return .typing
    }

    /// Hands over what was typed.
    package consuming func finish() -> SecretBytes { bytes.finish() }

    private mutating func append(_ byte: UInt8) throws(SecretMemoryError) {
        guard bytes.count < Self.limit else { return }
        let continues = byte & 0xC0 == 0x80
        if !continues || starts.isEmpty { starts.append(bytes.count) }
        try bytes.append(byte: byte)
    }

    private mutating func clear() {
        bytes.removeAll()
        starts = []
    }

    /// Arrows, the marks around a paste and what a terminal answers are not part of a passphrase.
    private mutating func skip(_ byte: UInt8) {
        switch escape {
        case .begun: escape = Self.afterEscape(byte)
        case .string: escape = byte == 0x07 || byte == 0x18 ? .none : byte == 0x1B ? .stringEnd : .string
        case .stringEnd: escape = byte == 0x5C ? .none : .string
        // Function keys of Linux' console have one byte more.
        case .sequenceBegun where byte == UInt8(ascii: "["): escape = .singleShift
        case .sequenceBegun, .sequence: escape = (0x40...0x7E).contains(byte) ? .none : .sequence
        case .singleShift, .none: escape = .none
        }
    }

    private static func afterEscape(_ byte: UInt8) -> Escape {
        switch byte {
        case 0x1B: .begun
        case UInt8(ascii: "["): .sequenceBegun
        case UInt8(ascii: "O"): .singleShift
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"): .string
        default: .none
        }
    }
}
