import Secrets

/// The objects of Apple's binary property list, format `bplist00`, as they lie in its bytes.
///
/// Source: the description in CFBinaryPList.c of Apple's open CoreFoundation. Objects refer to each other by number, in
/// circles if they like; here none is followed. Each object lies right behind the one before, without a gap and without
/// sharing a byte, as Apple's writers lay them: so all of them together hold no more than the bytes that there are.
package struct BinaryPropertyList: ~Escapable {
    /// What an object is.
    package enum Kind: Equatable, Sendable {
        case null
        case bool(Bool)
        case integer
        case real
        /// Seconds since 2001-01-01 00:00 UTC, as ``real(_:)`` has them.
        case date
        case data
        /// A text of one byte for each character.
        case ascii
        /// A text in UTF-16, big-endian.
        case utf16
        /// A reference inside of an archive.
        case uid
        case array
        case set
        case dictionary
    }

    /// What a list begins with.
    package static let magic = Array("bplist00".utf8)

    private let bytes: RawSpan
    private let layout: ObjectLayout

    /// - Parameters:
    ///   - most: objects that it may have.
    ///   - isArchive: whether it may hold what only archives do: nulls, references and sets.
    @_lifetime(copy bytes)
    package init(_ bytes: RawSpan, most: Int, isArchive: Bool) throws(BinaryPropertyListError) {
        let layout = try ObjectLayout(bytes, most: most, isArchive: isArchive)
        self.bytes = bytes
        self.layout = layout
    }
}

// Objects, by their numbers.
extension BinaryPropertyList {
    package var count: Int { layout.starts.count }

    /// The number of the list's own object.
    package var root: Int { layout.root }

    /// Where an object begins, for messages.
    package func offset(of index: Int) -> Int { layout.starts[index] }

    private func marker(_ index: Int) -> UInt8 { bytes.byte(at: layout.starts[index]) }

    package func kind(_ index: Int) -> Kind {
        let marker = marker(index)
        switch marker >> 4 {
        case 0x0: return marker == 0 ? .null : .bool(marker == 0x09)
        case 0x1: return .integer
        case 0x2: return .real
        case 0x3: return .date
        case 0x4: return .data
        case 0x5: return .ascii
        case 0x6: return .utf16
        case 0x8: return .uid
        case 0xA: return .array
        case 0xC: return .set
        default: return .dictionary
        }
    }

    /// - Returns: nil for one of sixteen bytes, which hold what is too large for eight.
    package func integer(_ index: Int) -> Int64? {
        let size = 1 << Int(marker(index) & 0x0F)
        return size > 8 ? nil : Int64(bitPattern: ObjectLayout.bits(bytes, at: offset(of: index) + 1, size: size))
    }

    /// A real or a date.
    package func real(_ index: Int) -> Double {
        let size = 1 << Int(marker(index) & 0x0F)
        let pattern = ObjectLayout.bits(bytes, at: offset(of: index) + 1, size: size)
        return size == 4
            ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: pattern))) : Double(bitPattern: pattern)
    }

    /// The number that a reference of an archive holds.
    package func uid(_ index: Int) throws(BinaryPropertyListError) -> Int {
        let start = offset(of: index)
        var value: UInt64 = 0
        for place in start + 1...start + 1 + Int(marker(index) & 0x0F) {
            guard value >> 56 == 0 else { throw BinaryPropertyListError(.damaged, start) }
            value = value << 8 | UInt64(bytes.byte(at: place))
        }
        guard let number = Int(exactly: value) else { throw BinaryPropertyListError(.damaged, start) }
        return number
    }

    /// The bytes of data, and of a text as its kind says.
    package func content(_ index: Int) throws(BinaryPropertyListError) -> Range<Int> {
        let items = try layout.items(bytes, at: offset(of: index))
        return items.start..<items.start + items.count * (kind(index) == .utf16 ? 2 : 1)
    }

    /// The numbers of an array's or a set's objects; of a dictionary's those of all names, then those of all values.
    package func references(_ index: Int) throws(BinaryPropertyListError) -> [Int] {
        let items = try layout.items(bytes, at: offset(of: index))
        let count = items.count * (kind(index) == .dictionary ? 2 : 1)
        var references: [Int] = []
        references.reserveCapacity(count)
        for item in 0..<count {
            let place = items.start + item * layout.referenceSize
            let reference = try ObjectLayout.number(bytes, at: place, size: layout.referenceSize)
            guard reference < layout.starts.count else { throw BinaryPropertyListError(.damaged, place) }
            references.append(reference)
        }
        return references
    }
}

/// Why bytes are no binary property list that is read here.
package struct BinaryPropertyListError: Error, Equatable, Sendable {
    /// What is wrong.
    package enum Reason: Equatable, Sendable {
        case truncated
        case damaged
        /// An object is of a kind that the list must not have.
        case kind
        case tooManyObjects
    }

    package let reason: Reason
    /// The byte, from 0.
    package let offset: Int

    init(_ reason: Reason, _ offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}
