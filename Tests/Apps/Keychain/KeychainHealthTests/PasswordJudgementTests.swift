import Secrets
import Testing

@testable import KeychainHealth

@Suite struct PasswordJudgementTests {
    private func isWeak(_ text: String, account: String? = nil, site: String = "") throws -> Bool {
        try Array(text.utf8).withSpan { (bytes) throws in
            try PasswordJudgement.isWeak(bytes, account: account, site: site)
        }
    }

    @Test(arguments: [
        // Short, or of so few kinds of characters that all are tried within a year.
        "", "a", "hunter2", "kR9#x2!", "83721904", "kdmqzvjw", "8f3k2m9d", "qzkvjwpxmtbn", "8372190465738291",
        // Of what is tried first, long as they are.
        "Password2026!", "P@ssw0rd-2026", "Sommer2026!!", "LetMeIn-2024#", "1234Welcome!5", "MonkeyDragon99",
        // Patterns.
        "aaaaaaaaaaaaaaaaaaaa", "xY1xY1xY1xY1xY1", "abcdefghijklmnopq", "Qwertz12345678", "zyxwvutsrqponml",
        "12345678901234567890", "1qaz2wsx3edc4rfv", "asdfghjklASDFGHJKL",
    ])
    func `is weak`(_ password: String) throws { #expect(try isWeak(password)) }

    @Test(arguments: [
        "k7#mPq2vL9wz", "qzkvjwpxmtbnh", "correct horse battery staple", "blaue Giraffe singt", "9f86d081884c7d659a2f",
        "Grüße aus Tromsø", "x9$kQ2password7#Lm", "passwordk7#mPq2v", "abcq7xyz#K2mnop",
    ])
    func `is not weak`(_ password: String) throws { #expect(try !isWeak(password)) }

    @Test func `a password that is hardly more than a name of its account or its site is weak`() throws {
        #expect(try isWeak("Annabella-1990", account: "annabella"))
        #expect(try isWeak("Annabella-1990", account: "annabella@example.org"))
        #expect(try !isWeak("Annabella-1990", account: "bert"))
        #expect(try isWeak("Wheelhouse#26", site: "www.wheelhouse.example"))
        #expect(try isWeak("Wheelhouse#26", site: "Wheelhouse"))
        #expect(try !isWeak("Wheelhouse#26", site: "other.example"))
        // Too short a name says nothing, and neither does the last part of a site's.
        #expect(try !isWeak("bertk7#mPq2v", account: "ber"))
        #expect(try !isWeak("example7#K9qz", site: "other.example"))
    }

    @Test func `a key is no text that somebody types`() {
        func isText(_ bytes: [UInt8]) -> Bool { bytes.withSpan { PasswordJudgement.isText($0) } }
        #expect(isText(Array("pass word ü €🔑".utf8)) && isText([]))
        for bytes: [UInt8] in [
            [0], [0x41, 0x0A], [0x7F], [0x80], [0xC3], [0xFF, 0xFE], [0xC0, 0x80], [0xE2, 0x82, 0x41],
        ] {
            #expect(!isText(bytes))
        }
        #expect(isText(Array(repeating: 0x41, count: 1024)) && !isText(Array(repeating: 0x41, count: 1025)))
    }
}
