// The one file of this target that touches raw pointers: libqrencode takes nothing else.
import CQrencode
package import Secrets

/// The QR code (ISO/IEC 18004) of a secret: which of its modules are dark, in locked memory.
///
///     let code = try QRCode(secret)
///     code.isDark(0, 0)
///
/// What libqrencode makes on its way is wiped when it frees it, in programs that link `CZeroingFree`.
package struct QRCode: ~Copyable, Sendable {
    /// How many modules a side has, without the quiet zone.
    package let side: Int
    private let modules: SecretBytes

    /// In bytes: of version 40 with the lowest correction (ISO/IEC 18004, table 7).
    package static let longestText = 2953

    /// Makes the smallest code for a text, with the lowest correction: nothing scratches a screen.
    ///
    /// - Throws: ``QRCodeError``.
    package init(_ text: borrowing SecretBytes) throws(QRCodeError) {
        guard text.count > 0 else { throw .empty }
        let isUTF8 = text.withBytes { Self.isUTF8BeyondASCII($0) }
        // What says so takes twelve bits.
        guard text.count <= Self.longestText - (isUTF8 ? 2 : 0) else { throw .tooLong }
        do {
            var modules = try SecretBuffer(capacity: 2048)
            side = try text.withBytes { (bytes) throws in
                try Self.encode(bytes, isUTF8: isUTF8, into: &modules)
            }
            self.modules = modules.finish()
        } catch { throw .memory }
    }

    private static func encode(
        _ text: RawSpan, isUTF8: Bool, into modules: inout SecretBuffer
    ) throws -> Int {
        guard let input = unsafe QRinput_new2(0, QR_ECLEVEL_L) else { throw QRCodeError.memory }
        defer { unsafe QRinput_free(input) }
        if isUTF8, unsafe QRinput_appendECIheader(input, utf8) != 0 { throw QRCodeError.memory }
        let status = unsafe text.withUnsafeBytes { bytes in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return unsafe QRinput_append(input, QR_MODE_8, Int32(bytes.count), start)
        }
        guard status == 0, let code = unsafe QRcode_encodeInput(input) else { throw QRCodeError.memory }
        defer { unsafe QRcode_free(code) }
        let side = unsafe Int(code.pointee.width)
        guard let data = unsafe code.pointee.data else { throw QRCodeError.memory }
        // The lowest bit says whether it is dark; the others what it is for.
        for index in 0..<side * side { try modules.append(byte: unsafe data[index] & 1) }
        return side
    }

    /// Of AIM's list of character sets: without it a reader has to guess, and may take Latin letters for Chinese ones.
    private static let utf8: UInt32 = 26

    /// Whether there are letters beyond ASCII, and all of it is UTF-8 by the lengths that its bytes say.
    private static func isUTF8BeyondASCII(_ text: RawSpan) -> Bool {
        var (offset, isBeyond) = (0, false)
        while offset < text.byteCount {
            let length =
                switch text.byte(at: offset) {
                case 0..<0x80: 1
                case 0xC2..<0xE0: 2
                case 0xE0..<0xF0: 3
                case 0xF0..<0xF5: 4
                default: 0
                }
            guard length > 0, offset + length <= text.byteCount else { return false }
            for index in 1..<max(length, 1) where text.byte(at: offset + index) & 0xC0 != 0x80 { return false }
            if length > 1 { isBeyond = true }
            offset += length
        }
        return isBeyond
    }

    /// Whether a module is dark, counted from 0; what lies around the code is light.
    package borrowing func isDark(_ row: Int, _ column: Int) -> Bool {
        guard (0..<side).contains(row), (0..<side).contains(column) else { return false }
        let offset = row * side + column
        return modules.withBytes { $0.byte(at: offset) == 1 }
    }
}

/// Why there is no code of a text.
package enum QRCodeError: Error, Equatable, Sendable {
    /// There is nothing to be said.
    case empty
    /// It has more than ``QRCode/longestText`` bytes.
    case tooLong
    /// No locked memory is left.
    case memory
}
