/// The extent of a JPEG that a PDF can hold as it is, read without decoding it (ITU-T T.81, annex B).
///
/// ```swift
/// guard let size = JPEGSize(bytes) else { return placeholder }
/// ```
package struct JPEGSize: Equatable, Sendable {
    /// Pixels, not 0.
    package let width: Int
    package let height: Int

    private static let largestSide = 16_384

    /// Nil for what is no JPEG, is cut short, or is of a kind that a PDF's DCTDecode does not take (ISO 32000-1,
    /// 7.4.8): other than baseline, extended or progressive, of 8 bits, in grey or three colours.
    ///
    /// Only its form is known by this: a picture whose codes are damaged is shown as far as a viewer gets.
    package init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: [0xFF, 0xD8]), bytes.suffix(2) == [0xFF, 0xD9] else { return nil }
        var position = 2
        var size: (width: Int, height: Int)?
        // Segments, each with its length, up to the first that codes follow.
        while position + 4 <= bytes.count {
            guard bytes[position] == 0xFF else { return nil }
            let marker = bytes[position + 1]
            if marker == 0xFF {
                position += 1
                continue
            }
            let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
            guard length >= 2, position + 2 + length <= bytes.count else { return nil }
            switch marker {
            case 0xC0, 0xC1, 0xC2:
                guard size == nil, let read = Self.frame(bytes[(position + 4)..<(position + 2 + length)]) else {
                    return nil
                }
                size = read
            // Frames of other processes: lossless, hierarchical, with arithmetic codes.
            case 0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF: return nil
            case 0xDA:
                guard let size else { return nil }
                (width, height) = size
                return
            case 0xC4, 0xCC, 0xDB...0xFE: break
            default: return nil
            }
            position += 2 + length
        }
        return nil
    }

    private static func frame(_ content: ArraySlice<UInt8>) -> (width: Int, height: Int)? {
        let content = Array(content)
        guard content.count >= 6, content[0] == 8, content[5] == 1 || content[5] == 3,
            content.count == 6 + 3 * Int(content[5])
        else { return nil }
        let height = Int(content[1]) << 8 | Int(content[2])
        let width = Int(content[3]) << 8 | Int(content[4])
        guard (1...largestSide).contains(width), (1...largestSide).contains(height) else { return nil }
        return (width: width, height: height)
    }
}
