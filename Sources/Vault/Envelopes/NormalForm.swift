@_spi(_Unicode) import Swift

/// Unicode's Normalization Form C, from the standard library's own tables.
enum NormalForm {
    static func composed(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text._nfc { scalars.append(scalar) }
        return String(scalars)
    }
}
