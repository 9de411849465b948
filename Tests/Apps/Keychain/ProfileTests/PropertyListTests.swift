import ProcessorTime
import Foundation
import Fuzzing
import Secrets
import Testing
import Thoroughness

@testable import Profiles

/// The two forms of property lists: what is read, and what is refused.
@Suite struct PropertyLists {
    static func read(_ bytes: [UInt8]) throws(PropertyListError) -> PropertyList {
        try bytes.withSpan { (span) throws(PropertyListError) in try PropertyList(span) }
    }

    /// A list as XML, whatever its form was.
    static func text(_ bytes: [UInt8]) throws -> String { try ProfileTargets.xml(try read(bytes)) }

    static func reason(_ bytes: [UInt8]) -> PropertyListError.Reason? {
        do {
            _ = try read(bytes)
            return nil
        } catch { return error.reason }
    }

    static func reason(_ text: String) -> PropertyListError.Reason? { reason(Array(text.utf8)) }

    private static func plist(_ text: String) -> String { "<plist version=\"1.0\">\(text)</plist>" }

    @Test func `both forms, as Foundation writes them, say the same`() throws {
        let value: [String: Any] = [
            "bool": true, "number": -5, "large": Int64.max, "real": 0.25, "data": Data([0, 255, 1]), "text": "ü🗝<&",
            "list": ["a", "a", ["b": [String]()]], "date": Date(timeIntervalSinceReferenceDate: 86400),
            "long": String(repeating: "x", count: 300), "many": Array(repeating: 7, count: 20),
        ]
        let forms = try [PropertyListSerialization.PropertyListFormat.xml, .binary].map { format in
            try Self.text(
                [UInt8](try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0)))
        }
        #expect(forms[0] == forms[1])
        for part in [
            "<key>text</key><string>ü🗝&lt;&amp;</string>", "<key>data</key><data>AP8B</data>",
            "<key>number</key><integer>-5</integer>", "<key>date</key><real>86400.0</real>",
            "<key>large</key><integer>9223372036854775807</integer>", "<key>bool</key><true/>",
        ] {
            #expect(forms[0].contains(part), "\(part)")
        }
    }

    @Test(arguments: [
        ("<integer>0x1f</integer>", "<integer>31</integer>"), ("<integer> 7\n</integer>", "<integer>7</integer>"),
        ("<string>a\r\nb\rc</string>", "<string>a\nb\nc</string>"),
        ("<string>&#65;&#x42;</string>", "<string>AB</string>"),
        ("<!-- a --><array><!-- b --></array>", "<array></array>"), ("<true></true>", "<true/>"),
        ("<data> QU\n I= </data>", "<data>QUI=</data>"), ("<date>2001-01-02T00:00:01Z</date>", "<real>86401.0</real>"),
        ("<string>\u{1F511}\u{FC}</string>", "<string>\u{1F511}\u{FC}</string>"), ("<data></data>", "<data></data>"),
    ])
    func `a value in XML is what it says`(_ text: String, _ meaning: String) throws {
        #expect(try Self.text(Array(Self.plist(text).utf8)) == Self.plist(meaning))
    }

    @Test(
        arguments: [
            ("<string>a</string><string>b</string>", .markup), ("<string>&b;</string>", .entity),
            ("<string>&#0;</string>", .entity), ("<string>&#xD800;</string>", .entity),
            ("<string>&#99999999;</string>", .entity),
            ("<string>\u{1}</string>", .notText), ("<string a=\"b\">c</string>", .attribute), ("<set/>", .markup),
            ("<integer>1.0</integer>", .number), ("<integer></integer>", .number),
            ("<integer>9223372036854775808</integer>", .number),
            ("<integer>--1</integer>", .number), ("<integer>1\u{fc}</integer>", .markup), ("<real>nan</real>", .number),
            ("<real>1e999</real>", .number), ("<date>2026-02-29T00:00:00Z</date>", .date),
            ("<date>2026-1-1</date>", .date),
            ("<data>QUI</data>", .base64), ("<data>QUJ=</data>", .base64), ("<data>Q===</data>", .base64),
            ("<data>QUI=QUI=</data>", .base64), ("<data>=</data>", .base64), ("<data>Q!==</data>", .base64),
            ("<dict><key>a</key><true/><key>a</key><false/></dict>", .duplicateKey), ("<dict><true/></dict>", .markup),
            ("<dict><key>a</key></dict>", .markup), ("<array><true/></dict>", .markup), ("<array>a</array>", .markup),
            ("<string>a<!-- b --></string>", .markup), ("<string><![CDATA[a]]></string>", .markup),
            ("<string>]]></string>", .markup),
            ("<?php a ?><true/>", .markup), ("<!-- a -- b --><true/>", .markup), ("", .markup), ("<!-- a", .truncated),
        ] as [(String, PropertyListError.Reason)])
    func `a value in XML that the DTD does not have is refused`(_ text: String, _ reason: PropertyListError.Reason) {
        #expect(Self.reason(Self.plist(text)) == reason, "\(text)")
    }

    @Test(
        arguments: [
            ("", .truncated), ("{ a = b; }", .neither), ("<html/>", .neither), ("<plist/>", .neither),
            ("<plist version=\"2.0\"><true/></plist>", .attribute), ("<plist><true/></plist>\n<!-- a --> ", nil),
            ("<plist><true/></plist>a", .trailing), ("<plist><true/></plist><plist><true/></plist>", .trailing),
            ("\u{FEFF}<plist><true/></plist>", nil),
            ("<?xml version=\"1.0\" encoding=\"utf-8\"?><plist><true/></plist>", nil),
            ("<?xml version=\"1.0\" encoding=\"UTF-16\"?><plist><true/></plist>", .encoding),
            ("<?xml version=\"1.1\"?><plist><true/></plist>", .markup),
            (" <?xml version=\"1.0\"?><plist><true/></plist>", .neither),
            ("<!DOCTYPE plist SYSTEM \"file:///etc/passwd\"><plist><true/></plist>", nil),
            ("<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><string>&a;</string></plist>", .documentType),
            ("<!DOCTYPE html><plist><true/></plist>", .documentType),
            ("<!DOCTYPE plist PUBLIC \"a\" \"b\" [<!ENTITY a \"b\">]><plist><true/></plist>", .documentType),
        ] as [(String, PropertyListError.Reason?)])
    func `a document in XML is one list and nothing else`(_ text: String, _ reason: PropertyListError.Reason?) {
        #expect(Self.reason(text) == reason, "\(text)")
    }

    @Test func `UTF 16 is refused as another encoding, and broken UTF 8 as no text`() {
        #expect(Self.reason([0xFE, 0xFF, 0, 0x3C]) == .encoding)
        let broken: [[UInt8]] = [[0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF], [0xE2, 0x82]]
        for bytes in broken {
            #expect(Self.reason(Array("<plist><string>".utf8) + bytes + Array("</string></plist>".utf8)) == .notText)
        }
    }

    @Test func `what nests too deep or says too much is refused, in both forms`() {
        func nested(_ depth: Int) -> String {
            let open = String(repeating: "<array>", count: depth)
            return Self.plist(open + String(repeating: "</array>", count: depth))
        }
        #expect(Self.reason(nested(PropertyList.depthLimit)) == nil)
        #expect(Self.reason(nested(PropertyList.depthLimit + 1)) == .tooDeep)
        #expect(Self.reason(nested(60_000)) == .tooDeep)
        let many = String(repeating: "<true/>", count: PropertyList.valueLimit)
        #expect(Self.reason(Self.plist("<array>\(many)</array>")) == .tooManyValues)
        #expect(Self.reason(Self.plist("<string>\(String(repeating: "a", count: 1 << 20))</string>")) == .tooLarge)
        let deep = (1..<20_000).map { [0xA1] + ProfileTargets.bigEndian($0, 2) } + [[0x09]]
        #expect(Self.reason(ProfileTargets.binary(deep, referenceSize: 2)) == .tooDeep)
    }

    @Test func `a small binary list that says a value a thousand million times is refused at once`() {
        let bomb = (0..<30).map { [0xA2, UInt8($0 + 1), UInt8($0 + 1)] } + [[0x51, 0x61]]
        let time = ProcessorTime.of { #expect(Self.reason(ProfileTargets.binary(bomb)) == .tooManyValues) }
        #expect(time < .seconds(2))
        // The same text, said often, is kept once.
        let text: [UInt8] =
            [0x5F, 0x11] + ProfileTargets.bigEndian(60_000, 2) + [UInt8](repeating: 0x61, count: 60_000)
        let list = [[0xAF, 0x11] + ProfileTargets.bigEndian(40_000, 2) + [UInt8](repeating: 1, count: 40_000), text]
        #expect(Self.reason(ProfileTargets.binary(list)) == nil)
    }

    @Test func `binary lists with circles are refused`() {
        #expect(Self.reason(ProfileTargets.binary([[0xA1, 0]])) == .circular)
        #expect(Self.reason(ProfileTargets.binary([[0xA1, 1], [0xA1, 0]])) == .circular)
        #expect(Self.reason(ProfileTargets.binary([[0xD1, 1, 0], [0x51, 0x61]])) == .circular)
    }

    @Test func `a binary list is exactly its objects, its table and its trailer`() throws {
        let text: [UInt8] = [0x51, 0x61]
        let good = ProfileTargets.binary([[0xA2, 1, 1], text])
        #expect(try Self.text(good) == Self.plist("<array><string>a</string><string>a</string></array>"))
        let refused: [([UInt8], PropertyListError.Reason)] = [
            (ProfileTargets.binary([text, text]), .unused), (ProfileTargets.binary([[0xA1, 2], text]), .damaged),
            (ProfileTargets.binary([[0x80, 1]]), .kind), (ProfileTargets.binary([[0x00]]), .kind),
            (ProfileTargets.binary([[0xC1, 1], text]), .kind),
            (ProfileTargets.binary([[0xD1, 1, 1], [0x09]]), .keyIsNoText),
            (ProfileTargets.binary([[0xD2, 1, 1, 2, 2], text, [0x09]]), .duplicateKey),
            (ProfileTargets.binary([[0x51, 0x80]]), .notText), (ProfileTargets.binary([[0x61, 0xD8, 0x00]]), .notText),
            (ProfileTargets.binary([[0x14] + [UInt8](repeating: 0, count: 16)]), .number),
            (ProfileTargets.binary([[0x5F, 0x10, 3] + Array("abc".utf8)]), .damaged),
            (ProfileTargets.binary([[0x5F, 0x13] + [UInt8](repeating: 0xFF, count: 8)]), .damaged),
            (ProfileTargets.binary([[0x23, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0]]), .number),
            (ProfileTargets.binary([[0x33, 0x7E, 0x37, 0xE4, 0x3C, 0x88, 0, 0, 0]]), .date),
            (good + [0], .damaged), (Array(good.dropLast()), .damaged), (Array("bplist00".utf8), .truncated),
            (Array("bplist01".utf8) + good.dropFirst(8), .kind), (ProfileTargets.binary([text], root: 1), .damaged),
            (ProfileTargets.binary([text, []]), .damaged), (ProfileTargets.binary([[0xAE, 0], []]), .truncated),
        ]
        for (index, (bytes, reason)) in refused.enumerated() {
            #expect(Self.reason(bytes) == reason, "number \(index)")
        }
        for place in good.indices {
            var changed = good
            changed[place] ^= 0xFF
            if let text = try? Self.text(changed) { #expect(text != Self.plist("<array/>")) }
        }
    }

    @Test func `mutated lists of both forms are refused or say one thing, and never crash the readers`() throws {
        let samples = ProfileTargets.propertyLists
        for sample in samples { #expect(throws: Never.self) { try Self.text(sample) } }
        let seed = UInt64.random(in: .min ... .max)
        var mutator = Mutator(seed: seed)
        var accepted = 0
        for _ in 0..<ProfileFuzz.count {
            let bytes = mutator.mutated(samples)
            guard let once = try? Self.text(bytes) else { continue }
            accepted += 1
            guard try Self.text(Array(once.utf8)) == once else {
                Issue.record("seed \(seed): \(Hexadecimal.encode(bytes))")
                return
            }
        }
        #expect(accepted > ProfileFuzz.count / 1000)
    }
}

/// How many inputs: `TRESOR_PROFILE_FUZZ` asks for more.
enum ProfileFuzz {
    static let count =
        Thoroughness.count(8000, soak: 200_000, orBy: "TRESOR_PROFILE_FUZZ")
}
