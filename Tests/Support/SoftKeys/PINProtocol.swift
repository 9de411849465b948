import Crypto
import CryptoExtras
import Foundation

/// What key and platform share for one connection: "PIN/UV auth protocol" one and two of CTAP 2.1, sections 6.5.6 and
/// 6.5.7.
struct SharedSecret {
    private let version: Int64
    private let authenticationKey: SymmetricKey
    private let encryptionKey: SymmetricKey

    /// - Parameter z: the x coordinate of the shared point.
    init?(version: Int64, z: [UInt8]) {
        self.version = version
        switch version {
        case 1:
            authenticationKey = SymmetricKey(data: SHA256.hash(data: z))
            encryptionKey = authenticationKey
        case 2:
            func derive(_ purpose: String) -> SymmetricKey {
                HKDF<SHA256>.deriveKey(
                    inputKeyMaterial: SymmetricKey(data: z), salt: [UInt8](repeating: 0, count: 32),
                    info: Array(purpose.utf8), outputByteCount: 32)
            }
            authenticationKey = derive("CTAP2 HMAC key")
            encryptionKey = derive("CTAP2 AES key")
        default: return nil
        }
    }

    func encrypt(_ plain: [UInt8]) throws -> [UInt8] {
        let iv = version == 1 ? [UInt8](repeating: 0, count: 16) : (0..<16).map { _ in UInt8.random(in: 0...255) }
        let sealed = try AES._CBC.encrypt(plain, using: encryptionKey, iv: AES._CBC.IV(ivBytes: iv), noPadding: true)
        return (version == 1 ? [] : iv) + sealed
    }

    func decrypt(_ sealed: [UInt8]) throws -> [UInt8] {
        let iv = version == 1 ? [UInt8](repeating: 0, count: 16) : Array(sealed.prefix(16))
        let body = version == 1 ? sealed : Array(sealed.dropFirst(16))
        return Array(
            try AES._CBC.decrypt(body, using: encryptionKey, iv: AES._CBC.IV(ivBytes: iv), noPadding: true))
    }

    func authenticates(_ message: [UInt8], _ tag: [UInt8]) -> Bool {
        Self.tag(version, authenticationKey, message) == tag
    }

    static func tag(_ version: Int64, _ key: SymmetricKey, _ message: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: message, using: key).prefix(version == 1 ? 16 : 32))
    }
}
