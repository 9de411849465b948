/// A page of the web that was saved with its address.
///
/// The address stands in the comment that browsers write before a page that they save,
/// `<!-- saved from url=(0020)https://example.org/ -->`. A page without one is a file.
enum SavedPage {
    private static let mark = Array("<!-- saved from url=(".utf8)
    private static let window = 4096

    /// Nil for bytes that are no page, or a page of nobody knows where.
    static func address(_ beginning: [UInt8]) -> String? {
        let bytes = beginning.prefix(window)
        guard isPage(bytes), let start = first(mark, in: bytes) else { return nil }
        let rest = bytes[(start + mark.count)...]
        let number = rest.prefix(4)
        guard number.count == 4, number.allSatisfy({ (48...57).contains($0) }),
            rest.dropFirst(4).first == UInt8(ascii: ")"), let count = Int(String(decoding: number, as: UTF8.self))
        else { return nil }
        let address = rest.dropFirst(5).prefix(count)
        let end = rest.dropFirst(5 + count).drop { $0 == UInt8(ascii: " ") }
        guard address.count == count, isAddress(address), end.starts(with: "-->".utf8) else { return nil }
        return String(decoding: address, as: UTF8.self)
    }

    /// Of HTML's document type, or its outermost element, behind nothing but white space and comments.
    private static func isPage(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes
        rest = rest.drop(while: isSpace)
        while rest.starts(with: "<!--".utf8) {
            guard let end = first(Array("-->".utf8), in: rest) else { return false }
            rest = rest[(end + 3)...].drop(while: isSpace)
        }
        let start = String(decoding: rest.prefix(14), as: UTF8.self).lowercased()
        return start.hasPrefix("<!doctype html") || start.hasPrefix("<html>") || start.hasPrefix("<html ")
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }

    private static func isAddress(_ url: ArraySlice<UInt8>) -> Bool {
        (url.starts(with: "https://".utf8) || url.starts(with: "http://".utf8))
            && url.allSatisfy { $0 > 0x20 && $0 < 0x7f && !"<>\"".utf8.contains($0) }
    }

    private static func first(_ needle: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        bytes.indices.first { bytes[$0...].starts(with: needle) }
    }
}
