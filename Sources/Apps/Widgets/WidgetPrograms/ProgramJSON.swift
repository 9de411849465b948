import Codecs
import Localization

/// JSON as programs have to write it: UTF-8 without a mark before it, each member once, one value.
enum ProgramJSON {
    private static let rules = JSONRules(
        deepest: ProgramLimit.depth, mostValues: ProgramLimit.values, isTolerant: false)

    /// - Throws: `ProgramRefusal`, whose path is the number of the byte that is wrong.
    static func parse(_ bytes: [UInt8]) throws(ProgramRefusal) -> JSONValue {
        do { return try JSONReader.read(bytes, rules: rules) } catch { throw ProgramRefusal(error) }
    }
}

/// A number as far as it is of use here.
struct JSONNumber: Equatable, Sendable {
    /// Nil where it was written with a fraction or an exponent, or is beyond 64 bits.
    let whole: Int64?
    /// Millionths, what is smaller dropped; nil where it was written with an exponent, or is beyond 64 bits.
    let millionths: Int64?

    /// - Parameter text: as JSON has it.
    init(_ text: String) {
        guard !text.utf8.contains(where: { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }) else {
            whole = nil
            millionths = nil
            return
        }
        let parts = text.split(separator: ".")
        let fraction = (parts.count > 1 ? String(parts[1]) : "") + "000000"
        whole = parts.count == 1 ? Int64(text) : nil
        millionths = Int64(String(parts[0]) + String(fraction.prefix(6)))
    }
}

extension ProgramRefusal {
    fileprivate init(_ error: JSONError) {
        let reason =
            switch error.reason {
            case .malformed: localized("is no JSON")
            case .endsEarly: localized("ends too early")
            case .trailing: localized("something follows the answer")
            case .leadingZero: localized("a number begins with 0")
            case .controlCharacter: localized("a line break or control character in a text has to be escaped")
            case .notUTF8: localized("is not UTF-8")
            case .halfCharacter: localized("half a character")
            case .repeatedName(let name): localized("the member \(ProgramText.quoted(name)) stands there twice")
            case .tooDeep: localized("lies deeper than \(ProgramLimit.depth)")
            case .tooManyValues: localized("more than \(ProgramLimit.values) values")
            }
        self.init(localized("byte \(error.offset)"), reason)
    }
}
