/// A keychain that belongs to no user: it is made of files, and is only read.
///
///     for one in try SystemKeychain.system.records() { print(one.label, one.file) }
package enum SystemKeychain: String, CaseIterable, Sendable {
    /// The authorities that the system trusts (``TrustRoots/system(at:)``).
    case systemRoots = "System Roots"
    /// What the administrator deployed for this machine (``SystemPlaces/folders``).
    case system = "System"

    /// What people see, and write: "System Roots" or "System".
    package var name: String { rawValue }

    /// Nil for any other name.
    package init?(name: String) { self.init(rawValue: name) }

    /// Its certificates, and the files that were refused.
    ///
    /// A deployed file that cannot be read or believed is named in ``SystemContents/refused`` and hides no other.
    ///
    /// - Throws: of System Roots alone: `LinuxError` where the list cannot be read (`isMissing` where there is none),
    ///   ``CertificateReadError`` where it is no list.
    package func read(_ places: SystemPlaces = .machine) throws -> SystemContents {
        switch self {
        case .systemRoots:
            let roots = try TrustRoots.system(at: places.rootsFile)
            let certificates = roots.certificates.map { SystemCertificate($0, self, places.rootsFile) }
            return SystemContents(certificates: certificates, skippedCount: roots.skippedCount)
        case .system: return DeployedFiles.read(places)
        }
    }

    /// Its certificates, in the order of the files.
    ///
    /// - Throws: as ``read(_:)`` does.
    package func records(_ places: SystemPlaces = .machine) throws -> [SystemCertificate] {
        try read(places).certificates
    }
}

/// What a keychain made of files holds.
package struct SystemContents: Sendable, Equatable {
    /// Those that count, in the order of their files.
    package internal(set) var certificates: [SystemCertificate] = []
    /// Files that are not believed or not read, and why.
    package internal(set) var refused: [RefusedFile] = []
    /// How many of the system's list were left out, since their algorithms or their form are refused.
    package internal(set) var skippedCount = 0
}
