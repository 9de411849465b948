/// The one entry of Exif that a picture is drawn from: which way is up.
package enum ExifOrientation {
    /// TIFF 6.0: Orientation, of type SHORT.
    private static let tag = 0x0112

    /// 1 to 8; 1 where there is none, or none that means anything.
    ///
    /// - Parameter exif: a TIFF header and what follows, with or without the `Exif` that stands before it in a JPEG.
    package static func read(_ exif: ArraySlice<UInt8>) -> Int {
        let tiff = exif.starts(with: prefix) ? exif.dropFirst(prefix.count) : exif
        guard let directory = TIFFDirectory(tiff), let value = directory.short(tag), (1...8).contains(value) else {
            return 1
        }
        return value
    }

    /// What stands before the TIFF header in a JPEG's segment.
    static let prefix = Array("Exif".utf8) + [0, 0]

    /// A TIFF header, and a directory with this one entry.
    static func tiff(_ orientation: Int) -> [UInt8] {
        [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(clamping: orientation), 0, 0]
            + [0, 0, 0, 0]
    }
}
