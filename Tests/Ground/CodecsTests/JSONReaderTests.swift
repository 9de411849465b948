import Codecs
import Testing

@Suite struct JSONReaderTests {
    private static let strict = JSONRules(deepest: 4, mostValues: 6, isTolerant: false)

    private static func error(_ text: String, _ rules: JSONRules) -> JSONError? {
        do {
            _ = try JSONReader.read(Array(text.utf8), rules: rules)
            return nil
        } catch { return error }
    }

    @Test(
        arguments: [
            ("\u{FEFF}{}", JSONError.Reason.malformed, 0), (#"{"a":1,"b":2,"a":3}"#, .repeatedName("a"), 13),
            (#""\ud800""#, .halfCharacter, 7), (#""\ud800\u0041""#, .halfCharacter, 13),
        ] as [(String, JSONError.Reason, Int)])
    func `what is nearly JSON is taken by a tolerant reader alone`(
        _ text: String, _ reason: JSONError.Reason, _ offset: Int
    ) {
        let error = Self.error(text, Self.strict)
        #expect(error?.reason == reason && error?.offset == offset)
        #expect(Self.error(text, .tolerant) == nil)
    }

    @Test func `what cannot be text becomes U+FFFD for a tolerant reader`() throws {
        let bytes: [UInt8] = [0x22, 0xC3, 0x28, 0x22]
        #expect(try JSONReader.read(bytes) == .string("\u{FFFD}("))
        #expect(throws: JSONError.self) { try JSONReader.read(bytes, rules: Self.strict) }
        #expect(try JSONReader.read(Array(#""\ud800\u0041""#.utf8)) == .string("\u{FFFD}A"))
    }

    @Test func `members keep their order, and the last of one name counts`() throws {
        let value = try JSONReader.read(Array(#"{"b":1.50,"a":[true,null],"b":"\u00e9\n"}"#.utf8))
        #expect(value.object?.members.map(\.name) == ["b", "a", "b"])
        #expect(value.object?["b"]?.string == "é\n")
        #expect(String(decoding: value.encoded, as: UTF8.self) == #"{"b":1.50,"a":[true,null],"b":"é\n"}"#)
    }

    @Test func `depth and values have their ends`() {
        #expect(Self.error("[[[[]]]]", Self.strict) == nil)
        #expect(Self.error("[[[[[]]]]]", Self.strict)?.reason == .tooDeep)
        #expect(Self.error("[[[[[]]]]]", Self.strict)?.offset == 4)
        #expect(Self.error("[1,2,3,4,5]", Self.strict) == nil)
        #expect(Self.error("[1,2,3,4,5,6]", Self.strict)?.reason == .tooManyValues)
        // What is closed again is not deep.
        #expect(Self.error("[[[[]]],[]]", Self.strict) == nil)
    }

    @Test func `passing over a value ends where reading it does`() throws {
        let bytes = Array(#" {"a":[1,{"b":"\""}],"c":-0.5e+3} ,"#.utf8)
        var (reader, skipper) = (JSONReader(bytes), JSONReader(bytes))
        _ = try reader.value()
        try skipper.skip()
        #expect(reader.position == skipper.position && reader.next() == UInt8(ascii: ","))
        #expect(skipper.next() == UInt8(ascii: ","))
    }
}
