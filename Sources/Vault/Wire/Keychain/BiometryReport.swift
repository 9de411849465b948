package import Protection
package import Secrets

/// What can be said of fingers before one is asked for.
package struct BiometryReport: Equatable, Sendable {
    /// Why a reader cannot be asked.
    package enum Problem: UInt8, CaseIterable, Sendable {
        case busUnavailable = 1
        case serviceMissing = 2
        case serviceUntrusted = 3
        case serviceFailed = 4
        case noReader = 5
        case readerBusy = 6
        case permissionDenied = 7
        /// There is a reader, and no finger is enrolled.
        case notEnrolled = 8
        case enrolmentUnreadable = 9
        case serviceSilent = 10
    }

    /// Why the reader cannot be asked; nil where it can.
    package var unavailable: Problem?
    /// Why no finger will do now; nil where one does, or the reader cannot be asked.
    package var refusal: BiometryState.Refusal?
    /// The enrolment state, 32 bytes; nil where nothing is enrolled, or nobody can tell.
    package var enrolment: [UInt8]?

    private static let enrolmentByteCount = 32

    /// - Parameter enrolment: 32 bytes, or nil.
    package init(unavailable: Problem?, refusal: BiometryState.Refusal?, enrolment: [UInt8]?) {
        self.unavailable = unavailable
        self.refusal = refusal
        self.enrolment = enrolment
    }

    /// Writes the two numbers, whether there is an enrolment state, and that.
    package func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.uint8(unavailable?.rawValue ?? 0)
        try buffer.uint8(refusal?.rawValue ?? 0)
        try buffer.bool(enrolment != nil)
        if let enrolment { try buffer.append(enrolment) }
    }

    /// - Throws: `DecodingError` for a problem or a refusal that there is not.
    package init(from reader: inout ByteReader) throws(DecodingError) {
        let problem = try reader.uint8()
        unavailable = Problem(rawValue: problem)
        guard problem == 0 || unavailable != nil else { throw .invalid }
        let refusal = try reader.uint8()
        self.refusal = BiometryState.Refusal(rawValue: refusal)
        guard refusal == 0 || self.refusal != nil else { throw .invalid }
        enrolment = try reader.bool() ? try reader.bytes(Self.enrolmentByteCount) : nil
    }
}
