import Linux
import Secrets

/// What a line from pinentry is, by the Assuan protocol ("Server responses" in libassuan's manual).
enum AssuanAnswer: Equatable {
    case success
    case error(UInt32)
    /// Data follow, from the third byte on.
    case data
    /// A comment, a status or nothing: it tells nothing that is asked for.
    case remark

    /// The longest line, without its end.
    static let longestLine = 1000

    /// Reads a line without its end; what could not have been sent to us is refused, a question among it.
    init(_ line: RawSpan) throws(PinentryError) {
        if Self.isWord("OK", of: line) {
            self = .success
        } else if Self.isWord("ERR", of: line) {
            self = .error(try Self.number(in: line))
        } else if Self.begins("D ", line) {
            self = .data
        } else if line.byteCount == 0 || Self.begins("#", line) || Self.isWord("S", of: line) {
            self = .remark
        } else {
            throw .malformed
        }
    }

    /// Decodes what a line of data carries, behind what came before, in locked memory alone.
    ///
    /// Everything may be written as `%` and two hexadecimal digits; upper-case ones by the manual, of which others
    /// than pinentry know little. A bare CR or LF is never data.
    static func decode(_ line: RawSpan, into passcode: inout LockedBuffer) throws(PinentryError) {
        var offset = 2
        while offset < line.byteCount {
            var byte = line.byte(at: offset)
            offset += 1
            guard byte != 0x0d else { throw .malformed }
            if byte == UInt8(ascii: "%") {
                guard offset + 2 <= line.byteCount else { throw .malformed }
                byte = try digit(line.byte(at: offset)) << 4 | digit(line.byte(at: offset + 1))
                offset += 2
            }
            guard passcode.count < Pinentry.longestPasscode else { throw .tooLong }
            do { try passcode.append(byte) } catch { throw .system(error) }
        }
    }

    private static func digit(_ byte: UInt8) throws(PinentryError) -> UInt8 {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: throw .malformed
        }
    }

    private static func number(in line: RawSpan) throws(PinentryError) -> UInt32 {
        var offset = 4
        var number: UInt32 = 0
        while offset < line.byteCount, line.byte(at: offset) != UInt8(ascii: " ") {
            let byte = line.byte(at: offset)
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { throw .malformed }
            let (ten, isLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, isLarger) = ten.addingReportingOverflow(UInt32(byte - UInt8(ascii: "0")))
            guard !isLarge, !isLarger else { throw .malformed }
            number = sum
            offset += 1
        }
        guard offset > 4 else { throw .malformed }
        return number
    }

    private static func begins(_ text: StaticString, _ line: RawSpan) -> Bool {
        let bytes = Array("\(text)".utf8)
        guard line.byteCount >= bytes.count else { return false }
        return bytes.indices.allSatisfy { line.byte(at: $0) == bytes[$0] }
    }

    private static func isWord(_ text: StaticString, of line: RawSpan) -> Bool {
        let end = text.utf8CodeUnitCount
        return begins(text, line) && (line.byteCount == end || line.byte(at: end) == UInt8(ascii: " "))
    }
}
