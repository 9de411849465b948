/// Turns the bytes that a terminal sends into keys, byte by byte.
///
/// It knows UTF-8, the control sequences of ECMA-48 as xterm sends them for keys, and bracketed paste. What it does
/// not know is dropped in full, so that no answer of a terminal ends up in a note.
package struct KeyDecoder {
    private enum State {
        case ground
        /// After ESC.
        case escape
        /// After `ESC [`: parameters so far.
        case sequence([UInt8])
        /// After `ESC O`.
        case singleShift
        /// After `ESC [ [`, by which the console of Linux begins its function keys: one byte is to come.
        case function
        /// Inside a control string (`ESC ]`, `ESC P`, …), until BEL or `ESC \`.
        case string(afterEscape: Bool)
        /// Inside a character of so many bytes.
        case character([UInt8], length: Int)
        /// Inside a paste, with so many bytes of its end matched.
        case paste([UInt8], matched: Int)
    }

    private var state = State.ground
    private var focus: Bool?

    /// A decoder that is in the middle of nothing.
    package init() {}

    /// A longer paste comes in pieces.
    package static let longestPaste = 16 * 1024 * 1024
    private static let longestSequence = 64
    private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)

    /// Whether an ESC has arrived that may be the Escape key, or begin a sequence that is still on its way.
    package var isUndecided: Bool {
        if case .escape = state { true } else { false }
    }

    /// Whether a paste has begun and not ended.
    package var isInPaste: Bool {
        if case .paste = state { true } else { false }
    }

    /// What has come of a paste that has not ended; the rest comes as another one.
    package mutating func cutPaste() -> Key? {
        guard case .paste(var bytes, let matched) = state else { return nil }
        state = .ground
        return cutPaste(&bytes, matched: matched)
    }

    /// - Returns: the characters that are whole; the bytes of the last one wait for the rest, as those that may be the
    ///   end do.
    private mutating func cutPaste(_ bytes: inout [UInt8], matched: Int) -> Key? {
        let open = Self.openCharacter(bytes)
        state = .paste(Array(bytes.suffix(open)), matched: matched)
        bytes.removeLast(open)
        return bytes.isEmpty ? nil : .paste(String(decoding: bytes, as: UTF8.self))
    }

    /// How many bytes at the end begin a character that is not whole yet.
    private static func openCharacter(_ bytes: [UInt8]) -> Int {
        guard let start = bytes.suffix(4).lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return 0 }
        let count = bytes.count - start
        return count < characterLength(bytes[start]) ? count : 0
    }

    /// How many bytes the character has that begins so (UTF-8, RFC 3629, section 4); 1 where it begins none of several.
    private static func characterLength(_ byte: UInt8) -> Int {
        switch byte {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }

    /// Whether the window has gained or lost the keyboard, if the last byte has told; told once.
    package mutating func takeFocusChange() -> Bool? {
        defer { focus = nil }
        return focus
    }

    /// The Escape key, when nothing has followed its byte for a moment.
    package mutating func decide() -> Key? {
        guard isUndecided else { return nil }
        state = .ground
        return .escape
    }

    /// The key that `byte` completes, if any.
    package mutating func decode(_ byte: UInt8) -> Key? {
        switch state {
        case .ground: return begin(byte)
        case .escape: return afterEscape(byte)
        case .sequence(let parameters): return continueSequence(parameters, byte)
        case .singleShift:
            state = .ground
            return Self.arrow(byte, isModified: false)
        case .function:
            state = .ground
            return byte == UInt8(ascii: "A") ? .help : nil
        case .string(let afterEscape): return continueString(byte, afterEscape: afterEscape)
        case .character(let bytes, let length): return continueCharacter(bytes, length, byte)
        case .paste(var bytes, let matched):
            // The state must not hold a second reference, or each byte would copy the whole paste.
            state = .ground
            return continuePaste(&bytes, matched, byte)
        }
    }

    private mutating func begin(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x1B:
            state = .escape
            return nil
        case 0x09: return .tab
        case 0x0A, 0x0D: return .enter
        case 0x08, 0x7F: return .backspace
        case 0x17: return .deleteWord
        case 0x01...0x1A: return .control(Character(Unicode.Scalar(byte + 0x60)))
        case 0x20...0x7E: return .text(String(Unicode.Scalar(byte)))
        default:
            let length = Self.characterLength(byte)
            if length > 1 { state = .character([byte], length: length) }
        }
        return nil
    }

    private mutating func afterEscape(_ byte: UInt8) -> Key? {
        state = .ground
        switch byte {
        case 0x1B:
            state = .escape
            return .escape
        case UInt8(ascii: "["): state = .sequence([])
        case UInt8(ascii: "O"): state = .singleShift
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
            state = .string(afterEscape: false)
        case UInt8(ascii: "b"): return .wordLeft
        case UInt8(ascii: "f"): return .wordRight
        case 0x08, 0x7F: return .deleteWord
        // Whoever presses Esc and at once the key that locks, locks.
        case 0x0C: return .control("l")
        default: break
        }
        return nil
    }

    private mutating func continueSequence(_ parameters: [UInt8], _ byte: UInt8) -> Key? {
        guard (0x40...0x7E).contains(byte) else {
            let isPart = (0x20...0x3F).contains(byte) && parameters.count < Self.longestSequence
            state = isPart ? .sequence(parameters + [byte]) : byte == 0x1B ? .escape : .ground
            return nil
        }
        state = .ground
        // `CSI I` and `CSI O` are no keys (xterm's ctlseqs, "FocusIn/FocusOut").
        if parameters.isEmpty, byte == UInt8(ascii: "I") || byte == UInt8(ascii: "O") {
            focus = byte == UInt8(ascii: "I")
            return nil
        }
        if parameters.isEmpty, byte == UInt8(ascii: "[") {
            state = .function
            return nil
        }
        if parameters.first == UInt8(ascii: "<") { return Self.mouse(parameters.dropFirst(), byte) }
        let numbers = String(decoding: parameters, as: UTF8.self).split(separator: ";").map { Int($0) ?? 0 }
        let isModified = numbers.count > 1 && numbers[1] >= 3
        guard byte == UInt8(ascii: "~") else { return Self.arrow(byte, isModified: isModified) }
        switch numbers.first {
        case 1, 7: return isModified ? .documentStart : .home
        case 4, 8: return isModified ? .documentEnd : .end
        case 3: return .delete
        case 5: return .pageUp
        case 6: return .pageDown
        case 11: return .help
        case 200:
            state = .paste([], matched: 0)
            return nil
        default: return nil
        }
    }

    /// A report of xterm's mode 1006: button, column and row from 1, and `M` where it was pressed.
    private static func mouse(_ parameters: ArraySlice<UInt8>, _ end: UInt8) -> Key? {
        let numbers = String(decoding: parameters, as: UTF8.self).split(separator: ";").compactMap { Int($0) }
        guard end == UInt8(ascii: "M"), numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return nil }
        return switch numbers[0] {
        case 0: .click(row: numbers[2] - 1, column: numbers[1] - 1)
        case 64: .wheel(-1)
        case 65: .wheel(1)
        default: nil
        }
    }

    /// The last byte of `ESC [ … X` and `ESC O X`; the modifier is Alt or Ctrl, alone or with Shift.
    private static func arrow(_ byte: UInt8, isModified: Bool) -> Key? {
        switch byte {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): isModified ? .wordRight : .right
        case UInt8(ascii: "D"): isModified ? .wordLeft : .left
        case UInt8(ascii: "H"): isModified ? .documentStart : .home
        case UInt8(ascii: "F"): isModified ? .documentEnd : .end
        case UInt8(ascii: "P"): isModified ? nil : .help
        case UInt8(ascii: "Z"): .backTab
        default: nil
        }
    }

    private mutating func continueString(_ byte: UInt8, afterEscape: Bool) -> Key? {
        let isOver = byte == 0x07 || byte == 0x18 || byte == 0x1A || (afterEscape && byte == UInt8(ascii: "\\"))
        state = isOver ? .ground : .string(afterEscape: byte == 0x1B)
        return nil
    }

    private mutating func continueCharacter(_ bytes: [UInt8], _ length: Int, _ byte: UInt8) -> Key? {
        state = .ground
        guard byte & 0xC0 == 0x80 else { return begin(byte) }
        let bytes = bytes + [byte]
        guard bytes.count == length else {
            state = .character(bytes, length: length)
            return nil
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        // C1 controls are no text.
        return text.unicodeScalars.allSatisfy { $0.value >= 0xA0 } ? .text(text) : nil
    }

    private mutating func continuePaste(_ bytes: inout [UInt8], _ matched: Int, _ byte: UInt8) -> Key? {
        var matched = matched
        if byte == Self.pasteEnd[matched] {
            matched += 1
            if matched == Self.pasteEnd.count { return .paste(String(decoding: bytes, as: UTF8.self)) }
        } else {
            bytes += Self.pasteEnd[..<matched]
            matched = byte == 0x1B ? 1 : 0
            if matched == 0 { bytes.append(byte) }
        }
        if bytes.count >= Self.longestPaste { return cutPaste(&bytes, matched: matched) }
        state = .paste(bytes, matched: matched)
        return nil
    }
}
