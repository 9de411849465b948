import Codecs

/// Dates of property lists: seconds since 2001, and `2026-12-31T23:59:59Z` in XML (RFC 3339 in this one form).
enum CalendarDate {
    /// The years 0001 to 9999.
    static let range = -63_114_076_800.0...252_423_993_599.0

    /// Nil for everything but a day and a second that there are.
    static func seconds(_ text: [UInt8]) -> Double? {
        ISODate.parse(String(decoding: text, as: UTF8.self), as: .propertyList)
            .map { Double($0 / 1_000_000 - 978_307_200) }
    }
}
