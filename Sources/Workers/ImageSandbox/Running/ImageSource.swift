package import Linux

/// Where the bytes of an image come from, part by part, so that nobody has to hold all of them.
package struct ImageSource {
    /// Lends bytes from an offset on, one or more of them, to a closure that writes what fits, and answers what that
    /// answered.
    package typealias Lend = (
        _ offset: Int, _ write: (RawSpan) throws(LinuxError) -> Transfer
    ) throws -> Transfer

    /// The first bytes, by which the kind of image is known.
    package let beginning: [UInt8]
    /// Of the whole image.
    package let byteCount: Int
    let lend: Lend

    /// - Parameters:
    ///   - beginning: the first bytes, ``ImageKind/headerByteCount`` where there are so many.
    ///   - lend: is called until all bytes are written, and released then; what it throws ends the run.
    package init(beginning: [UInt8], byteCount: Int, lend: @escaping Lend) {
        self.beginning = beginning
        self.byteCount = byteCount
        self.lend = lend
    }

    /// An image that is in memory as a whole.
    package init(_ bytes: [UInt8]) {
        self.init(beginning: Array(bytes.prefix(ImageKind.headerByteCount)), byteCount: bytes.count) { offset, write in
            try write(unsafe bytes.span.bytes.extracting(droppingFirst: offset))
        }
    }
}
