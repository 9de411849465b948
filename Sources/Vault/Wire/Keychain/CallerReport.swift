package import Protection
package import Secrets

/// Who the daemon takes a program for, and which groups it lets it reach.
package struct CallerReport: Equatable, Sendable {
    /// Empty where it does not know.
    package var name: String
    /// By what the daemon knows the program.
    package var grade: IdentityGrade
    /// What the program reaches; the first is where its new items go.
    package var accessGroups: [String]
    /// Whether the connection that asked is one of those for which this holds.
    package var holdsHere: Bool

    private static let longestName = WireLimits.programName
    private static let mostGroups = WireLimits.accessGroups

    /// - Parameter holdsHere: whether the connection that asked is one for which this holds.
    package init(name: String, grade: IdentityGrade, accessGroups: [String], holdsHere: Bool) {
        self.holdsHere = holdsHere
        self.name = name
        self.grade = grade
        self.accessGroups = accessGroups
    }

    /// Writes name, grade, the groups behind their count in 32 bits, and whether it holds here.
    package func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.field(Array(name.utf8))
        try buffer.uint8(grade.rawValue)
        try buffer.uint32(UInt32(accessGroups.count))
        for group in accessGroups { try buffer.field(Array(group.utf8)) }
        try buffer.bool(holdsHere)
    }

    /// - Throws: `DecodingError` for a grade that there is not, and for more or longer names than there may be.
    package init(from reader: inout ByteReader) throws(DecodingError) {
        name = try reader.stringField(limit: Self.longestName)
        guard let grade = IdentityGrade(rawValue: try reader.uint8()) else { throw .invalid }
        self.grade = grade
        let count = try reader.uint32()
        guard count <= Self.mostGroups else { throw .tooLong }
        accessGroups = []
        for _ in 0..<count { accessGroups.append(try reader.stringField(limit: AccessGroup.longest)) }
        holdsHere = try reader.bool()
    }
}
