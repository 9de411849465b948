package import Protection
package import Secrets

/// Who the daemon takes a program for, and which groups it lets it reach.
package struct CallerReport: Equatable, Sendable {
    /// Empty where it does not know.
    package var name: String
    package var grade: IdentityGrade
    package var accessGroups: [String]
    /// Whether the connection that asked is one of those for which this holds.
    package var holdsHere: Bool

    private static let longestName = WireLimits.programName
    private static let mostGroups = WireLimits.accessGroups

    package init(name: String, grade: IdentityGrade, accessGroups: [String], holdsHere: Bool) {
        self.holdsHere = holdsHere
        self.name = name
        self.grade = grade
        self.accessGroups = accessGroups
    }

    package func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.field(Array(name.utf8))
        try buffer.uint8(grade.rawValue)
        try buffer.uint32(UInt32(accessGroups.count))
        for group in accessGroups { try buffer.field(Array(group.utf8)) }
        try buffer.bool(holdsHere)
    }

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
