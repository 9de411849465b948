/// An element of DER with what stands inside of it, octet strings included: where a part of it is changed and all of it
/// is written again, the lengths around the change still fit, and a reader gets as far as the change.
struct DERTree: Sendable {
    enum Inside: Sendable {
        case bytes([UInt8])
        /// Behind these bytes: the count of unused bits in a bit string, and otherwise none.
        case elements([DERTree], behind: [UInt8])
    }

    var tag: UInt8
    var inside: Inside

    private static let deepest = 24

    /// The elements that the bytes consist of; nil where they are anything else.
    ///
    /// - Parameter isOpening: whether strings of bytes that look like elements count as such.
    static func parse(_ bytes: ArraySlice<UInt8>, isOpening: Bool = true, depth: Int = 0) -> [DERTree]? {
        guard depth < deepest else { return nil }
        var elements: [DERTree] = []
        var place = bytes.startIndex
        while place < bytes.endIndex {
            guard let header = header(bytes, place), header.end <= bytes.endIndex else { return nil }
            elements.append(
                DERTree(bytes[place], bytes[header.start..<header.end], isOpening: isOpening, depth: depth))
            place = header.end
        }
        return elements
    }

    private init(_ tag: UInt8, _ content: ArraySlice<UInt8>, isOpening: Bool, depth: Int) {
        self.tag = tag
        var head: [UInt8] = []
        var mayHaveElements = tag & 0x20 != 0
        if isOpening, tag == 0x04 { mayHaveElements = content.count > 3 }
        if isOpening, tag == 0x03, content.first == 0 {
            head = [0]
            mayHaveElements = content.count > 4
        }
        if mayHaveElements,
            let elements = Self.parse(content.dropFirst(head.count), isOpening: isOpening, depth: depth + 1)
        {
            inside = .elements(elements, behind: head)
        } else {
            inside = .bytes(Array(content))
        }
    }

    init(_ tag: UInt8, _ content: [UInt8]) {
        self.tag = tag
        inside = .bytes(content)
    }

    private static func header(_ bytes: ArraySlice<UInt8>, _ place: Int) -> (start: Int, end: Int)? {
        guard bytes.endIndex - place >= 2, bytes[place] & 0x1F != 0x1F else { return nil }
        let first = Int(bytes[place + 1])
        guard first >= 0x80 else { return (place + 2, place + 2 + first) }
        let count = first & 0x7F
        guard (1...4).contains(count), bytes.endIndex - place - 2 >= count else { return nil }
        let start = place + 2 + count
        return (start, start + bytes[place + 2..<start].reduce(0) { $0 << 8 | Int($1) })
    }

    /// With lengths in their shortest form.
    static func encode(_ elements: [DERTree]) -> [UInt8] {
        var bytes: [UInt8] = []
        for element in elements { element.append(to: &bytes) }
        return bytes
    }

    private func append(to bytes: inout [UInt8]) {
        switch inside {
        case .bytes(let content): Self.append(tag, content, to: &bytes)
        case .elements(let elements, let head): Self.append(tag, head + Self.encode(elements), to: &bytes)
        }
    }

    /// One element in bytes.
    static func element(_ tag: UInt8, _ content: [UInt8]...) -> [UInt8] {
        var bytes: [UInt8] = []
        append(tag, Array(content.joined()), to: &bytes)
        return bytes
    }

    private static func append(_ tag: UInt8, _ content: [UInt8], to bytes: inout [UInt8]) {
        bytes.append(tag)
        if content.count < 0x80 {
            bytes.append(UInt8(content.count))
        } else {
            let length = (0..<8).reversed().map { UInt8(truncatingIfNeeded: content.count >> (8 * $0)) }
            let shortest = length.drop { $0 == 0 }
            bytes.append(0x80 | UInt8(shortest.count))
            bytes += shortest
        }
        bytes += content
    }

    /// Of one that has no elements in it; else empty.
    var content: [UInt8] {
        if case .bytes(let content) = inside { content } else { [] }
    }

    /// Whether every length is in its shortest form; what is in strings may be anything.
    static func isShortest(_ bytes: [UInt8]) -> Bool {
        parse(bytes[...], isOpening: false).map { encode($0) == bytes } ?? false
    }

    /// The same with one more element at the end of what stands behind these numbers.
    func appending(_ added: DERTree, along path: ArraySlice<Int>) -> DERTree {
        guard case .elements(var inner, let head) = inside else { return self }
        var changed = self
        if let next = path.first, inner.indices.contains(next) {
            inner[next] = inner[next].appending(added, along: path.dropFirst())
        } else {
            inner.append(added)
        }
        changed.inside = .elements(inner, behind: head)
        return changed
    }

    /// All elements, from the outermost to the innermost.
    static func all(_ elements: [DERTree]) -> [DERTree] {
        elements.flatMap { element -> [DERTree] in
            guard case .elements(let inner, _) = element.inside else { return [element] }
            return [element] + all(inner)
        }
    }

    /// Lets `body` change the element of this number, counted as ``all(_:)`` has them, in the list that it stands in.
    @discardableResult
    static func change(
        _ elements: inout [DERTree], _ number: inout Int, _ body: (inout [DERTree], Int) -> Void
    ) -> Bool {
        for index in elements.indices {
            if number == 0 {
                body(&elements, index)
                return true
            }
            number -= 1
            guard case .elements(var inner, let head) = elements[index].inside else { continue }
            guard change(&inner, &number, body) else { continue }
            elements[index].inside = .elements(inner, behind: head)
            return true
        }
        return false
    }
}
