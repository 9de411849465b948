package import FoundationEssentials
import Localization

/// Why a chain is not trusted.
package struct TrustFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong with the chain, or with one certificate of it.
    package enum Reason: Sendable, Equatable {
        case expired(Date)
        case notYetValid(Date)
        /// The chain ends with a certificate that issued itself and is not among the roots.
        case unknownRoot
        /// Nobody who could have issued it is known.
        case unknownIssuer
        /// It was not issued to the server's name.
        case wrongName
        case pathLength
        case nameConstraints
        case notAuthority
        case badSignature
        /// Made over SHA-1, for which two contents with one signature can be made.
        case weakSignature
        /// A dotted object identifier.
        case unsupportedCriticalExtension(String)
        /// Its extended key usage is for something else.
        case wrongPurpose
        /// An extension contradicts its version, or cannot be read.
        case malformed
        /// More possible paths than are tried.
        case tooManyPaths
    }

    /// What is wrong.
    package let reason: Reason
    /// The certificate at fault.
    package let certificate: DERCertificate

    /// A sentence without the certificate's name: that is its maker's text, and whoever prints it makes it harmless.
    package var description: String {
        switch reason {
        case .expired(let date): marked("expired on \(date.formatted(.iso8601))")
        case .notYetValid(let date): marked("not valid before \(date.formatted(.iso8601))")
        case .unknownRoot: marked("issued itself, and is not among the trusted roots")
        case .unknownIssuer: marked("its issuer is not known: an intermediate certificate or the root is missing")
        case .wrongName: marked("issued to another name")
        case .pathLength: marked("issued more authorities below it than its path length allows")
        case .nameConstraints: marked("outside of the names that an authority above it may issue to")
        case .notAuthority: marked("issued a certificate and is no authority")
        case .badSignature: marked("its signature was not made by its issuer's key, or it was changed afterwards")
        case .weakSignature: marked("its signature is over SHA-1, and so can be forged")
        case .unsupportedCriticalExtension(let name):
            marked("has the critical extension \(name), which is not understood")
        case .wrongPurpose: marked("issued for another purpose")
        case .malformed: marked("has extensions that contradict its version or cannot be read")
        case .tooManyPaths: marked("has more possible paths to a root than are tried")
        }
    }

    /// One word, for programs.
    package var code: String {
        switch reason {
        case .expired: "expired"
        case .notYetValid: "notYetValid"
        case .unknownRoot: "unknownRoot"
        case .unknownIssuer: "unknownIssuer"
        case .wrongName: "wrongName"
        case .pathLength: "pathLength"
        case .nameConstraints: "nameConstraints"
        case .notAuthority: "notAuthority"
        case .badSignature: "badSignature"
        case .weakSignature: "weakSignature"
        case .unsupportedCriticalExtension: "unsupportedCriticalExtension"
        case .wrongPurpose: "wrongPurpose"
        case .malformed: "malformed"
        case .tooManyPaths: "tooManyPaths"
        }
    }
}
