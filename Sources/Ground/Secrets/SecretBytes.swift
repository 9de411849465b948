package import Linux

/// Bytes that nobody else may see: a passcode, a password, a key.
///
/// They live in locked memory, can be neither copied nor printed, and are wiped when their owner goes away. What they
/// hold is reachable only inside ``withBytes(_:)``; nothing that the closure gets may leave it.
///
///     let secret = try SecretBytes(copying: bytes)
///     let length = secret.withBytes { $0.byteCount }
@safe public struct SecretBytes: ~Copyable, Sendable {
    private var buffer: LockedBuffer

    /// Takes bytes over that lie in locked memory already.
    package init(_ buffer: consuming LockedBuffer) { self.buffer = buffer }

    /// Copies `bytes` into locked memory.
    ///
    /// The source stays as it is; wipe it if it is yours.
    ///
    /// - Parameter bytes: any number of bytes.
    /// - Throws: ``SecretMemoryError`` when the kernel grants no more locked memory (`RLIMIT_MEMLOCK`, see
    /// setrlimit(2)).
    public init(copying bytes: borrowing RawSpan) throws(SecretMemoryError) {
        var copy = try SecretBuffer(capacity: bytes.byteCount)
        try copy.append(bytes)
        self = copy.finish()
    }

    /// Fills `count` bytes from the system's generator.
    package static func makeRandom(count: Int) throws(SecretMemoryError) -> SecretBytes {
        do {
            var buffer = try LockedBuffer(capacity: count)
            try buffer.appendRandom(count: count)
            return SecretBytes(buffer)
        } catch { throw SecretMemoryError() }
    }

    /// How many bytes there are.
    public var count: Int { buffer.count }

    /// What they take of the process's locked memory.
    package var lockedByteCount: Int { buffer.lockedByteCount }

    /// Lends the bytes to `body`, which must not copy them anywhere that outlives the call.
    ///
    /// - Parameter body: gets a span of ``count`` bytes.
    /// - Returns: what `body` returns.
    public borrowing func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(buffer.bytes)
    }

    /// Whether both hold the same bytes, in time that depends on the lengths alone.
    public borrowing func equals(_ other: borrowing SecretBytes) -> Bool {
        other.withBytes { buffer.equalsInConstantTime($0) }
    }

    /// The same bytes once more, in locked memory of their own.
    package borrowing func copy() throws(SecretMemoryError) -> SecretBytes {
        try withBytes { (bytes) throws(SecretMemoryError) in try SecretBytes(copying: bytes) }
    }
}

/// The kernel grants this process no more locked memory, and secrets never go into any other.
///
/// Raise `RLIMIT_MEMLOCK` (see setrlimit(2)) or hold fewer secrets at a time.
public struct SecretMemoryError: Error, Equatable {
    /// Says nothing of what was to be kept.
    package init() {}
}
