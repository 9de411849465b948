/// A document's bytes, made harmless for the library.
///
/// In this version some inputs take it time or memory that grows with the square of their length: `![[]()`,
/// `a<![CDATA[`, `www._` and `http://a)))` repeated in one paragraph, tables whose short rows are filled up, long
/// definitions used often (CVE-2023-22483, CVE-2023-22484, CVE-2023-22486, CVE-2023-37463 and their kin). What could
/// become expensive is counted before; over budget, the characters that start it are replaced by noncharacters of
/// Unicode, one for each, and put back into what the library returns. So no text is lost; it only is not taken as a
/// link or a table.
struct GuardedSource {
    /// UTF-8 with LF line ends.
    let bytes: [UInt8]
    /// Whether some characters are masked.
    let isMasked: Bool

    init(_ source: String) {
        let lines = Self.normalizingLineEnds(source)
        var survey = SourceSurvey(lines)
        let masked = survey.positionsToMask()
        isMasked = !masked.isEmpty
        bytes = masked.isEmpty ? lines : Self.masking(masked, in: lines)
    }

    /// Text that the library returned, as it was before.
    func restored(_ text: String) -> String {
        guard isMasked else { return text }
        var result = ""
        result.unicodeScalars.append(contentsOf: text.unicodeScalars.map { Self.original($0) ?? $0 })
        return result
    }

    /// Every character that may be masked; the first is U+FDD0 when masked, and so on.
    private static let maskable: [UInt8] = Array("<!.)-:".utf8)
    private static let firstMask: UInt32 = 0xFDD0

    private static func original(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        guard scalar.value >= firstMask, scalar.value - firstMask < maskable.count else { return nil }
        return Unicode.Scalar(maskable[Int(scalar.value - firstMask)])
    }

    private static func normalizingLineEnds(_ source: String) -> [UInt8] {
        let bytes = Array(source.utf8)
        guard bytes.contains(MarkdownText.carriageReturn) else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var afterReturn = false
        for byte in bytes {
            let isReturn = byte == MarkdownText.carriageReturn
            if isReturn || byte != MarkdownText.newline || !afterReturn {
                result.append(isReturn ? MarkdownText.newline : byte)
            }
            afterReturn = isReturn
        }
        return result
    }

    /// Masks of the writer's own, which nobody needs, become U+FFFD, so that every mask can be put back.
    private static func masking(_ positions: [Int], in bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 2 * positions.count)
        var next = 0
        for position in positions.sorted() where position >= next {
            result += withoutMasks(bytes[next..<position])
            result += mask(for: bytes[position])
            next = position + 1
        }
        return result + withoutMasks(bytes[next...])
    }

    /// UTF-8 of U+FDD0 is EF B7 90.
    private static func mask(for byte: UInt8) -> [UInt8] {
        guard let index = maskable.firstIndex(of: byte) else { return [byte] }
        return [0xEF, 0xB7, 0x90 + UInt8(index)]
    }

    private static func withoutMasks(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result = Array(bytes)
        for index in result.indices.dropLast(2) where result[index] == 0xEF && result[index + 1] == 0xB7 {
            guard (0x90..<0x90 + UInt8(maskable.count)).contains(result[index + 2]) else { continue }
            result.replaceSubrange(index...index + 2, with: [0xEF, 0xBF, 0xBD])
        }
        return result
    }
}
