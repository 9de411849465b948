/// A lock that waits for the holders of keys and plaintext.
struct Eviction {
    /// In milliseconds of the boot clock.
    let deadline: UInt64
    /// Who is to hear of the lock, and what.
    var answers: [(connection: Connection, reply: [UInt8])] = []
}
