/// The values of Exif entries in the words of libvips: `value (value as text, Format, n components, m bytes)`.
///
/// See `vips_exif_to_s` in libvips' sources: numbers and fractions stand as they are before the parenthesis, and texts
/// as libexif shows them, there and in it.
package enum MetadataText {
    /// The value of a text; nil where `field` is not of that form.
    package static func text(_ field: String) -> String? {
        let bytes = Array(field.utf8)
        guard bytes.last == UInt8(ascii: ")") else { return nil }
        var end = bytes.count - 1
        for _ in 0..<3 {
            guard let comma = bytes[..<end].lastIndex(of: UInt8(ascii: ",")) else { return nil }
            end = comma
        }
        // What is left is the text, a space, a parenthesis, and the text again.
        guard end >= 2, end % 2 == 0 else { return nil }
        let middle = (end - 2) / 2
        guard bytes[middle] == UInt8(ascii: " "), bytes[middle + 1] == UInt8(ascii: "("),
            bytes[..<middle] == bytes[(middle + 2)..<end]
        else { return nil }
        return String(decoding: bytes[..<middle], as: UTF8.self)
    }

    /// Degrees of up to three fractions: degrees, minutes, seconds.
    ///
    /// Nil where there is none, where one has no value, and where one is negative: the direction has its own field.
    package static func degrees(_ field: String) -> Double? {
        guard let open = field.firstIndex(of: "(") else { return nil }
        let words = field[..<open].split(separator: " ")
        guard (1...3).contains(words.count) else { return nil }
        var sum = 0.0
        for (word, unit) in zip(words, [1.0, 60, 3600]) {
            let parts = word.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, let above = UInt32(parts[0]), let below = UInt32(parts[1]), below != 0 else {
                return nil
            }
            sum += Double(above) / Double(below) / unit
        }
        return sum
    }
}

extension ImagePlace {
    /// A place from Exif's four entries, as libvips words them; nil where one is missing or means nothing.
    package init?(latitude: String, _ latitudeRef: String, longitude: String, _ longitudeRef: String) {
        guard let north = MetadataText.degrees(latitude), let east = MetadataText.degrees(longitude),
            let northSign = Self.sign(latitudeRef, positive: "N", negative: "S"),
            let eastSign = Self.sign(longitudeRef, positive: "E", negative: "W"), north <= 90, east <= 180
        else { return nil }
        self.init(latitude: northSign * Self.units(north), longitude: eastSign * Self.units(east))
    }

    private static func units(_ degrees: Double) -> Int64 { Int64((degrees * unitsPerDegree).rounded()) }

    private static func sign(_ field: String, positive: Character, negative: Character) -> Int64? {
        switch MetadataText.text(field)?.first {
        case positive: 1
        case negative: -1
        default: nil
        }
    }
}
