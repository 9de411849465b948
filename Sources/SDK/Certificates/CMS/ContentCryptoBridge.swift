// Hashes a content where it lies: swift-crypto takes a pointer, and the content is in locked memory.
import Crypto
import Secrets

/// The hash that signed attributes state of a content (RFC 5652, 11.2).
enum ContentHash {
    static func digest(_ content: RawSpan, _ hash: HashKind) -> [UInt8] {
        switch hash {
        case .sha1: digest(Insecure.SHA1.self, content)
        case .sha256: digest(SHA256.self, content)
        case .sha384: digest(SHA384.self, content)
        case .sha512: digest(SHA512.self, content)
        }
    }

    private static func digest<Hash: HashFunction>(_: Hash.Type, _ content: RawSpan) -> [UInt8] {
        var hash = Hash()
        unsafe content.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
        return Array(hash.finalize())
    }
}
