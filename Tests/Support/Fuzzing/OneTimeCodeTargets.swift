import Envelopes
import Secrets

/// Secrets of one-time codes as sites and other programs write them.
enum OneTimeCodeTargets {
    /// What is read makes codes of its length, and says the same with blanks around it and without.
    static func text(_ bytes: [UInt8]) throws -> Bool {
        let once = try said(bytes)
        return holds {
            let trimmed = try bytes.withSpan { (span) throws in
                try OneTimeCodeSecret.trimmed(span).withBytes { $0.copyToArray() }
            }
            guard once.codes.allSatisfy({ $0.count == once.parameters.digits }) else { return false }
            guard once.codes.joined().allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
            guard try said(trimmed) == once else { return false }
            // With blanks it may be too long.
            return try trimmed.count > OneTimeCodeSecret.longestText - 3
                || said([0x20] + trimmed + [0x0D, 0x0A]) == once
        }
    }

    private struct Said: Equatable {
        var parameters: OneTimeCodeParameters
        var issuer: String?
        var account: String?
        var codes: [[UInt8]]
    }

    private static func said(_ bytes: [UInt8]) throws -> Said {
        let secret = try bytes.withSpan { (span) throws in try OneTimeCodeSecret(span) }
        let codes = try [0, 1_111_111_109, Int64.max].map { (time: Int64) throws in
            try secret.code(at: time).withBytes { $0.copyToArray() }
        }
        return Said(
            parameters: secret.parameters, issuer: secret.issuer, account: secret.account, codes: codes)
    }

    /// First inputs: each is read.
    static let texts: [[UInt8]] = [
        "otpauth://totp/Example:a%40b.example?secret=IFBEGRCFIZDUQSKK&issuer=Example&algorithm=SHA1&digits=6&period=30",
        "otpauth://totp/B%C3%A4r%3A%20%C3%A4nn%C3%A4?secret=ifbe%20gra%3D&algorithm=SHA512&digits=8&period=300&image=x",
        "OTPAUTH://TOTP/?secret=IE&digits=7&period=1",
        "  ifbe grcf izdu qskk\r\n",
        "IFBEGRA=",
    ].map { Array($0.utf8) }
}
