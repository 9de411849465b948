public import TresorCoreFoundation
import Secrets

/// A source of randomness; there is one, the system's.
///
/// Code passes ``kSecRandomDefault``.
public final class SecRandomRef: Sendable {
    private init() {}
}

/// The system's generator; nil, as on Apple's platforms.
public let kSecRandomDefault: SecRandomRef? = nil

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Fills memory with random bytes from getrandom(2).
///
///     var key = [UInt8](repeating: 0, count: 32)
///     guard SecRandomCopyBytes(kSecRandomDefault, key.count, &key) == errSecSuccess else { … }
///
/// - Parameters:
///   - generator: ``kSecRandomDefault``.
///   - count: how many bytes; 0 writes none.
///   - bytes: at least `count` bytes of room.
/// - Returns: `errSecSuccess`; `errSecParam` for a negative count; `errSecAllocate` where no locked memory is left.
public func SecRandomCopyBytes(
    _ generator: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer
) -> OSStatus {
    guard count >= 0 else { return errSecParam }
    // Through locked memory, piece by piece: what becomes a key shall have no second copy on the heap.
    do {
        for start in stride(from: 0, to: count, by: 4096) {
            let piece = try SecretBytes.makeRandom(count: min(4096, count - start))
            piece.withBytes { copy($0, to: bytes, at: start) }
        }
        return errSecSuccess
    } catch { return errSecAllocate }
}
