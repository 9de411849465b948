/// Which fingers a user has enrolled, as bytes to be hashed: another set of fingers gives other bytes.
///
/// The bytes are defined in specs/fingerprint-enrolment.md. Who hashes them, with SHA-256, has what Apple calls the
/// domain state, to which an item with `biometryCurrentSet` is bound.
///
///     var hash = SHA256()
///     let enrolment = try reader.enrolment(of: anna) { hash.update(data: $0) }
///     guard enrolment.fingers > 0, enrolment.isComplete else { … }
package struct Enrolment: Equatable, Sendable {
    /// How many fingers are enrolled.
    package let fingers: Int
    /// Whether the bytes come from the fingers' files.
    ///
    /// Where they don't, only the fingers' names were known: a finger that was deleted and enrolled anew under the same
    /// name, be it another person's, is then invisible.
    package let isComplete: Bool
}

extension FingerprintReader {
    /// Where fprintd keeps what it knows of fingers (`STATE_DIRECTORY` of its unit).
    package static let stateFolder = "/var/lib/fprint"

    /// Reads which fingers `user` has enrolled: from fprintd's files, which root alone may read, else from fprintd.
    ///
    /// In the second case it waits for fprintd's answer. An event loop calls ``Enrolment/read(filesOf:in:into:)``
    /// itself, and, if that is nil, ``startListing(_:until:)`` and ``Enrolment/init(names:into:)``.
    ///
    /// - Parameters:
    ///   - user: whose fingers.
    ///   - folder: of fprintd's state.
    ///   - milliseconds: how long fprintd may take to answer.
    ///   - sink: gets the bytes, piece by piece.
    /// - Throws: ``BiometryError/enrolmentUnreadable`` for files that fprintd would not have written; else as
    ///   ``enrolledFingers(of:milliseconds:)``. What `sink` got is then worth nothing.
    package func enrolment(
        of user: LoginName, folder: String = stateFolder, milliseconds: UInt64 = 10_000, into sink: ([UInt8]) -> Void
    ) throws(BiometryError) -> Enrolment {
        if let enrolment = try Enrolment.read(filesOf: user, in: folder, into: sink) { return enrolment }
        return Enrolment(names: try enrolledFingers(of: user, milliseconds: milliseconds), into: sink)
    }
}

extension Enrolment {
    /// What fprintd's files say; nil where we may not read them, and `sink` got nothing.
    ///
    /// - Parameters: as ``FingerprintReader/enrolment(of:folder:into:)``.
    /// - Throws: ``BiometryError/enrolmentUnreadable`` for files that fprintd would not have written.
    package static func read(
        filesOf user: LoginName, in folder: String = FingerprintReader.stateFolder, into sink: ([UInt8]) -> Void
    ) throws(BiometryError) -> Enrolment? {
        guard let files = try EnrolmentFiles.read(of: user, in: folder, into: sink) else { return nil }
        return Enrolment(fingers: files, isComplete: true)
    }

    /// What can be said from the fingers' names alone.
    ///
    /// - Parameters:
    ///   - names: as ``FingerprintEvent/enrolled(_:)`` gives them, in any order.
    ///   - sink: gets the bytes.
    package init(names: [String], into sink: ([UInt8]) -> Void) {
        let names = Set(names).map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
        sink(EnrolmentBytes.header(.names, count: names.count))
        for name in names { sink(EnrolmentBytes.text(name)) }
        self.init(fingers: names.count, isComplete: false)
    }
}

/// The fields of specs/fingerprint-enrolment.md.
enum EnrolmentBytes {
    enum Kind: UInt8 {
        case files = 1
        case names = 2
    }

    static func header(_ kind: Kind, count: Int) -> [UInt8] {
        Array("tresor enrolment 1".utf8) + [kind.rawValue] + bigEndian(UInt32(clamping: count))
    }

    static func text(_ bytes: [UInt8]) -> [UInt8] { bigEndian(UInt32(clamping: bytes.count)) + bytes }

    static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        stride(from: value.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
