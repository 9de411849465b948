package import KeyEnvelopes
package import Protection
package import Secrets

/// What a developer says of an app; see specs/app-manifest.md.
package struct AppManifest: Equatable, Sendable {
    /// Of the file, with its signature.
    package static let longest = 65_536
    /// Ed25519 (RFC 8032), behind the manifest's own bytes.
    package static let signatureByteCount = 64
    private static let purpose = "tresor app manifest v1"
    private static let longestList = 64
    private static let longestName = 255

    /// The developer's public key, Ed25519, 32 bytes.
    package var developer: [UInt8]
    /// From 1 on; a later one replaces an earlier one.
    package var version: UInt32
    /// Microseconds since 1970, UTC.
    package var created: UInt64
    /// Likewise; 0 for never.
    package var expires: UInt64
    /// Such as `org.example.mail`; the developer's prefix is not part of it.
    package var bundleIdentifier: String
    /// For people.
    package var name: String
    /// In the developer's order: the first is the default for new items.
    package var keychainGroups: [String]
    /// Such as `group.org.example.mail`: of the developer whose app names one first.
    package var applicationGroups: [String]
    /// SHA-256 of each file that is this app.
    package var executables: [[UInt8]]
    /// Sandboxes in which the app is known by their word, such as `flatpak:org.example.Mail`.
    package var sandboxes: [String]
    /// Empty for none.
    package var unit: String
    /// Empty for none.
    package var group: String

    /// - Parameters:
    ///   - developer: Ed25519, 32 bytes.
    ///   - created: microseconds since 1970, UTC.
    ///   - expires: likewise; 0 for never.
    ///   - executables: SHA-256 of each file, 32 bytes.
    package init(
        developer: [UInt8], version: UInt32, created: UInt64, expires: UInt64, bundleIdentifier: String, name: String,
        keychainGroups: [String] = [], applicationGroups: [String] = [], executables: [[UInt8]] = [],
        sandboxes: [String] = [], unit: String = "", group: String = ""
    ) {
        self.developer = developer
        self.version = version
        self.created = created
        self.expires = expires
        self.bundleIdentifier = bundleIdentifier
        self.name = name
        self.keychainGroups = keychainGroups
        self.applicationGroups = applicationGroups
        self.executables = executables
        self.sandboxes = sandboxes
        self.unit = unit
        self.group = group
    }

    /// The developer's prefix: what all groups of this key begin with.
    package static func prefix(of developer: [UInt8]) -> String {
        var writer = ByteWriter()
        writer.field("tresor developer v1")
        writer.raw(developer)
        return String(Base32.encode(Digest.sha256(writer.bytes)).prefix(AccessGroup.prefixCount))
    }

    /// `PREFIX.bundle.identifier`.
    package var applicationIdentifier: String { Self.prefix(of: developer) + "." + bundleIdentifier }

    /// What the daemon goes by.
    package var claim: AppClaim {
        AppClaim(
            identifier: applicationIdentifier, keychainGroups: keychainGroups, applicationGroups: applicationGroups,
            executables: executables, sandboxes: sandboxes, unit: unit.isEmpty ? nil : unit,
            group: group.isEmpty ? nil : group)
    }

    // MARK: Signed

    /// Signs it with the developer's private key, 32 bytes.
    ///
    /// - Returns: the file's bytes.
    /// - Throws: `malformed` for a manifest that no reader would take.
    package func signed(with privateKey: borrowing SecretBytes) throws(EnvelopeError) -> [UInt8] {
        let bytes = encoded
        let signature = try Signing.sign(bytes, privateKey: privateKey)
        let file = bytes + signature
        // Also refuses the key of another developer.
        _ = try Self(signed: file)
        return file
    }

    /// Reads a file whose signature holds.
    ///
    /// - Throws: `malformed`, `notAuthentic`.
    package init(signed file: [UInt8]) throws(EnvelopeError) {
        guard file.count <= Self.longest, file.count > Self.signatureByteCount else { throw .malformed }
        let bytes = Array(file.dropLast(Self.signatureByteCount))
        let manifest: AppManifest
        do { manifest = try AppManifest(unverified: bytes) } catch { throw .malformed }
        let signature = Array(file.suffix(Self.signatureByteCount))
        guard Signing.verify(signature, of: bytes, publicKey: manifest.developer) else { throw .notAuthentic }
        self = manifest
    }

    // MARK: Bytes

    /// What is signed.
    package var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.field(Self.purpose)
        writer.raw(developer)
        writer.uint32(version)
        writer.uint64(created)
        writer.uint64(expires)
        writer.field(bundleIdentifier)
        writer.field(name)
        writer.list(keychainGroups)
        writer.list(applicationGroups)
        writer.uint32(UInt32(executables.count))
        for digest in executables { writer.raw(digest) }
        writer.list(sandboxes)
        writer.field(unit)
        writer.field(group)
        return writer.bytes
    }

    /// Reads a manifest without its signature: nothing in it is to be believed.
    package init(unverified encoded: [UInt8]) throws(DecodingError) {
        self = try encoded.withSpan { (span) throws(DecodingError) in
            var reader = ByteReader(span)
            guard try reader.stringField(limit: 64) == Self.purpose else { throw .invalid }
            let manifest = try Self(fields: &reader)
            try reader.end()
            return manifest
        }
        try check()
    }

    private init(fields reader: inout ByteReader) throws(DecodingError) {
        developer = try reader.bytes(32)
        version = try reader.uint32()
        created = try reader.uint64()
        expires = try reader.uint64()
        bundleIdentifier = try reader.stringField(limit: Self.longestName)
        name = try reader.stringField(limit: Self.longestName)
        keychainGroups = try reader.list(limit: Self.longestList)
        applicationGroups = try reader.list(limit: Self.longestList)
        executables = []
        for _ in 0..<(try reader.count(limit: Self.longestList)) { executables.append(try reader.bytes(32)) }
        sandboxes = try reader.list(limit: Self.longestList)
        unit = try reader.stringField(limit: AccessGroup.longest)
        group = try reader.stringField(limit: AccessGroup.longest)
    }

    private func check() throws(DecodingError) {
        let prefix = Self.prefix(of: developer)
        let isKnownBySomething = !(executables.isEmpty && sandboxes.isEmpty && unit.isEmpty && group.isEmpty)
        guard version > 0, expires == 0 || expires > created, AccessGroup.isBundleIdentifier(bundleIdentifier),
            !name.isEmpty, isKnownBySomething,
            keychainGroups.allSatisfy({ AccessGroup.isOf(prefix: prefix, $0) }),
            Set(keychainGroups).count == keychainGroups.count,
            applicationGroups.allSatisfy(AccessGroup.isApplicationGroup), sandboxes.allSatisfy(AccessGroup.isName),
            unit.isEmpty || AccessGroup.isName(unit), group.isEmpty || AccessGroup.isName(group),
            Self.ascends(applicationGroups.map { Array($0.utf8) }), Self.ascends(executables),
            Self.ascends(sandboxes.map { Array($0.utf8) })
        else { throw .invalid }
    }

    private static func ascends(_ list: [[UInt8]]) -> Bool {
        zip(list, list.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) }
    }
}

extension ByteWriter {
    fileprivate mutating func list(_ texts: [String]) {
        uint32(UInt32(texts.count))
        for text in texts { field(text) }
    }
}

extension ByteReader {
    fileprivate mutating func count(limit: Int) throws(DecodingError) -> UInt32 {
        let count = try uint32()
        guard count <= limit else { throw .tooLong }
        return count
    }

    fileprivate mutating func list(limit: Int) throws(DecodingError) -> [String] {
        var texts: [String] = []
        for _ in 0..<(try count(limit: limit)) { texts.append(try stringField(limit: AccessGroup.longest)) }
        return texts
    }
}
