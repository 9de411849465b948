/// The name of an algorithm, an attribute or a kind of content (X.660), as the bytes that DER writes for it.
package struct ObjectIdentifier: Hashable, Sendable, CustomStringConvertible {
    /// Without tag and length.
    let bytes: [UInt8]

    /// - Parameter arcs: at least two, as in `1.2.840`.
    init(_ arcs: UInt...) {
        var bytes: [UInt8] = []
        for arc in [arcs[0] * 40 + arcs[1]] + arcs.dropFirst(2) {
            var groups = [UInt8(arc & 0x7F)]
            var rest = arc >> 7
            while rest > 0 {
                groups.append(UInt8(rest & 0x7F) | 0x80)
                rest >>= 7
            }
            bytes += groups.reversed()
        }
        self.bytes = bytes
    }

    /// Nil where an arc is cut short, begins with a zero, or is too large to be any that we know (X.690, 8.19).
    init?(encoded bytes: [UInt8]) {
        guard let last = bytes.last, last & 0x80 == 0, bytes.count <= 64 else { return nil }
        var startsArc = true
        for byte in bytes {
            guard !startsArc || byte != 0x80 else { return nil }
            startsArc = byte & 0x80 == 0
        }
        self.bytes = bytes
    }

    /// In dotted decimals.
    package var description: String {
        var arcs: [UInt] = []
        var arc: UInt = 0
        for byte in bytes {
            arc = (arc & (UInt.max >> 7)) << 7 | UInt(byte & 0x7F)
            guard byte & 0x80 == 0 else { continue }
            if arcs.isEmpty {
                let first = min(arc / 40, 2)
                arcs = [first, arc - first * 40]
            } else {
                arcs.append(arc)
            }
            arc = 0
        }
        return arcs.map(String.init).joined(separator: ".")
    }
}
