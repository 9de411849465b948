/// A place on Earth, as an attachment of kind map holds it.
///
/// Its file has one form: a Feature of GeoJSON (RFC 7946) with one Point and a name, so that other programs read it as
/// well. See specs/notes.md.
package struct SavedPlace: Codable, Sendable, Equatable {
    /// Degrees north of the equator in WGS 84, from −90 to 90.
    package let latitude: Double
    /// Degrees east of Greenwich in WGS 84, from −180 to 180.
    package let longitude: Double
    /// One line of at most 255 bytes; empty where it has none.
    package let name: String

    /// The media type of ``fileText``.
    package static let mediaType = "application/geo+json"
    /// No file of a place has more bytes.
    package static let mostBytes = 1024

    /// Nil for what is no place on Earth, and for a name that is none.
    package init?(latitude: Double, longitude: Double, name: String = "") {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude), name.utf8.count <= 255,
            name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f })
        else { return nil }
        self.latitude = latitude
        self.longitude = longitude
        self.name = name
    }

    private static let head = #"{"type":"Feature","geometry":{"type":"Point","coordinates":["#
    private static let middle = #"]},"properties":{"name":""#
    private static let tail = "\"}}\n"

    /// The one form of its file.
    package var fileText: String {
        let escaped = name.reduce(into: "") { $0 += $1 == "\"" || $1 == "\\" ? "\\\($1)" : String($1) }
        return Self.head + "\(longitude),\(latitude)" + Self.middle + escaped + Self.tail
    }

    /// Nil for a text of any other form.
    package init?(fileText text: String) {
        guard text.hasPrefix(Self.head), text.hasSuffix(Self.tail) else { return nil }
        let inner = text.dropFirst(Self.head.count).dropLast(Self.tail.count)
        guard let end = inner.firstIndex(of: "]") else { return nil }
        let numbers = inner[..<end].split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        let rest = inner[end...]
        guard numbers.count == 2, let longitude = numbers[0], let latitude = numbers[1], rest.hasPrefix(Self.middle),
            let place = SavedPlace(
                latitude: latitude, longitude: longitude, name: Self.unescaped(rest.dropFirst(Self.middle.count))),
            place.fileText == text
        else { return nil }
        self = place
    }

    private static func unescaped(_ text: Substring) -> String {
        var name = ""
        var isEscaped = false
        for character in text {
            if character == "\\" && !isEscaped {
                isEscaped = true
            } else {
                name.append(character)
                isEscaped = false
            }
        }
        return name
    }

    /// In words: `63.4305, 10.3951 Harbour`.
    package var words: String { "\(latitude), \(longitude)" + (name.isEmpty ? "" : " " + name) }
}
