package import Profiles
import Secrets

/// What the readers of configuration profiles take: property lists in both forms.
package enum ProfileTargets {
    /// Neither form is canonical: a list that is read has to say the same when it is written as XML and read again.
    static func propertyList(_ span: RawSpan) throws -> Bool {
        let once = try xml(try PropertyList(span))
        return holds { try Array(once.utf8).withSpan { try xml(try PropertyList($0)) } == once }
    }

    /// A list as XML, fields in the order of their names.
    package static func xml(_ list: borrowing PropertyList) throws -> String {
        "<plist version=\"1.0\">" + value(list.root, list) + "</plist>"
    }

    private static func value(_ value: PropertyListValue, _ list: borrowing PropertyList) -> String {
        switch value {
        case .bool(let flag): return flag ? "<true/>" : "<false/>"
        case .integer(let number): return "<integer>\(number)</integer>"
        case .real(let number): return "<real>\(number)</real>"
        case .date(let seconds): return "<real>\(seconds)</real>"
        case .string(let text): return "<string>\(escaped(list.string(text)))</string>"
        case .data(let data): return "<data>\(base64(list.bytes(data)))</data>"
        case .array(let values):
            var text = "<array>"
            for one in values { text += self.value(one, list) }
            return text + "</array>"
        case .dictionary(let fields):
            var text = "<dict>"
            for (name, one) in fields.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                text += "<key>\(escaped(name))</key>" + self.value(one, list)
            }
            return text + "</dict>"
        }
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\r": escaped += "&#13;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    package static func base64(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            var group = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
            var digitsOfGroup: [UInt8] = []
            for _ in 0..<4 {
                digitsOfGroup.insert(digits[group & 63], at: 0)
                group >>= 6
            }
            for index in stride(from: 3, to: part.count, by: -1) {
                digitsOfGroup[index] = UInt8(ascii: "=")
            }
            text += digitsOfGroup
        }
        return String(decoding: text, as: UTF8.self)
    }
}

// First inputs: lists in both forms, with each kind of value.
extension ProfileTargets {
    package static let propertyLists: [[UInt8]] = xmlPropertyLists + binaryPropertyLists

    static let xmlPropertyLists: [[UInt8]] =
        [
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><!-- a --><dict><key>PayloadContent</key><array><dict><key>a&amp;b</key>
            <data>QUJD\nRA==</data><key>n</key><integer>-0x1F</integer></dict><true/><false/></array>
            <key>d</key><date>2026-12-31T23:59:59Z</date><key>r</key><real>1.5e3</real>
            <key>s</key><string>&#x1F511;&lt;\u{fc}</string><key>e</key><dict/></dict></plist>
            """,
            "<plist><string/></plist>",
            """
            <?xml version='1.0' encoding="utf-8" standalone='no'?><!DOCTYPE plist SYSTEM "a"><plist version='1.0' >
            <array><string>&#65;&quot;&apos;&gt;]]\r\n</string><integer> +12 </integer><data> </data><real>-1e-3</real>
            <array><array><true></true></array></array><dict><key></key><dict/></dict></array></plist><!-- b -->
            """,
        ].map { Array($0.utf8) }

    static let binaryPropertyLists: [[UInt8]] =
        [
            binary([
                [0xD2, 1, 2, 3, 4], text("a"), text("b"), [0xA3, 1, 5, 6], [0x43, 1, 2, 3], [0x09],
                [0x11, 1, 0],
            ]),
            binary([
                [0xA4, 1, 2, 3, 4], [0x33, 0x41, 0xC0, 0, 0, 0, 0, 0, 0], [0x22, 0x3F, 0x80, 0, 0],
                [0x62, 0xD8, 0x3D, 0xDD, 0x11], [0x5F, 0x10, 15] + Array("fifteen letters".utf8),
            ]),
            // References of two bytes, one object said twice, and a count of its own in two bytes.
            binary(
                [
                    [0xAF, 0x11, 0, 15] + (1...15).flatMap { [0, UInt8($0 > 13 ? 1 : $0)] },
                    [0xD2, 0, 2, 0, 3, 0, 4, 0, 5], text("k"), text("l"), [0xA1, 0, 6], [0xD0], [0xA0], [0x08],
                    [0x13, 0x80, 0, 0, 0, 0, 0, 0, 0], [0x12, 0xFF, 0, 0, 0], [0x40],
                    [0x23, 0x80, 0, 0, 0, 0, 0, 0, 0], [0x60], [0x4F, 0x10, 16] + [UInt8](repeating: 7, count: 16),
                ], referenceSize: 2),
        ]

    private static func text(_ text: String) -> [UInt8] {
        [0x50 | UInt8(text.utf8.count)] + Array(text.utf8)
    }

    /// Objects, the first of which is the list, with their table and trailer.
    package static func binary(_ objects: [[UInt8]], root: Int = 0, referenceSize: UInt8 = 1)
        -> [UInt8]
    {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets += bigEndian(bytes.count, 4)
            bytes += object
        }
        let table = bytes.count
        bytes += offsets + [0, 0, 0, 0, 0, 0, 4, referenceSize]
        return bytes + bigEndian(objects.count, 8) + bigEndian(root, 8) + bigEndian(table, 8)
    }

    package static func bigEndian(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }
    }
}
