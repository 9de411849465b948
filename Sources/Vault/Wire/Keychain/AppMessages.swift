package import Protection
package import Secrets

/// A signed manifest, and the passcode where one is set.
package struct AppRegistration: ~Copyable {
    /// The device's, which permits the change; nil where none is set.
    package let passcode: SecretBytes?
    /// As the developer's file has it.
    package let manifest: [UInt8]

    /// - Parameters:
    ///   - passcode: the device's; nil where none is set.
    ///   - manifest: the developer's file, byte for byte.
    package init(passcode: consuming SecretBytes?, manifest: [UInt8]) {
        self.passcode = passcode
        self.manifest = manifest
    }

    /// - Throws: `DecodingError` for a passcode beyond 1,024 bytes or a manifest beyond 64 KiB; `SecretMemoryError`.
    package init(from reader: inout ByteReader) throws {
        let passcode = try reader.optionalSecretField(limit: WireLimits.passcode)
        self.init(passcode: passcode, manifest: try reader.bytesField(limit: WireLimits.manifest))
    }

    /// Writes whether there is a passcode, the passcode, and the manifest.
    package borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.optionalField(passcode)
        try buffer.field(manifest)
    }
}

/// An app that shall be registered no more.
package struct AppRemoval: ~Copyable {
    /// The device's, which permits the change; nil where none is set.
    package let passcode: SecretBytes?
    /// The application identifier of the app, as its manifest has it.
    package let identifier: String

    /// - Parameters:
    ///   - passcode: the device's; nil where none is set.
    ///   - identifier: of the app, at most 512 bytes of UTF-8.
    package init(passcode: consuming SecretBytes?, identifier: String) {
        self.passcode = passcode
        self.identifier = identifier
    }

    /// - Throws: `DecodingError` for an identifier beyond 512 bytes or one that is not UTF-8; `SecretMemoryError`.
    package init(from reader: inout ByteReader) throws {
        let passcode = try reader.optionalSecretField(limit: WireLimits.passcode)
        self.init(passcode: passcode, identifier: try reader.stringField(limit: WireLimits.programName))
    }

    /// Writes whether there is a passcode, the passcode, and the identifier.
    package borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.optionalField(passcode)
        try buffer.field(Array(identifier.utf8))
    }
}

/// A group that the owner gives a program, or takes away.
package struct GrantChange: ~Copyable {
    /// The device's, which permits the change; nil where none is set.
    package let passcode: SecretBytes?
    /// The program, and the group that is not its own.
    package let grant: AccessGrant
    /// Whether the program may reach the group from now on; false takes it away.
    package let isGranted: Bool

    /// - Parameters:
    ///   - passcode: the device's; nil where none is set.
    ///   - grant: of which program and group.
    ///   - isGranted: false takes it away.
    package init(passcode: consuming SecretBytes?, grant: AccessGrant, isGranted: Bool) {
        self.passcode = passcode
        self.grant = grant
        self.isGranted = isGranted
    }

    /// - Throws: `DecodingError` for names that are too long or not UTF-8; `SecretMemoryError`.
    package init(from reader: inout ByteReader) throws {
        let passcode = try reader.optionalSecretField(limit: WireLimits.passcode)
        let grant = try AccessGrant(from: &reader)
        self.init(passcode: passcode, grant: grant, isGranted: try reader.bool())
    }

    /// Writes whether there is a passcode, the passcode, the grant, and whether it holds.
    package borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.optionalField(passcode)
        try grant.encode(into: &buffer)
        try buffer.bool(isGranted)
    }
}

/// A group of which every item shall be removed.
package struct GroupPurge: ~Copyable {
    /// The device's, which permits the removal; nil where none is set.
    package let passcode: SecretBytes?
    /// The access group, at most 256 bytes of UTF-8.
    package let group: String

    /// - Parameters:
    ///   - passcode: the device's; nil where none is set.
    ///   - group: whose items go.
    package init(passcode: consuming SecretBytes?, group: String) {
        self.passcode = passcode
        self.group = group
    }

    /// - Throws: `DecodingError` for a group beyond 256 bytes or one that is not UTF-8; `SecretMemoryError`.
    package init(from reader: inout ByteReader) throws {
        let passcode = try reader.optionalSecretField(limit: WireLimits.passcode)
        self.init(passcode: passcode, group: try reader.stringField(limit: AccessGroup.longest))
    }

    /// Writes whether there is a passcode, the passcode, and the group.
    package borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.optionalField(passcode)
        try buffer.field(Array(group.utf8))
    }
}

/// A page of registered apps; on the first one also what the owner granted, and who asked in vain.
package struct AppsReport: Equatable, Sendable {
    /// Since the daemon started: which program wanted which group.
    package struct Wish: Equatable, Sendable {
        /// The program, and the group that it asked for in vain.
        package var grant: AccessGrant
        /// By what the daemon knew the program.
        package var grade: IdentityGrade
        /// Microseconds since 1970.
        package var time: Int64

        /// - Parameter time: of the latest request, in microseconds since 1970.
        package init(grant: AccessGrant, grade: IdentityGrade, time: Int64) {
            self.grant = grant
            self.grade = grade
            self.time = time
        }
    }

    /// False before first unlock, when grants and names of application groups are shut.
    package var isComplete: Bool
    /// As the developers signed them, ascending by application identifier.
    package var manifests: [[UInt8]] = []
    /// Behind which the next page begins; empty on the last.
    package var next = ""
    /// What the owner has let programs reach; on the first page alone.
    package var grants: [AccessGrant] = []
    /// Who asked in vain; on the first page alone.
    package var wishes: [Wish] = []

    /// A page with nothing on it yet.
    package init(isComplete: Bool) { self.isComplete = isComplete }

    /// Writes the lists one after the other, each behind its count in 32 bits.
    package func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.bool(isComplete)
        try buffer.uint32(UInt32(manifests.count))
        for manifest in manifests { try buffer.field(manifest) }
        try buffer.field(Array(next.utf8))
        try buffer.uint32(UInt32(grants.count))
        for grant in grants { try grant.encode(into: &buffer) }
        try buffer.uint32(UInt32(wishes.count))
        for wish in wishes {
            try wish.grant.encode(into: &buffer)
            try buffer.uint8(wish.grade.rawValue)
            try buffer.uint64(UInt64(bitPattern: wish.time))
        }
    }

    /// - Throws: `DecodingError` for more entries than a registry may have, and for a grade that there is not.
    package init(from reader: inout ByteReader) throws(DecodingError) {
        isComplete = try reader.bool()
        for _ in 0..<(try reader.count(limit: AppRegistry.mostApps)) {
            manifests.append(try reader.bytesField(limit: WireLimits.manifest))
        }
        next = try reader.stringField(limit: WireLimits.programName)
        for _ in 0..<(try reader.count(limit: AppRegistry.mostGrants)) { grants.append(try AccessGrant(from: &reader)) }
        for _ in 0..<(try reader.count(limit: AppRegistry.mostGrants)) {
            let grant = try AccessGrant(from: &reader)
            guard let grade = IdentityGrade(rawValue: try reader.uint8()) else { throw .invalid }
            wishes.append(Wish(grant: grant, grade: grade, time: Int64(bitPattern: try reader.uint64())))
        }
    }
}

/// The access groups of all items that can be read now.
package struct GroupsReport: Equatable, Sendable {
    /// One access group, and what becomes of it when its program goes.
    package struct Group: Equatable, Sendable {
        /// The group, as items have it.
        package var name: String
        /// How many items are in it that can be read now.
        package var items: UInt32
        /// Whether a program is there to which the group belongs.
        package var ownership: GroupOwnership

        /// - Parameter items: how many can be read now.
        package init(name: String, items: UInt32, ownership: GroupOwnership) {
            self.name = name
            self.items = items
            self.ownership = ownership
        }
    }

    /// How many groups one report names.
    package static let mostGroups = 2048
    /// Ascending by name.
    package var groups: [Group]
    /// Items whose group is shut, or which do not decode.
    package var hidden: UInt32

    /// - Parameters:
    ///   - groups: ascending by name, at most ``mostGroups``.
    ///   - hidden: items whose group is shut, or which do not decode.
    package init(groups: [Group], hidden: UInt32) {
        self.groups = groups
        self.hidden = hidden
    }

    /// Writes the count in 32 bits, the groups, and how many items are hidden.
    package func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.uint32(UInt32(groups.count))
        for group in groups {
            try buffer.field(Array(group.name.utf8))
            try buffer.uint32(group.items)
            try buffer.uint8(group.ownership.rawValue)
        }
        try buffer.uint32(hidden)
    }

    /// - Throws: `DecodingError` for more than ``mostGroups`` groups, and for an ownership that there is not.
    package init(from reader: inout ByteReader) throws(DecodingError) {
        var groups: [Group] = []
        for _ in 0..<(try reader.count(limit: Self.mostGroups)) {
            let name = try reader.stringField(limit: AccessGroup.longest)
            let items = try reader.uint32()
            guard let ownership = GroupOwnership(rawValue: try reader.uint8()) else { throw .invalid }
            groups.append(Group(name: name, items: items, ownership: ownership))
        }
        self.groups = groups
        hidden = try reader.uint32()
    }
}

extension AccessGrant {
    fileprivate init(from reader: inout ByteReader) throws(DecodingError) {
        let program = try reader.stringField(limit: WireLimits.programName)
        self.init(program: program, group: try reader.stringField(limit: AccessGroup.longest))
    }

    fileprivate func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.field(Array(program.utf8))
        try buffer.field(Array(group.utf8))
    }
}

extension ByteReader {
    mutating func count(limit: Int) throws(DecodingError) -> Int {
        let count = Int(try uint32())
        guard count <= limit else { throw .tooLong }
        return count
    }
}
