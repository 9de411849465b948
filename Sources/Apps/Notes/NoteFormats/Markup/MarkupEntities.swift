/// Entities of XML and HTML: each stands for one character.
enum MarkupEntities {
    private static let longest = 12

    static func decode(_ bytes: ArraySlice<UInt8>) -> String {
        let ampersand = UInt8(ascii: "&")
        guard bytes.contains(ampersand) else { return String(decoding: bytes, as: UTF8.self) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == ampersand {
                let inner = bytes[(index + 1)...].prefix(longest).prefix { $0 != UInt8(ascii: ";") }
                let isClosed = inner.endIndex < bytes.endIndex && bytes[inner.endIndex] == UInt8(ascii: ";")
                if isClosed, let scalar = scalar(String(decoding: inner, as: UTF8.self)) {
                    result += Array(String(Character(scalar)).utf8)
                    index = inner.endIndex + 1
                    continue
                }
            }
            result.append(bytes[index])
            index += 1
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func scalar(_ name: String) -> Unicode.Scalar? {
        guard name.hasPrefix("#") else { return named[name] }
        let digits = name.dropFirst()
        let isHex = digits.first == "x" || digits.first == "X"
        guard let value = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits), value != 0 else { return nil }
        return Unicode.Scalar(value)
    }

    /// HTML 4's names.
    private static let named: [String: Unicode.Scalar] = {
        var table: [String: Unicode.Scalar] = [
            "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "hellip": "…", "ndash": "–", "mdash": "—",
            "lsquo": "‘", "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”", "bdquo": "„", "dagger": "†",
            "Dagger": "‡", "bull": "•", "permil": "‰", "prime": "′", "Prime": "″", "lsaquo": "‹", "rsaquo": "›",
            "euro": "€", "trade": "™", "larr": "←", "uarr": "↑", "rarr": "→", "darr": "↓", "harr": "↔", "OElig": "Œ",
            "oelig": "œ", "Scaron": "Š", "scaron": "š", "Yuml": "Ÿ", "fnof": "ƒ", "circ": "ˆ", "tilde": "˜",
            "ensp": "\u{2002}", "emsp": "\u{2003}", "thinsp": "\u{2009}", "zwnj": "\u{200C}", "zwj": "\u{200D}",
            "lrm": "\u{200E}", "rlm": "\u{200F}", "infin": "∞", "ne": "≠", "le": "≤", "ge": "≥", "minus": "−",
            "radic": "√", "asymp": "≈", "equiv": "≡", "sum": "∑", "prod": "∏", "deg": "°", "check": "✓",
        ]
        for (offset, name) in latin.split(separator: " ").enumerated() {
            table[String(name)] = Unicode.Scalar(UInt8(160 + offset))
        }
        return table
    }()

    /// From U+00A0 to U+00FF.
    private static let latin = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 \
        sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc \
        Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve \
        Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute \
        acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde \
        ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml
        """
}
