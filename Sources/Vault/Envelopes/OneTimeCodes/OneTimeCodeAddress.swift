import Secrets

/// The Key URI format: `otpauth://totp/Issuer:account?secret=…&issuer=Issuer&algorithm=SHA1&digits=6&period=30`.
///
/// Source: "Key Uri Format" of the google-authenticator project's wiki; RFC 3986 for what an address is.
struct OneTimeCodeAddress: ~Copyable {
    private var key: SecretBytes?
    private var issuer: String?
    private var algorithm: OneTimeCodeParameters.Algorithm?
    private var digits: Int?
    private var period: Int?

    private init() {}

    static func read(_ text: ByteRange) throws(OneTimeCodeError) -> OneTimeCodeSecret {
        let scheme = "otpauth://"
        guard text.hasPrefix(scheme) else { throw .malformed }
        let rest = text.part(scheme.utf8.count, text.count)
        guard let slash = rest.firstOffset(of: UInt8(ascii: "/")) else { throw .malformed }
        let type = rest.part(0, slash)
        if type.isAlike("hotp") { throw .counterBased }
        guard type.isAlike("totp") else { throw .unsupported }
        guard let question = rest.firstOffset(of: UInt8(ascii: "?"), from: slash) else { throw .malformed }
        for offset in slash..<rest.count where !isOfAddress(rest[offset]) { throw .malformed }
        let label = try Label(rest.part(slash + 1, question))
        var address = OneTimeCodeAddress()
        try address.readParameters(rest.part(question + 1, rest.count))
        return try address.finish(label)
    }

    /// Letters beyond ASCII stand there unescaped in what some programs write; they can only be in a name.
    private static func isOfAddress(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte != 0x7F && byte != UInt8(ascii: "#")
    }

    private mutating func readParameters(_ query: ByteRange) throws(OneTimeCodeError) {
        var start = 0
        while start <= query.count {
            let end = query.firstOffset(of: UInt8(ascii: "&"), from: start) ?? query.count
            let parameter = query.part(start, end)
            guard let sign = parameter.firstOffset(of: UInt8(ascii: "=")), sign > 0 else { throw .malformed }
            try read(parameter.part(0, sign), parameter.part(sign + 1, parameter.count))
            start = end + 1
        }
    }

    /// Names that are not known are passed over: programs put pictures and the like there.
    private mutating func read(_ name: ByteRange, _ value: ByteRange) throws(OneTimeCodeError) {
        if name.isAlike("secret") {
            try Self.once(key == nil)
            key = try Self.secret(value)
        } else if name.isAlike("issuer") {
            try Self.once(issuer == nil)
            issuer = try PercentEncoding.text(value)
        } else if name.isAlike("algorithm") {
            try Self.once(algorithm == nil)
            let known = OneTimeCodeParameters.Algorithm.allCases.first { value.isAlike($0.rawValue.lowercased()) }
            guard let known else { throw .unsupported }
            algorithm = known
        } else if name.isAlike("digits") {
            try Self.once(digits == nil)
            digits = try Self.number(value, in: OneTimeCodeParameters.digitCounts)
        } else if name.isAlike("period") {
            try Self.once(period == nil)
            period = try Self.number(value, in: OneTimeCodeParameters.periods)
        } else if name.isAlike("encoder") {
            // Letters in place of digits, as one shop of games has them.
            throw .unsupported
        }
    }

    /// Of two values one would be wrong, and nobody knows which.
    private static func once(_ isFirst: Bool) throws(OneTimeCodeError) {
        guard isFirst else { throw .malformed }
    }

    private static func secret(_ value: ByteRange) throws(OneTimeCodeError) -> SecretBytes {
        let decoded: SecretBytes
        do {
            var buffer = try SecretBuffer(capacity: max(1, value.count))
            try PercentEncoding.decode(value) { (byte) throws in try buffer.append(byte: byte) }
            decoded = buffer.finish()
        } catch let error as OneTimeCodeError { throw error } catch { throw .memory }
        return try decoded.withBytes { (bytes) throws(OneTimeCodeError) in
            try OneTimeCodeBase32.decode(ByteRange(bytes))
        }
    }

    private static func number(_ value: ByteRange, in range: ClosedRange<Int>) throws(OneTimeCodeError) -> Int {
        guard let number = value.number else { throw .malformed }
        guard range.contains(number) else { throw .unsupported }
        return number
    }

    private consuming func finish(_ label: Label) throws(OneTimeCodeError) -> OneTimeCodeSecret {
        let standard = OneTimeCodeParameters.standard
        let parameters = OneTimeCodeParameters(
            algorithm: algorithm ?? standard.algorithm, digits: digits ?? standard.digits,
            period: period ?? standard.period)
        let issuer = issuer.flatMap { $0.isEmpty ? nil : $0 } ?? label.issuer
        guard let key = key.take() else { throw .malformed }
        return OneTimeCodeSecret(key, parameters, issuer: issuer, account: label.account)
    }

    /// `account`, or `issuer:account`, with spaces behind the colon.
    private struct Label {
        let issuer: String?
        let account: String?

        init(_ encoded: ByteRange) throws(OneTimeCodeError) {
            let text = try PercentEncoding.text(encoded)
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            issuer = parts.count == 2 ? Self.name(parts[0]) : nil
            account = parts.last.flatMap { Self.name($0) }
        }

        private static func name(_ text: Substring) -> String? {
            var text = text
            while text.first == " " { text.removeFirst() }
            while text.last == " " { text.removeLast() }
            return text.isEmpty ? nil : String(text)
        }
    }
}

/// RFC 3986, 2.1.
private enum PercentEncoding {
    /// - Throws: `malformed` for a percent sign without two hexadecimal digits; what `body` throws.
    static func decode(_ text: ByteRange, _ body: (UInt8) throws -> Void) throws {
        var offset = 0
        while offset < text.count {
            let byte = text[offset]
            offset += 1
            guard byte == UInt8(ascii: "%") else {
                try body(byte)
                continue
            }
            guard offset + 2 <= text.count, let high = digit(text[offset]), let low = digit(text[offset + 1]) else {
                throw OneTimeCodeError.malformed
            }
            try body(high << 4 | low)
            offset += 2
        }
    }

    /// A name for people; not for secrets.
    static func text(_ encoded: ByteRange) throws(OneTimeCodeError) -> String {
        var bytes: [UInt8] = []
        do { try decode(encoded) { bytes.append($0) } } catch { throw .malformed }
        guard let text = String(validating: bytes, as: UTF8.self),
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw .malformed }
        return text
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
