package import Secrets

/// What an enclave may insist on from the moment that it was told; each is one bit.
///
/// See specs/keybag.md, "Promises".
package struct EnclavePromises: OptionSet, Equatable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The store's record of the generation has the enclave's witness.
    package static let storeRecord = EnclavePromises(rawValue: 1)
    /// The records of keychains are bound by a key that only the passcode opens.
    package static let keychains = EnclavePromises(rawValue: 2)
    /// All that there are.
    package static let all: EnclavePromises = [.storeRecord, .keychains]

    /// Refuses a bit that is none of them.
    package init(from reader: inout ByteReader) throws(DecodingError) {
        self.init(rawValue: try reader.uint8())
        guard isSubset(of: .all) else { throw .invalid }
    }
}
