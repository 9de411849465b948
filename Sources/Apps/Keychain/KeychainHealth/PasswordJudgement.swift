import Protection
import Secrets

/// Whether a password is found early by who guesses, looked at byte by byte: it is in no text and in no array.
///
/// docs/guides/keychain-health.md says the rules to people.
enum PasswordJudgement {
    private static let shortest = 8
    /// What one try costs who has stolen a fast hash and a few graphics cards: ten billion tries a second.
    private static let secondsPerTry = 1e-10
    private static let year: Double = 31_557_600
    /// So many characters around a word that is guessed hardly delay it: a year, a number, an exclamation mark.
    static let decoration = 6

    /// - Parameters:
    ///   - account: the account's name, which is guessed first.
    ///   - site: the site, likewise.
    static func isWeak(_ secret: RawSpan, account: String?, site: String) throws(SecretMemoryError) -> Bool {
        var meter = PasscodeStrength.Meter()
        secret.forEachByte { meter.add($0) }
        let strength = meter.finish()
        guard strength.length >= shortest, strength.searchSeconds(secondsPerTry: secondsPerTry) >= year else {
            return true
        }
        let folded = try FoldedPassword(secret)
        return folded.isRepetition || folded.isOfRuns || folded.isOfCommonWords
            || GuessedNames.of(account, site).contains { folded.isAlmost($0) }
    }

    /// Whether it can be typed: UTF-8 without control characters, and no longer than anybody's password.
    static func isText(_ secret: RawSpan) -> Bool {
        guard secret.byteCount <= 1024 else { return false }
        var following = 0
        for offset in 0..<secret.byteCount {
            let byte = secret.byte(at: offset)
            if following > 0 {
                guard byte & 0xC0 == 0x80 else { return false }
                following -= 1
                continue
            }
            switch byte {
            case 0x20...0x7E: break
            case 0xC2...0xDF: following = 1
            case 0xE0...0xEF: following = 2
            case 0xF0...0xF4: following = 3
            default: return false
            }
        }
        return following == 0
    }
}

/// The names that are tried as somebody's password before anything else.
private enum GuessedNames {
    private static let shortest = 4

    /// The account's name without a server behind an at sign, and each part of the site's name but the last.
    static func of(_ account: String?, _ site: String) -> [[UInt8]] {
        let name = (account ?? "").split(separator: "@", maxSplits: 1).first.map { [String($0)] } ?? []
        let labels = site.split(whereSeparator: { $0 == "." || $0 == " " || $0 == "/" }).map(String.init)
        let parts = labels.count > 1 && site.contains(".") ? Array(labels.dropLast()) : labels
        return (name + parts).map { Array($0.lowercased().utf8) }.filter { $0.count >= shortest }
    }
}
