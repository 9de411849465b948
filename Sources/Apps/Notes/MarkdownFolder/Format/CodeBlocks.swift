/// Which lines of a Markdown document are code, told line by line.
///
/// Fences are known for certain. Indented code can look like text of a list, and so is code only where no list is open.
package struct CodeBlocks {
    private var fence: (character: UInt8, count: Int)?
    private var isAfterBlank = true
    private var isIndentedCode = false
    private var isInList = false

    package init() {}

    /// Takes the next line.
    ///
    /// - Returns: whether it is code, or a fence.
    package mutating func isCode(_ line: [UInt8]) -> Bool {
        let content = line.drop(while: Self.isContainer)
        if let open = fence {
            let run = content.prefix { $0 == open.character }.count
            if run >= open.count, content.dropFirst(run).allSatisfy(Self.isBlank) { fence = nil }
            return true
        }
        if line.allSatisfy(Self.isBlank) {
            isAfterBlank = true
            return isIndentedCode
        }
        defer { isAfterBlank = false }
        if isIndented(line) { return true }
        fence = Self.fence(Self.withoutMarker(content))
        return fence != nil
    }

    private mutating func isIndented(_ line: [UInt8]) -> Bool {
        let isDeep = line.starts(with: [UInt8](repeating: UInt8(ascii: " "), count: 4)) || line.first == 9
        isIndentedCode = isDeep && !isInList && (isAfterBlank || isIndentedCode)
        if Self.hasMarker(line) {
            isInList = true
        } else if isAfterBlank, let first = line.first, !Self.isBlank(first) {
            isInList = false
        }
        return isIndentedCode
    }

    private static func fence(_ content: ArraySlice<UInt8>) -> (character: UInt8, count: Int)? {
        guard let character = content.first, character == UInt8(ascii: "`") || character == UInt8(ascii: "~") else {
            return nil
        }
        let count = content.prefix { $0 == character }.count
        guard count >= 3 else { return nil }
        let info = content.dropFirst(count)
        return character == UInt8(ascii: "`") && info.contains(character) ? nil : (character: character, count: count)
    }

    /// Without the markers of list items, which may stand before a fence.
    private static func withoutMarker(_ content: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = content
        while let length = markerLength(rest) { rest = rest.dropFirst(length).drop(while: isContainer) }
        return rest
    }

    private static func hasMarker(_ line: [UInt8]) -> Bool { markerLength(line.drop(while: isContainer)) != nil }

    /// Bytes of `- `, `* `, `+ `, `1. ` or `1) `.
    static func markerLength(_ content: ArraySlice<UInt8>) -> Int? {
        guard let first = content.first else { return nil }
        if "-*+".utf8.contains(first) { return content.dropFirst().first.map(isBlank) == true ? 2 : nil }
        let digits = content.prefix { (48...57).contains($0) }.count
        guard (1...9).contains(digits) else { return nil }
        let rest = content.dropFirst(digits)
        guard let delimiter = rest.first, ".)".utf8.contains(delimiter), rest.dropFirst().first.map(isBlank) == true
        else { return nil }
        return digits + 2
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }

    /// White space and the marks of quotes.
    private static func isContainer(_ byte: UInt8) -> Bool { isBlank(byte) || byte == UInt8(ascii: ">") }
}
