/// A set of the printable characters of ASCII, as password rules name or list them.
///
///     CharacterClass.lower.union(CharacterClass("-_".utf8)).text      // lower, [-_]
package struct CharacterClass: Hashable, Sendable {
    /// A bit for each character from the space on, and one more for all that is not ASCII.
    private var bits: UInt128

    private init(bits: UInt128) { self.bits = bits }

    /// Those of these bytes that are printable characters of ASCII.
    package init(_ bytes: some Sequence<UInt8>) {
        bits = 0
        for byte in bytes where Self.printable.contains(byte) { bits |= Self.bit(byte) }
    }

    /// From the space to the tilde.
    package static let printable: ClosedRange<UInt8> = 0x20...0x7E

    /// The letters `a` to `z`.
    package static let lower = CharacterClass(UInt8(ascii: "a")...UInt8(ascii: "z"))
    /// The letters `A` to `Z`.
    package static let upper = CharacterClass(UInt8(ascii: "A")...UInt8(ascii: "Z"))
    /// The digits.
    package static let digit = CharacterClass(UInt8(ascii: "0")...UInt8(ascii: "9"))
    /// The signs of ASCII, the space among them.
    package static let special = asciiPrintable.subtracting(lower).subtracting(upper).subtracting(digit)
    /// All 95 characters.
    package static let asciiPrintable = CharacterClass(printable)
    /// All of them, and all others that there are.
    package static let unicode = CharacterClass(bits: asciiPrintable.bits | bit(0x7F))
    /// No character.
    package static let empty = CharacterClass(bits: 0)
    /// The space alone.
    package static let space = CharacterClass(CollectionOfOne(UInt8(ascii: " ")))

    private static func bit(_ byte: UInt8) -> UInt128 { 1 << UInt128(byte - printable.lowerBound) }

    /// Whether a byte of a text is one of them; those behind ASCII are what `unicode` alone has.
    package func contains(_ byte: UInt8) -> Bool {
        if byte > 0x7F { return self == .unicode }
        return Self.printable.contains(byte) && bits & Self.bit(byte) != 0
    }

    /// The characters of ASCII in it, in their order.
    package var characters: [UInt8] { Self.printable.filter { bits & Self.bit($0) != 0 } }

    /// How many those are.
    package var count: Int { (bits & Self.asciiPrintable.bits).nonzeroBitCount }

    /// Both together.
    package func union(_ other: CharacterClass) -> CharacterClass { CharacterClass(bits: bits | other.bits) }

    /// What the other has not.
    package func subtracting(_ other: CharacterClass) -> CharacterClass { CharacterClass(bits: bits & ~other.bits) }

    /// Whether all of the other is in it.
    package func isSuperset(of other: CharacterClass) -> Bool { other.bits & ~bits == 0 }

    /// As rules write it, in the one form that is ours: whole classes by their names, and in brackets what is left.
    package var text: String {
        if self == .unicode { return "unicode" }
        if isSuperset(of: .asciiPrintable) { return "ascii-printable" }
        var parts: [String] = []
        var rest = self
        for (name, named) in Self.named where isSuperset(of: named) {
            parts.append(name)
            rest = rest.subtracting(named)
        }
        if rest.count > 0 { parts.append(rest.listed) }
        return parts.joined(separator: ", ")
    }

    private static let named: [(String, CharacterClass)] = [
        ("lower", .lower), ("upper", .upper), ("digit", .digit), ("special", .special),
    ]

    /// In brackets: a hyphen stands first there, and a bracket that closes last.
    private var listed: String {
        let (hyphen, bracket) = (UInt8(ascii: "-"), UInt8(ascii: "]"))
        var bytes = characters.filter { $0 != hyphen && $0 != bracket }
        if contains(hyphen) { bytes.insert(hyphen, at: 0) }
        if contains(bracket) { bytes.append(bracket) }
        return "[" + String(decoding: bytes, as: UTF8.self) + "]"
    }
}
