/// First inputs of a target, and in what they consist of besides bytes.
///
/// A changed byte in the middle of nested lengths, or of markup, is nearly always refused at the first look. What
/// readers do further inside shows where whole elements are changed and everything around them fits.
struct Seeds {
    enum Form {
        case bytes
        case der
        /// Pieces that begin with this character.
        case text(UInt8)
    }

    let inputs: [[UInt8]]
    fileprivate let trees: [[DERTree]]
    fileprivate let sizes: [Int]
    /// Whole elements, to be put where others stood.
    fileprivate let elements: [DERTree]
    fileprivate let pieces: [[ArraySlice<UInt8>]]

    init(_ inputs: [[UInt8]], _ form: Form) {
        self.inputs = inputs
        switch form {
        case .bytes: (trees, pieces) = ([], [])
        case .der: (trees, pieces) = (inputs.compactMap { DERTree.parse($0[...]) }.filter { !$0.isEmpty }, [])
        case .text(let first): (trees, pieces) = ([], inputs.map { Self.split($0, first) })
        }
        let all = trees.map(DERTree.all)
        sizes = all.map(\.count)
        elements = Array(all.joined()) + (trees.isEmpty ? [] : Self.refused)
    }

    /// Names that the formats know and our readers refuse, in places that other seeds put names in.
    private static let refused: [DERTree] = [
        // CMS: enveloped, encrypted and authenticated data (RFC 5652; RFC 5083).
        [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 3], [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 6],
        [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 16, 1, 23], [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 2],
        // SHA-1, scrypt, the ciphers of the 1990s, secp256k1, and lists in lists (RFC 7292).
        [0x2B, 14, 3, 2, 26], [0x2B, 6, 1, 4, 1, 0xDA, 0x47, 4, 11], [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 3, 7],
        [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 12, 1, 3], [0x2B, 0x81, 4, 0, 10],
        [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 12, 10, 1, 6],
    ].map { DERTree(0x06, $0) }

    private static func split(_ bytes: [UInt8], _ first: UInt8) -> [ArraySlice<UInt8>] {
        var starts = bytes.indices.filter { bytes[$0] == first }
        if starts.first != 0 { starts.insert(0, at: 0) }
        return zip(starts, starts.dropFirst() + [bytes.count]).map { bytes[$0..<$1] }
    }
}

extension Mutator {
    /// One of the inputs, changed as bytes or as what it consists of.
    mutating func mutated(_ seeds: Seeds) -> [UInt8] {
        var bytes: [UInt8]
        if !seeds.trees.isEmpty, next(4) > 0 {
            bytes = changedTree(seeds)
        } else if !seeds.pieces.isEmpty, next(2) > 0 {
            bytes = changedText(seeds)
        } else {
            return mutated(seeds.inputs)
        }
        if next(8) == 0 { mutate(&bytes) }
        return bytes
    }

    private mutating func changedTree(_ seeds: Seeds) -> [UInt8] {
        let chosen = next(seeds.trees.count)
        var tree = seeds.trees[chosen]
        for _ in 0..<(1 + next(3)) {
            var number = next(seeds.sizes[chosen])
            DERTree.change(&tree, &number) { change(&$0, $1, seeds.elements) }
        }
        return DERTree.encode(tree)
    }

    private mutating func change(_ list: inout [DERTree], _ index: Int, _ elements: [DERTree]) {
        switch next(8) {
        case 0: list.remove(at: index)
        case 1: list.insert(list[index], at: next(list.count + 1))
        case 2: list.swapAt(index, next(list.count))
        case 3: list[index] = elements[next(elements.count)]
        case 4: list.insert(elements[next(elements.count)], at: index)
        case 5: list[index].tag = otherTag(list[index].tag)
        default: changeInside(&list[index], elements)
        }
    }

    private mutating func otherTag(_ tag: UInt8) -> UInt8 {
        let known: [UInt8] = [0x02, 0x03, 0x04, 0x05, 0x06, 0x0C, 0x17, 0x1E, 0x24, 0x30, 0x31, 0x80, 0x81, 0xA0, 0xA1]
        return next(4) == 0 ? tag ^ 1 << UInt8(next(8)) : known[next(known.count)]
    }

    private mutating func changeInside(_ element: inout DERTree, _ elements: [DERTree]) {
        guard case .bytes(var content) = element.inside else {
            // All of another element's inside, or none.
            element.inside = next(2) == 0 ? .bytes([]) : elements[next(elements.count)].inside
            return
        }
        if element.tag == 0x02, next(2) == 0 {
            content = Self.integers[next(Self.integers.count)]
        } else if let other = sameKind(element.tag, elements), next(3) == 0 {
            element = other
            return
        } else {
            mutate(&content)
        }
        element.inside = .bytes(content)
    }

    /// Small, negative, not in the shortest form, and above every limit; rounds of hashing between the limits would
    /// be done, and cost seconds.
    private static let integers: [[UInt8]] = [
        [], [0], [1], [2], [3], [0x7F], [0x80], [0xFF], [0, 1], [0, 0x80], [0, 0xFF], [1, 0], [0xFF, 0xFF],
        [0, 0x98, 0x96, 0x81], [0x3B, 0x9A, 0xCA, 0], [0x7F, 0xFF, 0xFF, 0xFF], [0, 0x80, 0, 0, 0],
        [0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [UInt8](repeating: 0xFF, count: 20),
    ]

    private mutating func sameKind(_ tag: UInt8, _ elements: [DERTree]) -> DERTree? {
        for _ in 0..<8 {
            let other = elements[next(elements.count)]
            if other.tag == tag { return other }
        }
        return nil
    }

    private mutating func changedText(_ seeds: Seeds) -> [UInt8] {
        var pieces = seeds.pieces[next(seeds.pieces.count)]
        for _ in 0..<(1 + next(3)) where !pieces.isEmpty {
            let place = next(pieces.count)
            switch next(5) {
            case 0: pieces.remove(at: place)
            case 1: pieces.insert(pieces[place], at: next(pieces.count + 1))
            case 2: pieces.swapAt(place, next(pieces.count))
            case 3: pieces[place] = otherPiece(seeds)
            default: pieces.insert(otherPiece(seeds), at: place)
            }
        }
        return Array(pieces.joined())
    }

    private mutating func otherPiece(_ seeds: Seeds) -> ArraySlice<UInt8> {
        let pieces = seeds.pieces[next(seeds.pieces.count)]
        return pieces[next(pieces.count)]
    }
}
