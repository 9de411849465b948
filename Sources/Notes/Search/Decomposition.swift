@_spi(_Unicode) import Swift

/// Unicode's canonical decomposition, from the standard library's own tables.
enum Decomposition {
    static func canonical(_ text: String) -> [Unicode.Scalar] { Array(text._nfd) }
}
