import Testing
import Widgets

@testable import WidgetPrograms

/// What is refused, and how it is said.
@Suite struct Refusals {
    static func refusal(_ read: () throws -> Void) -> String? {
        do {
            try read()
            return nil
        } catch { return "\(error)" }
    }

    @Test(arguments: [
        (#""text""#, "$: has to be an object, “divider” or “spacer”"),
        ("7", "$: has to be an object, “divider” or “spacer”"),
        ("{}", "$: needs exactly one of text, symbol"),
        (#"{"text":"a","symbol":"lock"}"#, "$: needs exactly one of text, symbol"),
        (#"{"text":"a","privat":true}"#, "$: a member “privat” is not known here"),
        (#"{"text":"a","Private":true}"#, "$: a member “Private” is not known here"),
        (#"{"text":"a","a b\u0007":1}"#, "$: a member of another name is not known here"),
        (#"{"text":"a","private":true,"private":false}"#, "the member “private” stands there twice"),
        (#"{"text":"a","priv\u0061te":true,"private":true}"#, "the member “private” stands there twice"),
        (#"{"text":"a","private":1}"#, "$.private: has to be true or false"),
        (#"{"text":"a","private":null}"#, "$.private: has to be true or false"),
        (#"{"text":7}"#, "$.text: has to be a text"),
        (#"{"text":"a\u001b[2J"}"#, "$.text: has a control character in it"),
        (#"{"text":"a\u0085"}"#, "$.text: has a control character in it"),
        (#"{"text":"a","font":"huge"}"#, "$.font: has to be one of caption, body"),
        (#"{"text":"a","tint":"red"}"#, "$.tint: has to be one of primary"),
        (#"{"text":"a","lines":256}"#, "$.lines: has to be a whole number from 0 to 255"),
        (#"{"text":"a","lines":1.0}"#, "$.lines: has to be a whole number from 0 to 255"),
        (#"{"text":"a","lines":-1}"#, "$.lines: has to be a whole number from 0 to 255"),
        (#"{"text":"a","lines":1e1}"#, "$.lines: has to be a whole number from 0 to 255"),
        (#"{"text":"a","lines":99999999999999999999}"#, "$.lines: has to be a whole number from 0 to 255"),
        (#"{"text":"a","spacing":1}"#, "$: a member “spacing” is not known here"),
        (#"{"symbol":"skull"}"#, "$.symbol: has to be one of lock"),
        (#"{"hstack":{}}"#, "$.hstack: has to be a list"),
        (
            #"{"hstack":[{"vstack":[{"text":"a"},{"text":"b","colour":1}]}]}"#,
            "$.hstack[0].vstack[1]: a member “colour”"
        ),
        (#"{"hstack":[],"spacing":256}"#, "$.spacing: has to be a whole number"),
        (#"{"hstack":[],"alignment":"left"}"#, "$.alignment: has to be one of leading, center, trailing"),
        (#"{"gauge":{"value":2,"total":1}}"#, "$.gauge.value: has to be a whole number from 0 to 1"),
        (#"{"gauge":{"value":0,"total":0}}"#, "$.gauge.total: has to be a whole number from 1"),
        (#"{"gauge":{"value":0}}"#, "$.gauge: “total” is missing"),
        (#"{"gauge":{"value":0,"total":1,"private":true}}"#, "$.gauge: a member “private” is not known here"),
        (#"{"toggle":{"on":"yes"}}"#, "$.toggle.on: has to be true or false"),
        (#"{"image":{"base64":"iVBORw0KGgo=","width":0,"height":1}}"#, "$.image.width: has to be a whole number"),
        (#"{"image":{"base64":"iVBORw0KGgo=","width":1,"height":1001}}"#, "$.image.height: has to be a whole number"),
        (#"{"image":{"base64":"iVBORw0KGgp=","width":1,"height":1}}"#, "$.image.base64: is not Base64"),
        (#"{"image":{"base64":"PHN2Zz4=","width":1,"height":1}}"#, "$.image.base64: is neither PNG nor JPEG"),
        (#"{"sealed":{"text":"a"}}"#, "$: “placeholder” is missing"),
        (#"{"text":"a","placeholder":"spacer"}"#, "$: a member “placeholder” is not known here"),
        (#"{"text":"a","redacted":[]}"#, "$.redacted: has to have from 1 to 3 elements"),
        (#"{"text":"a","redacted":["privacy","privacy"]}"#, "$.redacted[1]: stands there twice"),
        (#"{"text":"a","unredacted":false}"#, "$.unredacted: has to be true, or left out"),
        (#"{"text":"a","unredacted":true,"redacted":["privacy"]}"#, "$.unredacted: stands beside “redacted”"),
        (#"{"text":"a","url":"javascript:alert(1)"}"#, "$.url: has to be a URL of http, https"),
        (#"{"text":"a","url":"https://a b"}"#, "$.url: has to be a URL of"),
        (#"{"text":"a","url":"/a"}"#, "$.url: has to be a URL of"),
        (#"{"text":"a","label":"a\nb"}"#, "$.label: has a control character"),
        (#"{"when":{},"then":"spacer"}"#, "$.when: names no condition"),
        (#"{"when":{"reason":["privacy"]},"then":"spacer"}"#, "$.when: a member “reason” is not known here"),
        (
            #"{"when":{"reasons":["locked"]},"then":"spacer"}"#,
            "$.when.reasons[0]: has to be one of placeholder, privacy"
        ),
        (#"{"when":{"placement":"desktop"},"then":"spacer"}"#, "$.when.placement: has to be a list"),
        (#"{"when":{"luminanceReduced":true}}"#, "$: “then” is missing"),
        (#"{"choice":{"variants":[0],"views":["spacer"]}}"#, "$.choice.variants: has to have from 48 to 48 elements"),
        (#"{"view":{"text":"a","private":true},"unredacted":true}"#, "$: has something private or sealed in a view"),
        (#"{"vstack":[{"sealed":{"text":"a"},"placeholder":"spacer"}],"unredacted":true}"#, "$: has something private"),
    ])
    func `a view is refused where it is wrong`(_ view: String, _ wanted: String) throws {
        let said = try #require(Self.refusal { _ = try Answers.view(view) })
        let place = "$.entries[0].views.systemSmall"
        #expect(said.replacing(place, with: "$").contains(wanted), "\(said)")
    }

    @Test func `a choice numbers its views as they come up`() {
        func choice(_ indices: [Int]) -> String? {
            Self.refusal {
                _ = try Answers.view(#"{"choice":{"variants":"# + "\(indices)" + #","views":["spacer","divider"]}}"#)
            }
        }
        #expect(choice([0] + [Int](repeating: 1, count: 47)) == nil)
        #expect(choice([1] + [Int](repeating: 0, count: 47))?.contains("variants: have to number") == true)
        #expect(choice([Int](repeating: 0, count: 48))?.contains("variants: have to number") == true)
        #expect(
            choice([Int](repeating: 2, count: 48))?.contains("variants[0]: has to be a whole number from 0") == true)
    }

    @Test(arguments: [
        ("", "byte 0: ends too early"), ("{", "byte 1: ends too early"), ("nul", "byte 0: is no JSON"),
        ("{} {}", "byte 3: something follows the answer"), ("\u{FEFF}{}", "byte 0: is no JSON"),
        ("{\"a\":01}", "byte 7: a number begins with 0"), ("{\"a\":1.}", "byte 7: is no JSON"),
        ("{'a':1}", "byte 1: is no JSON"), ("{\"a\":1,}", "byte 7: is no JSON"), ("[1,]", "byte 3: is no JSON"),
        ("{\"a\":NaN}", "byte 5: is no JSON"), ("// a\n{}", "byte 0: is no JSON"), ("+1", "byte 0: is no JSON"),
        ("\"a\nb\"", "byte 2: a line break or control character"), ("\"\\x\"", "byte 2: is no JSON"),
        (#""\ud800""#, "half a character"), (#""\udc00""#, "half a character"),
        (#""\ud800\u0041""#, "half a character"),
        (#""\u00g0""#, "is no JSON"), ("\"a", "ends too early"), ("[1 2]", "byte 3: is no JSON"),
        ("[]", "$: has to be an object"), ("7", "$: has to be an object"),
    ])
    func `what is no JSON is refused at its byte`(_ text: String, _ wanted: String) throws {
        let said = Self.refusal { _ = try AnswerReader.description(Array(text.utf8)) }
        #expect(said?.contains(wanted) == true, "\(said ?? "taken")")
    }

    @Test func `bytes that are no text are refused`() {
        let bytes = Array(#"{"protocol":1,"widgets":["#.utf8) + [0x22, 0xC3, 0x28, 0x22] + Array("]}".utf8)
        #expect(Self.refusal { _ = try AnswerReader.description(bytes) } == "byte 28: is not UTF-8")
    }

    @Test func `what is deep or large is refused without much ado`() throws {
        let deep = String(repeating: "[", count: 10_000)
        #expect(
            Self.refusal { _ = try AnswerReader.description(Array(deep.utf8)) } == "byte 256: lies deeper than 256")
        let many = "[" + String(repeating: "0,", count: 250_000) + "0]"
        #expect(
            Self.refusal { _ = try AnswerReader.description(Array(many.utf8)) }?.hasSuffix("more than 200000 values")
                == true)
        func nested(_ count: Int) -> String {
            String(repeating: #"{"vstack":["#, count: count) + String(repeating: "]}", count: count)
        }
        #expect(Self.refusal { _ = try Answers.view(nested(64)) } == nil)
        #expect(Self.refusal { _ = try Answers.view(nested(65)) }?.hasSuffix("lies deeper than 64") == true)
        func row(_ count: Int) -> String {
            #"{"hstack":["# + [String](repeating: "\"spacer\"", count: count).joined(separator: ",") + "]}"
        }
        #expect(Self.refusal { _ = try Answers.view(row(3999)) } == nil)
        #expect(Self.refusal { _ = try Answers.view(row(4000)) }?.contains("more than 4000 views") == true)
        let long = String(repeating: "a", count: 16_385)
        #expect(Self.refusal { _ = try Answers.view(#"{"text":""# + long + #""}"#) }?.contains("16384 bytes") == true)
        // Each label in another costs no more than the one before.
        func labelled(_ count: Int) -> String {
            String(repeating: #"{"label":"a","view":"#, count: count) + #"{"text":"b","private":true}"#
                + String(repeating: "}", count: count)
        }
        #expect(Self.refusal { _ = try Answers.view(labelled(62)) } == nil)
        #expect(Self.refusal { _ = try Answers.view(labelled(63)) }?.hasSuffix("lies deeper than 64") == true)
    }

    static let described = [
        "kind": #""a""#, "displayName": #""A""#, "summary": #""B.""#, "symbol": #""star""#,
        "families": #"["systemSmall"]"#, "protection": #""complete""#,
    ]

    /// - Parameter changes: members with other values; nil for those that are missing.
    static func description(_ changes: [String: String?]) -> [UInt8] {
        var members = described
        for (name, value) in changes { members[name] = value }
        let widget = "{" + members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
        return Array((#"{"protocol":1,"widgets":["# + widget + "]}").utf8)
    }

    @Test func `a description is whole, or refused`() throws {
        let widget = try #require(AnswerReader.description(Self.description([:])).first)
        #expect(
            widget
                == WidgetConfiguration(
                    kind: "a", displayName: "A", summary: "B.", symbol: .star, families: [.systemSmall],
                    protection: .complete))
        for name in Self.described.keys {
            let said = Self.refusal { _ = try AnswerReader.description(Self.description([name: nil])) }
            #expect(said == "$.widgets[0]: “\(name)” is missing")
        }
        for (name, value) in [
            ("kind", #""""#), ("kind", #""a b""#), ("kind", #"".a""#),
            ("kind", "\"\(String(repeating: "a", count: 33))\""),
            ("displayName", #""""#), ("displayName", #""a\nb""#),
            ("displayName", "\"\(String(repeating: "a", count: 81))\""),
            ("summary", #""a\u001b""#), ("symbol", #""Star""#), ("families", "[]"), ("families", #"["systemTiny"]"#),
            ("families", #"["systemSmall","systemSmall"]"#), ("protection", #""Complete""#), ("protection", "0"),
        ] {
            let said = Self.refusal { _ = try AnswerReader.description(Self.description([name: value])) }
            #expect(said?.hasPrefix("$.widgets[0].\(name)") == true, "\(name) \(value): \(said ?? "taken")")
        }
        let widgets = String(decoding: Self.description([:]), as: UTF8.self)
        for (other, wanted) in [
            (widgets.replacing("\"protocol\":1", with: "\"protocol\":2"), "$.protocol: has to be 1"),
            (widgets.replacing("\"protocol\":1,", with: ""), "$: “protocol” is missing"),
            (widgets.replacing("}]", with: "}],\"more\":1"), "$: a member “more” is not known here"),
            (#"{"protocol":1,"widgets":[]}"#, "$.widgets: has to have from 1 to 32 elements"),
        ] { #expect(Self.refusal { _ = try AnswerReader.description(Array(other.utf8)) } == wanted) }
    }

    @Test(arguments: [
        (#"{"entries":[],"policy":"never"}"#, "$.entries: has to have from 1 to 1000 elements"),
        (#"{"entries":[{"date":0,"views":{"systemSmall":"spacer"}}]}"#, "$: “policy” is missing"),
        (#"{"entries":[{"date":0,"views":{"systemSmall":"spacer"}}],"policy":"often"}"#, "$.policy: has to be “atEnd”"),
        (
            #"{"entries":[{"date":0,"views":{"systemSmall":"spacer"}}],"policy":{"after":"soon"}}"#,
            "$.policy.after: has to"
        ),
        (
            #"{"entries":[{"date":0,"views":{"systemSmall":"spacer"}}],"policy":"never","secret":1}"#,
            "$: a member “secret”"
        ),
        (#"{"entries":[{"views":{}}],"policy":"never"}"#, "$.entries[0]: “date” is missing"),
        (#"{"entries":[{"date":0,"views":{}}],"policy":"never"}"#, "$.entries: have no view for systemSmall"),
        (
            #"{"entries":[{"date":0,"views":{"systemLarge":"spacer"}}],"policy":"never"}"#,
            "systemLarge: is no size that"
        ),
        (#"{"entries":[{"date":0,"views":{"system":"spacer"}}],"policy":"never"}"#, "views: a member “system” is not"),
        (#"{"entries":[{"date":-1,"views":{}}],"policy":"never"}"#, "$.entries[0].date: has to be seconds since 1970"),
        (#"{"entries":[{"date":1e9,"views":{}}],"policy":"never"}"#, "$.entries[0].date: has to be seconds since 1970"),
        (#"{"entries":[{"date":1e9,"views":{}}],"failure":"empty"}"#, "$: a member “entries” is not known here"),
        (#"{"failure":"broken"}"#, "$.failure: has to be one of locked, empty, unavailable"),
        (
            #"{"entries":[{"date":5,"views":{"systemSmall":"spacer"}},{"date":5,"views":{}}],"policy":"never"}"#,
            "$.entries[1].date: is not later"
        ),
    ])
    func `a timeline is refused where it is wrong`(_ answer: String, _ wanted: String) {
        let said = Self.refusal {
            _ = try AnswerReader.timeline(Array(answer.utf8), families: Answers.sizes, wanted: Answers.sizes).get()
        }
        #expect(said?.contains(wanted) == true, "\(said ?? "taken")")
    }

    @Test(arguments: [
        "2023-02-29T00:00:00Z", "2024-13-01T00:00:00Z", "2024-00-01T00:00:00Z", "2024-01-00T00:00:00Z",
        "2024-04-31T00:00:00Z", "2024-01-01T24:00:00Z", "2024-01-01T00:60:00Z", "2024-01-01T00:00:60Z",
        "2024-01-01 00:00:00Z", "2024-01-01T00:00:00", "2024-01-01T00:00Z", "2024-01-01T00:00:00.Z", "2024-01-01",
        "1969-12-31T23:59:59Z", "1970-01-01T00:00:00+00:01", "24-01-01T00:00:00Z", "2024-01-01T00:00:00+0100", "",
        "2024-01-01T00:00:00Zz", "２024-01-01T00:00:00Z",
    ])
    func `a time that no calendar has is refused`(_ text: String) { #expect(Moment(rfc3339: text) == nil) }

    @Test func `a placeholder is whole, and has no secret`() throws {
        func said(_ views: String) -> String? {
            Self.refusal {
                let answer = Array((#"{"views":"# + views + "}").utf8)
                _ = try AnswerReader.placeholders(answer, families: [.systemSmall, .systemLarge])
            }
        }
        #expect(said(#"{"systemSmall":"spacer","systemLarge":{"sealed":null,"placeholder":"spacer"}}"#) == nil)
        #expect(said(#"{"systemSmall":"spacer"}"#) == "$.views: have none for systemLarge")
        #expect(
            said(#"{"systemSmall":"spacer","systemLarge":{"sealed":{"text":"a"},"placeholder":"spacer"}}"#)?
                .hasPrefix("$.views.systemLarge.sealed: has to be null") == true)
    }
}
