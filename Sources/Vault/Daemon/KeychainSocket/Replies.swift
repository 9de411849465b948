import Linux
import Secrets

/// Where replies are put together, one request's at a time.
struct Replies: ~Copyable {
    private static let usual = 64 * 1024

    var buffer: SecretBuffer

    init() throws(SecretMemoryError) { buffer = try SecretBuffer(capacity: Self.usual) }

    /// Wipes what was sent; room that one long reply took is given back.
    mutating func clear() {
        buffer.removeAll()
        guard buffer.storage.capacity > 4 * Self.usual, let fresh = try? SecretBuffer(capacity: Self.usual) else {
            return
        }
        buffer = fresh
    }
}
