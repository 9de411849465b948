import Secrets
import Testing
import Tresor

/// What is stored of a password, whichever scheme has made it.
@Suite struct StoredPasswordTests {
    /// SHA-256 of `pepper123456` (sha256sum).
    private static let book = "fdf8d47fc7208526c73885b14295ee9397844eaa6594a0122ace74d144e5c429"

    private func secret(_ text: String) throws -> SecretBytes { try SecretBytes(copying: text.utf8.span.bytes) }

    @Test func `a hash of the book's is right for its password, and replaced by one that costs`() throws {
        let digest = try #require(StoredPassword(Self.book, bookSalt: Array("pepper".utf8)))
        guard case .right(let replacement?) = try digest.check(secret("123456")) else {
            return #expect(Bool(false), "it is the password")
        }
        #expect(!replacement.needsUpgrade && replacement.description.hasPrefix("$scrypt$"))
        #expect(try digest.check(secret("123457")) == .wrong)
        #expect(try StoredPassword(Self.book)?.check(secret("123456")) == .wrong, "without its salt")
        let kept = try #require(StoredPassword(replacement.description, bookSalt: Array("pepper".utf8)))
        #expect(try kept.check(secret("123456")) == .right(replacement: nil), "and that stays")
        #expect(try kept.check(secret("pepper123456")) == .wrong)
    }

    @Test func `a cheaper hash is replaced, a wrong password replaces nothing`() throws {
        // ln=14 costs less than new ones; its password is no one's.
        let cheap = "$scrypt$ln=14,r=8,p=1$kD6Dp3kJBxHWuWHVqpPuZg$n0Czn0Czn0Czn0Czn0Czn0Czn0Czn0Czn0Czn0Czn0A"
        #expect(try StoredPassword(cheap)?.check(secret("guess")) == .wrong)
    }

    @Test(arguments: ["", "123456", "$scrypt$", String(repeating: "G", count: 64), String(repeating: "A", count: 64)])
    func `what no scheme has made is nothing`(_ text: String) { #expect(StoredPassword(text) == nil) }
}
