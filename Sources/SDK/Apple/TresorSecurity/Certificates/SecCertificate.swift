public import TresorCoreFoundation
import Certificates
public import Foundation
import Wire

/// An X.509 certificate.
public final class SecCertificate: NSObject, Sendable {
    let certificate: DERCertificate

    init(_ certificate: DERCertificate) { self.certificate = certificate }

    /// What the keychain files it under.
    var filed: Attributes { Attributes(certificate.filed) }

    /// Whether both are the same certificate, byte for byte.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? SecCertificate)?.certificate == certificate
    }

    /// Equal certificates have equal hashes.
    public override var hash: Int { certificate.hashValue }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Reads a certificate.
///
/// - Parameters:
///   - allocator: ``kCFAllocatorDefault``.
///   - data: X.509 in DER, at most 128 KiB.
/// - Returns: nil for what is no certificate, and for one whose key or signature algorithm is not known.
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? {
    guard data.length <= DERCertificate.byteLimit else { return nil }
    return (try? DERCertificate([UInt8](data))).map { SecCertificate($0) }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The certificate in DER.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData {
    Data(certificate.certificate.der) as NSData
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A name for people: the common name, or else the whole subject.
///
/// It is its maker's text.
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> CFString? {
    certificate.certificate.summary as CFString
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The subject's common name.
///
/// - Parameters:
///   - certificate: a certificate.
///   - commonName: gets the most specific one, or nil where there is none.
/// - Returns: `errSecSuccess`.
public func SecCertificateCopyCommonName(
    _ certificate: SecCertificate, _ commonName: UnsafeMutablePointer<CFString?>
) -> OSStatus {
    store(certificate.certificate.commonName.map { $0 as CFString }, at: commonName)
    return errSecSuccess
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The mail addresses in the alternative names and the subject, each once.
///
/// - Parameters:
///   - certificate: a certificate.
///   - emailAddresses: gets an array of strings, which may be empty.
/// - Returns: `errSecSuccess`.
public func SecCertificateCopyEmailAddresses(
    _ certificate: SecCertificate, _ emailAddresses: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    store(certificate.certificate.emailAddresses.map { $0 as NSString } as NSArray, at: emailAddresses)
    return errSecSuccess
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The serial number: the content of its INTEGER.
///
/// - Parameters:
///   - certificate: a certificate.
///   - error: left as it is.
public func SecCertificateCopySerialNumberData(
    _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    Data(certificate.certificate.serialNumber) as NSData
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The issuer's name in DER: what ``kSecAttrIssuer`` finds the certificate by.
///
/// It is given as it stands in the certificate. Apple's keychain changes case and spaces, here names are compared byte
/// for byte.
public func SecCertificateCopyNormalizedIssuerSequence(_ certificate: SecCertificate) -> CFData? {
    Data(certificate.certificate.issuerDER) as NSData
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The subject's name in DER, as it stands in the certificate: what ``kSecAttrSubject`` finds it by.
public func SecCertificateCopyNormalizedSubjectSequence(_ certificate: SecCertificate) -> CFData? {
    Data(certificate.certificate.subjectDER) as NSData
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The certificate's public key; nil for one that is no ``SecKey``, such as Ed25519.
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? {
    (try? PublicKey(certificate.certificate)).flatMap { try? SecKey(.publicKey($0)) }
}
