import Secrets

/// What an entry's one-time codes are made from: KeePass, KeePassXC and their plug-ins each have fields of their own.
///
/// KeePass's are `TimeOtp-…` (keepass.info/help/base/placeholders.html), KeePassXC's `otp`, KeeTrayTOTP's
/// `TOTP Seed` and `TOTP Settings`.
struct KeePassCode {
    private let values: [String: Range<Int>]

    init(strings: [(key: String, value: Range<Int>)]) {
        values = Dictionary(strings.filter { !$0.value.isEmpty }.map { ($0.key, $0.value) }) { first, _ in first }
    }

    /// What was written, and from which fields.
    struct Written {
        let secret: Range<Int>
        let keys: [String]
    }

    /// Writes it as an item keeps it: an otpauth address, or the secret in base32 alone.
    ///
    /// - Returns: nil where there is none, or one that is not understood: its fields stay what they are.
    func written(in arena: inout SecretArena) throws -> Written? {
        if let otp = values["otp"] { return try fromAddress(otp, in: &arena) }
        if values.keys.contains(where: { $0.hasPrefix("TimeOtp-Secret") }) { return try fromKeePass(in: &arena) }
        return try fromTray(in: &arena)
    }

    /// An otpauth address as it is; or `key=…&step=30&size=6`, as KeeOtp has it.
    private func fromAddress(_ otp: Range<Int>, in arena: inout SecretArena) throws -> Written? {
        if arena.begins(otp, with: "otpauth:") { return Written(secret: otp, keys: ["otp"]) }
        var parameters: [String: Range<Int>] = [:]
        var start = otp.lowerBound
        while start < otp.upperBound {
            let end = (start..<otp.upperBound).first { arena.byte(at: $0) == UInt8(ascii: "&") } ?? otp.upperBound
            // A secret in base32 may end in one too, and becomes no text.
            guard let mark = (start..<end).first(where: { arena.byte(at: $0) == UInt8(ascii: "=") }),
                mark - start <= "step".utf8.count, let name = arena.text(start..<mark)
            else { return nil }
            parameters[name.lowercased()] = mark + 1..<end
            start = end + 1
        }
        guard let key = parameters["key"], Set(parameters.keys).isSubset(of: ["key", "step", "size"]) else {
            return nil
        }
        return try address(
            of: key, period: parameters["step"].flatMap { arena.text($0) },
            digits: parameters["size"].flatMap { arena.text($0) }, ["otp"], in: &arena)
    }

    private func fromKeePass(in arena: inout SecretArena) throws -> Written? {
        let algorithms = ["HMAC-SHA-1": "SHA1", "HMAC-SHA-256": "SHA256", "HMAC-SHA-512": "SHA512"]
        let said = text("TimeOtp-Algorithm", arena)
        let algorithm = said.map { algorithms[$0] } ?? "SHA1"
        let secrets = values.keys.filter { $0.hasPrefix("TimeOtp-Secret") }
        guard let algorithm, secrets.count == 1, let key = secrets.first, let value = values[key] else { return nil }
        let secret: Range<Int>?
        switch key {
        case "TimeOtp-Secret-Base32": secret = value
        case "TimeOtp-Secret": secret = try SecretDigits.base32(value, in: &arena)
        case "TimeOtp-Secret-Hex": secret = try SecretDigits.base32(ofHexadecimal: value, in: &arena)
        case "TimeOtp-Secret-Base64": secret = try SecretDigits.base32(ofBase64: value, in: &arena)
        default: secret = nil
        }
        guard let secret else { return nil }
        let keys = [key, "TimeOtp-Algorithm", "TimeOtp-Length", "TimeOtp-Period"]
        return try address(
            of: secret, period: text("TimeOtp-Period", arena), digits: text("TimeOtp-Length", arena),
            algorithm: algorithm, keys, in: &arena)
    }

    /// `TOTP Settings` are `period;digits`.
    private func fromTray(in arena: inout SecretArena) throws -> Written? {
        guard let seed = values["TOTP Seed"] else { return nil }
        let settings = (text("TOTP Settings", arena) ?? "30;6").split(separator: ";").map(String.init)
        guard settings.count == 2 else { return nil }
        return try address(
            of: seed, period: settings[0], digits: settings[1], ["TOTP Seed", "TOTP Settings"], in: &arena)
    }

    private func address(
        of secret: Range<Int>, period: String?, digits: String?, algorithm: String = "SHA1", _ keys: [String],
        in arena: inout SecretArena
    ) throws -> Written? {
        guard let period = Int(period ?? "30"), (1...300).contains(period), let digits = Int(digits ?? "6"),
            (6...8).contains(digits)
        else { return nil }
        guard period != 30 || digits != 6 || algorithm != "SHA1" else { return Written(secret: secret, keys: keys) }
        let start = arena.count
        try arena.append("otpauth://totp/?secret=")
        // In groups, as people type it, it would be no address.
        for place in secret {
            let byte = arena.byte(at: place)
            if byte != UInt8(ascii: " ") { try arena.append(byte) }
        }
        try arena.append("&algorithm=\(algorithm)&digits=\(digits)&period=\(period)")
        return Written(secret: start..<arena.count, keys: keys)
    }

    private func text(_ key: String, _ arena: borrowing SecretArena) -> String? {
        guard let value = values[key], value.count < 64 else { return nil }
        return arena.text(value)
    }
}

/// Digits of one kind as those of another, in locked memory.
enum SecretDigits {
    private static let base32Digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// Bytes that lie in the arena.
    static func base32(_ bytes: Range<Int>, in arena: inout SecretArena) throws -> Range<Int>? {
        guard !bytes.isEmpty else { return nil }
        let start = arena.count
        var (waiting, count): (UInt32, UInt32) = (0, 0)
        for place in bytes {
            waiting = (waiting & 0x1F) << 8 | UInt32(arena.byte(at: place))
            count += 8
            while count >= 5 {
                count -= 5
                try arena.append(base32Digits[Int(waiting >> count) & 31])
            }
        }
        if count > 0 { try arena.append(base32Digits[Int(waiting << (5 - count)) & 31]) }
        return start..<arena.count
    }

    static func base32(ofHexadecimal text: Range<Int>, in arena: inout SecretArena) throws -> Range<Int>? {
        try base32(of: text, bitsEach: 4, in: &arena) { digit in
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - 0x30
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - 0x57
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - 0x37
            default: nil
            }
        }
    }

    static func base32(ofBase64 text: Range<Int>, in arena: inout SecretArena) throws -> Range<Int>? {
        try base32(of: text, bitsEach: 6, in: &arena) { digit in
            switch digit {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - 0x41
            case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - 0x61 + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - 0x30 + 52
            case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
            case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
            default: nil
            }
        }
    }

    /// - Returns: nil where one is no digit, or a byte is not whole.
    private static func base32(
        of text: Range<Int>, bitsEach: UInt32, in arena: inout SecretArena, _ value: (UInt8) -> UInt8?
    ) throws -> Range<Int>? {
        let bytes = arena.count
        var (waiting, count): (UInt32, UInt32) = (0, 0)
        var digits = text
        while let last = digits.last, arena.byte(at: last) == UInt8(ascii: "=") { digits = digits.dropLast() }
        for place in digits where arena.byte(at: place) != UInt8(ascii: " ") {
            guard let digit = value(arena.byte(at: place)) else { return nil }
            waiting = (waiting & 0xFF) << bitsEach | UInt32(digit)
            count += bitsEach
            guard count >= 8 else { continue }
            count -= 8
            try arena.append(UInt8(truncatingIfNeeded: waiting >> count))
        }
        guard count < bitsEach else { return nil }
        return try base32(bytes..<arena.count, in: &arena)
    }
}
