import Testing
import WidgetClient
import WidgetServer

@Suite struct TokenTests {
    @Test func `a token has one text`() throws {
        for _ in 0..<200 {
            let token = PageToken.makeRandom()
            #expect(token.text.utf8.count == 26)
            #expect(PageToken(token.text) == token)
        }
        // Of RFC 4648's alphabet, 16 zero bytes and 16 of all ones.
        #expect(PageToken(String(repeating: "a", count: 26))?.text == String(repeating: "a", count: 26))
        #expect(PageToken(String(repeating: "7", count: 25) + "4") != nil)
    }

    @Test func `no other text is a token`() {
        let zero = String(repeating: "a", count: 26)
        let others = [
            "", String(zero.dropLast()), zero + "a", zero.uppercased(), String(zero.dropLast()) + "b",
            String(repeating: "7", count: 26), String(zero.dropLast()) + "1", String(zero.dropLast()) + "=",
            String(zero.dropLast(2)) + "\u{e4}", String(repeating: "\u{0}", count: 26),
        ]
        for text in others { #expect(PageToken(text) == nil, "\(text.debugDescription)") }
    }

    @Test func `tokens differ, and so do their digests`() {
        let tokens = (0..<500).map { _ in PageToken.makeRandom() }
        #expect(Set(tokens.map(\.text)).count == 500)
        #expect(Set(tokens.map(\.digest)).count == 500)
    }

    @Test func `the digest is SHA-256 of the purpose, a zero and the token`() throws {
        let token = try #require(PageToken(String(repeating: "a", count: 26)))
        // printf 'tresor.widgets.page.1\0' followed by 16 zero bytes, by sha256sum.
        let expected = "b586e05db2303efce18b3752fea11998cba3ea2584c4b95ecc2a72c34079a918"
        let digits = token.digest.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        #expect(digits.joined() == expected)
    }
}
