import Secrets

/// One large buffer in locked memory that clients of a program use by turns.
///
/// To give such memory back and to take it anew costs more than to seal what came in it: each of its pages is taken out
/// of the kernel's own map and put back (memfd_secret(2)).
package final class SpareBuffer {
    private var buffer: SecretBuffer?

    /// Takes its memory with the first client that needs it.
    package init() {}

    /// Puts the spare one in place of a client's, with what that holds; nothing where it is in use.
    func replace(_ small: inout SecretBuffer) throws(SecretMemoryError) {
        guard var large = buffer.take() else { return }
        try small.withBytes { (bytes) throws(SecretMemoryError) in try large.append(bytes) }
        small = large
    }

    /// Takes an empty buffer that has grown, and leaves a small one; one of them is kept.
    func takeBack(_ large: inout SecretBuffer) {
        guard var other = try? SecretBuffer(capacity: 4096) else { return }
        swap(&large, &other)
        if buffer == nil { buffer = consume other }
    }
}
