/// One documented behaviour of the keychain, as docs/CONFORMANCE.md lists it.
package struct ConformanceCase: Sendable, CustomStringConvertible {
    package let section: String
    package let name: String
    package let run: @Sendable (Probe) throws -> Void

    package var description: String { "\(section) \(name)" }

    static func make(
        _ section: String, _ name: String, _ run: @escaping @Sendable (Probe) throws -> Void
    ) -> ConformanceCase {
        ConformanceCase(section: section, name: name, run: run)
    }

    /// Every case that runs on each backend.
    package static let all: [ConformanceCase] =
        grammar + conversion + primaryKeys + adding + finding + updating + removing + references + lockStates
}

/// The status codes, by the names of Apple's headers.
enum Status {
    static let success: Int32 = 0
    static let param: Int32 = -50
    static let authFailed: Int32 = -25293
    static let duplicate: Int32 = -25299
    static let notFound: Int32 = -25300
    static let noSuchAttribute: Int32 = -25303
    static let noSuchClass: Int32 = -25306
    static let interactionNotAllowed: Int32 = -25308
    static let decode: Int32 = -26275
    static let missingEntitlement: Int32 = -34018
}
