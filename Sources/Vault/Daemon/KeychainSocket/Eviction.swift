/// A lock that waits for the holders of keys and plaintext.
struct Eviction {
    /// When who is late is killed, or who was killed and has not ended is given up; in milliseconds of the boot clock.
    var deadline: UInt64
    /// Who is to hear of the lock, and what.
    var answers: [(connection: Connection, reply: [UInt8])] = []
}
