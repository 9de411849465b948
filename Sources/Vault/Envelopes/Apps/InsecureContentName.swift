import Crypto

/// MD5 (RFC 1321) of content that comes in pieces: by it Evernote's exports name files.
///
/// Nothing is kept safe by it: who makes two files of one name shows their own note one picture twice.
package struct InsecureContentName {
    private var hash = Insecure.MD5()

    /// The digest of nothing; ``update(_:)`` adds to it.
    package init() {}

    /// Adds the next bytes, from front to back.
    package mutating func update(_ piece: [UInt8]) { hash.update(data: piece) }

    /// The name, 16 bytes.
    package func finish() -> [UInt8] { Array(hash.finalize()) }
}
