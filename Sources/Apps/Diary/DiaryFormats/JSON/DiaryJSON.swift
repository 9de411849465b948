import Codecs

/// The door through which mutated inputs reach the readers of other programs' files.
package enum DiaryJSON {
    /// - Returns: whether what was read is the same once it is written and read again, and whether passing over it
    ///   ends where reading it does. Anything but true is a mistake of ours.
    /// - Throws: for what is no JSON.
    package static func holds(_ bytes: [UInt8]) throws -> Bool {
        let value = try JSONReader.read(bytes)
        var reader = JSONReader(bytes)
        guard (try? reader.skip()) != nil, reader.next() == nil else { return false }
        let written = value.encoded
        return (try? JSONReader.read(written)) == value && (try? JSONReader.read(written).encoded) == written
    }
}
