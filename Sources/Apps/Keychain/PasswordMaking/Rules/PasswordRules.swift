import Secrets

/// What a site demands of a password, in the language in which Apple publishes it.
///
///     let rules = try PasswordRules("minlength: 8; required: lower; required: digit; allowed: [-_];")
///     print(rules)        // the same in the one form that is ours
///
/// Source: developer.apple.com, "Customizing Password AutoFill Rules". Where a rule is given several times, the
/// narrower number holds, and what is allowed adds up. Where `allowed` is missing, what is required is allowed, and
/// where nothing is required either, all printable characters of ASCII are.
package struct PasswordRules: Equatable, Sendable {
    /// At least so many characters.
    package let minimumLength: Int?
    /// At most so many.
    package let maximumLength: Int?
    /// At most so many times the same character in a row.
    package let maximumRun: Int?
    /// Of each of these one character at least; none of them twice.
    package let required: [CharacterClass]
    /// What may also be used; nil where nothing says so.
    package let allowed: CharacterClass?

    /// Rules as values.
    ///
    /// - Parameters:
    ///   - minimumLength: from 1.
    ///   - maximumLength: from 1.
    ///   - maximumRun: from 1.
    ///   - required: what is in it twice counts once.
    ///   - allowed: beside what is required.
    package init(
        minimumLength: Int? = nil, maximumLength: Int? = nil, maximumRun: Int? = nil,
        required: [CharacterClass] = [], allowed: CharacterClass? = nil
    ) {
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
        self.maximumRun = maximumRun
        var once: [CharacterClass] = []
        for one in required where !once.contains(one) { once.append(one) }
        self.required = once
        self.allowed = allowed
    }

    /// Reads rules as they are published.
    ///
    /// - Throws: where they are not the language, and why; nothing is passed over.
    package init(_ text: String) throws(PasswordRulesError) {
        var parser = PasswordRulesParser(text)
        self = try parser.parse()
    }

    /// All characters that a password may have.
    package var permitted: CharacterClass {
        guard allowed != nil || !required.isEmpty else { return .asciiPrintable }
        return required.reduce(allowed ?? .empty) { $0.union($1) }
    }

    /// Whether a password is as they demand.
    package func areMet(by password: RawSpan) -> Bool {
        let length = password.byteCount
        guard length >= minimumLength ?? 0, length <= maximumLength ?? .max else { return false }
        let permitted = permitted
        var missing = required
        var (run, last): (Int, UInt8?) = (0, nil)
        for offset in 0..<length {
            let byte = password.byte(at: offset)
            guard permitted.contains(byte) else { return false }
            run = byte == last ? run + 1 : 1
            last = byte
            if let maximumRun, run > maximumRun { return false }
            missing.removeAll { $0.contains(byte) }
        }
        return missing.isEmpty
    }
}

extension PasswordRules: CustomStringConvertible {
    /// The rules as text, in the one form that is ours; read again, they are the same.
    package var description: String {
        var properties: [String] = []
        if let minimumLength { properties.append("minlength: \(minimumLength)") }
        if let maximumLength { properties.append("maxlength: \(maximumLength)") }
        if let maximumRun { properties.append("max-consecutive: \(maximumRun)") }
        properties += required.map { "required: \($0.text)" }
        if let allowed { properties.append("allowed: \(allowed.text)") }
        return properties.map { $0 + ";" }.joined(separator: " ")
    }
}
