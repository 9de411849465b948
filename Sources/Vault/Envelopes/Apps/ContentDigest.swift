import Crypto

/// SHA-256 (FIPS 180-4) of content that comes in pieces, such as a program's file.
///
///     var digest = ContentDigest()
///     digest.update(piece)
///     let bytes = digest.finish()
package struct ContentDigest {
    private var hash = SHA256()

    /// The digest of nothing; ``update(_:)`` adds to it.
    package init() {}

    /// Adds the file's next bytes, from front to back.
    package mutating func update(_ piece: [UInt8]) { hash.update(data: piece) }

    /// The digest of all pieces in their order, 32 bytes.
    package func finish() -> [UInt8] { Array(hash.finalize()) }
}
