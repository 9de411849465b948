/// Reads password rules, byte by byte.
///
/// The language is that of `PasswordRules`. Browsers pass over what they don't understand; here it is refused: whoever
/// types rules wants all of them kept.
struct PasswordRulesParser {
    private let text: [UInt8]
    private var place = 0

    private var minimumLength: Int?
    private var maximumLength: Int?
    private var maximumRun: Int?
    private var required: [CharacterClass] = []
    private var allowed: CharacterClass?

    init(_ text: String) { self.text = Array(text.utf8) }

    mutating func parse() throws(PasswordRulesError) -> PasswordRules {
        skipSpace()
        while place < text.count {
            try parseRule()
            skipSpace()
            guard place < text.count else { break }
            guard take(";") else { throw error(.semicolonExpected) }
            skipSpace()
        }
        return PasswordRules(
            minimumLength: minimumLength, maximumLength: maximumLength, maximumRun: maximumRun, required: required,
            allowed: allowed)
    }

    private mutating func parseRule() throws(PasswordRulesError) {
        let start = place
        let name = takeName()
        guard !name.isEmpty else { throw error(.propertyExpected) }
        guard ["minlength", "maxlength", "max-consecutive", "required", "allowed"].contains(name) else {
            throw error(.unknownProperty, at: start)
        }
        guard take(":") else { throw error(.colonExpected) }
        skipSpace()
        // Of several that say the same, the narrower one holds.
        switch name {
        case "minlength":
            let number = try parseNumber()
            minimumLength = max(minimumLength ?? 1, number)
        case "maxlength":
            let number = try parseNumber()
            maximumLength = min(maximumLength ?? .max, number)
        case "max-consecutive":
            let number = try parseNumber()
            maximumRun = min(maximumRun ?? .max, number)
        case "required":
            let classes = try parseClasses()
            required.append(classes)
        default:
            let classes = try parseClasses()
            allowed = (allowed ?? .empty).union(classes)
        }
    }

    private mutating func parseNumber() throws(PasswordRulesError) -> Int {
        let start = place
        var number = 0
        while place < text.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[place]) {
            // So that no row of digits overflows it.
            number = min(10 * number + Int(text[place] & 15), 10_000)
            place += 1
        }
        guard place > start else { throw error(.numberExpected) }
        guard (1...9999).contains(number) else { throw error(.numberOutOfRange, at: start) }
        return number
    }

    /// One class or several, with commas between them.
    private mutating func parseClasses() throws(PasswordRulesError) -> CharacterClass {
        var together = try parseClass()
        skipSpace()
        while take(",") {
            skipSpace()
            let another = try parseClass()
            together = together.union(another)
            skipSpace()
        }
        return together
    }

    private mutating func parseClass() throws(PasswordRulesError) -> CharacterClass {
        if take("[") { return try parseList() }
        let start = place
        let name = takeName()
        guard !name.isEmpty else { throw error(.valueExpected) }
        switch name.lowercased() {
        case "lower": return .lower
        case "upper": return .upper
        case "digit": return .digit
        case "special": return .special
        case "ascii-printable": return .asciiPrintable
        case "unicode": return .unicode
        default: throw error(.unknownClass, at: start)
        }
    }

    /// Behind its bracket, to the one that closes it; that is in the list itself where another follows it.
    private mutating func parseList() throws(PasswordRulesError) -> CharacterClass {
        let start = place
        var characters: [UInt8] = []
        while place < text.count {
            let byte = text[place]
            if take("]") {
                if take("]") { characters.append(byte) }
                guard !characters.isEmpty else { throw error(.emptyList, at: start - 1) }
                return CharacterClass(characters)
            }
            guard CharacterClass.printable.contains(byte) else { throw error(.notPrintable) }
            guard byte != UInt8(ascii: "-") || place == start else { throw error(.hyphenNotFirst) }
            characters.append(byte)
            place += 1
        }
        throw error(.bracketNotClosed)
    }

    /// Letters and hyphens.
    private mutating func takeName() -> String {
        let start = place
        while place < text.count, Self.isOfName(text[place]) { place += 1 }
        return String(decoding: text[start..<place], as: UTF8.self)
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || CharacterClass.lower.contains(byte) || CharacterClass.upper.contains(byte)
    }

    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
        guard place < text.count, text[place] == UInt8(ascii: sign) else { return false }
        place += 1
        return true
    }

    private mutating func skipSpace() {
        let space: [UInt8] = [0x20, 0x09, 0x0A, 0x0C, 0x0D]
        while place < text.count, space.contains(text[place]) { place += 1 }
    }

    private func error(_ problem: PasswordRulesError.Problem, at offset: Int? = nil) -> PasswordRulesError {
        PasswordRulesError(problem: problem, offset: offset ?? place)
    }
}
