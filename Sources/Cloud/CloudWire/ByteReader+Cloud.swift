import Secrets

/// What the three bodies have in common.
extension ByteReader {
    /// The longest purpose that is looked at.
    private static let longestPurpose = 64

    mutating func purpose(_ wanted: String) throws(DecodingError) {
        guard try bytesField(limit: Self.longestPurpose) == Array(wanted.utf8) else { throw .invalid }
    }

    /// How many follow.
    mutating func count(limit: Int) throws(DecodingError) -> Int {
        let count = Int(try uint32())
        guard count <= limit else { throw .tooLong }
        return count
    }

    /// As many values as a count says, which stands before them.
    mutating func list<Value>(
        limit: Int, _ read: (inout ByteReader) throws(DecodingError) -> Value
    ) throws(DecodingError) -> [Value] {
        let count = try count(limit: limit)
        var values: [Value] = []
        values.reserveCapacity(count)
        for _ in 0..<count { values.append(try read(&self)) }
        return values
    }

    /// An identifier that names something: zeros name nothing.
    mutating func name() throws(DecodingError) -> Identifier {
        let name = try identifier()
        guard name != .zero else { throw .invalid }
        return name
    }

    /// The name of a zone or the head of a log, where there has to be one.
    mutating func hash() throws(DecodingError) -> Hash256 {
        let hash = try Hash256(from: &self)
        guard hash != .zero else { throw .invalid }
        return hash
    }

    /// How many entries a zone's log has.
    mutating func logLength() throws(DecodingError) -> UInt64 {
        let length = try uint64()
        guard length <= UInt64(CloudLimits.log) else { throw .tooLong }
        guard length > 0 else { throw .invalid }
        return length
    }

    /// A field that has a least length too, which stays where it is.
    mutating func fieldRange(within limits: ClosedRange<Int>) throws(DecodingError) -> Range<Int> {
        let range = try fieldRange(limit: limits.upperBound)
        guard range.count >= limits.lowerBound else { throw .invalid }
        return range
    }
}

/// Nothing may stand twice.
func refuseTwice<Value: Hashable>(_ values: some Sequence<Value>) throws(DecodingError) {
    var seen: Set<Value> = []
    for value in values where !seen.insert(value).inserted { throw .invalid }
}
