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
        guard text.count <= Self.longestText else { throw .tooLong }
        do {
            var modules = try SecretBuffer(capacity: 2048)
            side = try text.withBytes { (bytes) throws in try Self.encode(bytes, into: &modules) }
            self.modules = modules.finish()
        } catch { throw .memory }
    }

    private static func encode(_ text: RawSpan, into modules: inout SecretBuffer) throws -> Int {
        let made = unsafe text.withUnsafeBytes { bytes in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return unsafe QRcode_encodeData(Int32(bytes.count), start, 0, QR_ECLEVEL_L)
        }
        guard let code = unsafe made else { throw QRCodeError.memory }
        defer { unsafe QRcode_free(code) }
        let side = unsafe Int(code.pointee.width)
        guard let data = unsafe code.pointee.data else { throw QRCodeError.memory }
        // The lowest bit says whether it is dark; the others what it is for.
        for index in 0..<side * side { try modules.append(byte: unsafe data[index] & 1) }
        return side
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
