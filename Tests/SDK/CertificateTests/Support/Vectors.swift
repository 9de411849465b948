import Foundation
import Secrets

@testable import Certificates

/// The files that make_vectors.py wrote.
enum Vector {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appendingPathComponent("Vectors/\(name)")))
    }

    static func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }

    static func file(_ name: String) throws -> CertificateFile { try read(try bytes(name)) }

    static func certificate(_ name: String) throws -> DERCertificate { try file(name).certificates[0] }

    static func open(_ name: String, _ passphrase: String = "correct horse") throws -> PKCS12Contents {
        try open(try bytes(name), passphrase)
    }

    static func open(_ bytes: [UInt8], _ passphrase: String = "correct horse") throws -> PKCS12Contents {
        let secret = try Self.passphrase(passphrase)
        return try bytes.withSpan { (span) throws(CertificateReadError) in try PKCS12File.open(span, with: secret) }
    }

    static func read(_ bytes: [UInt8]) throws(CertificateReadError) -> CertificateFile {
        try bytes.withSpan { (span) throws(CertificateReadError) in try CertificateFile(span) }
    }

    static func passphrase(_ text: String = "correct horse") throws -> SecretBytes {
        try Array(text.utf8).withSpan { try SecretBytes(copying: $0) }
    }
}

/// What reading something threw, if anything.
func failure(_ body: () throws -> Void) -> CertificateReadError? {
    do { try body() } catch let error as CertificateReadError { return error } catch { return nil }
    return nil
}
