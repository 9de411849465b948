import CVips
import Glibc
import ImageSandbox
import Linux

/// libvips, reduced to what small pictures of a photograph need.
///
/// The only file of this program that handles raw memory.
struct Decoder {
    enum Failure: Error { case noLibrary }

    private let image: [UInt8]
    private let kind: ImageKind

    init(_ image: [UInt8], _ kind: ImageKind) {
        self.image = image
        self.kind = kind
    }

    /// How large a picture is made, and how well it is kept.
    private struct Size {
        let longestSide: Int32
        let quality: Int32

        static let thumbnail = Size(longestSide: 512, quality: 80)
        static let preview = Size(longestSide: 2048, quality: 85)
        static let full = Size(longestSide: longestImageSide, quality: 92)
    }

    /// What is decoded at most.
    ///
    /// The largest sensors have 150 megapixels, and a JPEG can't be longer on a side.
    private static let mostPixels = 200_000_000
    private static let longestImageSide: Int32 = 65_535

    /// The facts and a thumbnail, and a preview where one is asked for: then the image is decoded for that alone.
    func pictures(withPreview: Bool) throws(ImageRefusal) -> ImageAnswer {
        let header = try openHeader()
        guard withPreview else { return .pictures(header.facts, thumbnail: try make(.thumbnail, header), preview: nil) }
        let large = try shrink(to: .preview, header)
        let small = try large.shrunk(to: Size.thumbnail.longestSide, profile: nil)
        return .pictures(
            header.facts, thumbnail: try small.jpeg(Size.thumbnail.quality),
            preview: try large.jpeg(Size.preview.quality))
    }

    /// What its header says.
    func facts() throws(ImageRefusal) -> ImageFacts { try openHeader().facts }

    /// What is seen, in a size that fits a square of so many pixels.
    func pixels(longestSide: Int32) throws(ImageRefusal) -> PixelImage {
        let header = try openHeader()
        return try shrink(to: Size(longestSide: longestSide, quality: 0), header).pixels()
    }

    /// A JPEG of all pixels.
    func fullSize() throws(ImageRefusal) -> [UInt8] { try make(.full, openHeader()) }

    private func make(_ size: Size, _ header: Header) throws(ImageRefusal) -> [UInt8] {
        try shrink(to: size, header).jpeg(size.quality)
    }

    /// A profile that can't be used is passed over: then the colours are somewhat wrong, and the picture is there.
    private func shrink(to size: Size, _ header: Header) throws(ImageRefusal) -> Picture {
        let side = min(size.longestSide, header.longestSide)
        // Those without a profile are sRGB already, and a transform would shift them.
        guard header.hasProfile else { return try shrink(to: side, header, profile: nil) }
        do { return try shrink(to: side, header, profile: "srgb") } catch {
            return try shrink(to: side, header, profile: nil)
        }
    }

    private func shrink(to side: Int32, _ header: Header, profile: String?) throws(ImageRefusal) -> Picture {
        let small = unsafe image.withUnsafeBytes { bytes -> Picture? in
            if kind == .jpeg {
                let loaded = unsafe Picture(
                    cvips_load_jpeg(bytes.baseAddress, bytes.count, header.shrinkOnLoad(for: side)))
                // Its pixels are read from these bytes: they are all in the small one before the bytes go.
                return loaded.flatMap { try? $0.shrunk(to: side, profile: profile).inMemory() }
            }
            var small: UnsafeMutablePointer<VipsImage>?
            guard unsafe cvips_thumbnail(bytes.baseAddress, bytes.count, side, profile, &small) == 0 else { return nil }
            return unsafe Picture(small).flatMap { try? $0.inMemory() }
        }
        guard let small else { throw Self.reason(kind) }
        return try small.opaque()
    }

    private static func reason(_ kind: ImageKind) -> ImageRefusal {
        kind == .heif && cvips_lacks_feature() != 0 ? .unsupported : .damaged
    }

    /// Refused by the header alone where the image is too large to be decoded.
    private func openHeader() throws(ImageRefusal) -> Header {
        let header = unsafe image.withUnsafeBytes { bytes -> Header? in
            unsafe Picture(cvips_open(bytes.baseAddress, bytes.count)).map(Header.init)
        }
        guard var header else { throw Self.reason(kind) }
        guard (1...Self.longestImageSide).contains(header.width), (1...Self.longestImageSide).contains(header.height)
        else { throw .damaged }
        guard Int(header.width) * Int(header.height) <= Self.mostPixels else { throw .tooManyPixels }
        readDirectory(into: &header.facts)
        return header
    }

    /// Of TIFF files libvips tells no more than the orientation.
    private func readDirectory(into facts: inout ImageFacts) {
        guard kind == .tiff, let directory = TIFFDirectory(image[...]) else { return }
        facts.wallClock = directory.text(0x0132).flatMap(CameraClock.seconds)
        facts.camera = CameraName.joined(make: directory.text(0x010F), model: directory.text(0x0110))
    }
}

/// An image of libvips, given back with this value.
@safe private final class Picture {
    let pointer: UnsafeMutablePointer<VipsImage>

    init?(_ pointer: UnsafeMutablePointer<VipsImage>?) {
        guard let pointer = unsafe pointer else { return nil }
        unsafe self.pointer = pointer
    }

    deinit { unsafe g_object_unref(pointer) }

    private typealias Make = (UnsafeMutablePointer<UnsafeMutablePointer<VipsImage>?>) -> Int32

    private static func make(_ make: Make) throws(ImageRefusal) -> Picture {
        var made: UnsafeMutablePointer<VipsImage>?
        guard unsafe make(&made) == 0, let picture = unsafe Picture(made) else { throw .damaged }
        return picture
    }

    func shrunk(to side: Int32, profile: String?) throws(ImageRefusal) -> Picture {
        try unsafe Self.make { unsafe cvips_thumbnail_image(pointer, side, profile, $0) }
    }

    /// The same with all its pixels computed.
    func inMemory() throws(ImageRefusal) -> Picture {
        guard let copy = unsafe Picture(vips_image_copy_memory(pointer)) else { throw .damaged }
        return copy
    }

    func opaque() throws(ImageRefusal) -> Picture {
        guard unsafe vips_image_hasalpha(pointer) != 0 else { return self }
        return try unsafe Self.make { unsafe cvips_flatten_on_white(pointer, $0) }
    }

    /// Eight bits each of red, green and blue, whatever it had before.
    func pixels() throws(ImageRefusal) -> PixelImage {
        let coloured = try unsafe Self.make { unsafe cvips_to_srgb(pointer, $0) }
        var count = 0
        guard let memory = unsafe vips_image_write_to_memory(coloured.pointer, &count) else { throw .damaged }
        defer { unsafe g_free(memory) }
        let width = Int(unsafe vips_image_get_width(coloured.pointer))
        let height = Int(unsafe vips_image_get_height(coloured.pointer))
        let bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: memory, count: count))
        guard let image = PixelImage(width: width, height: height, bytes) else { throw .damaged }
        return image
    }

    func jpeg(_ quality: Int32) throws(ImageRefusal) -> [UInt8] {
        var bytes: UnsafeMutableRawPointer?
        var count = 0
        guard unsafe cvips_write_jpeg(pointer, quality, &bytes, &count) == 0 else { throw .damaged }
        defer { unsafe g_free(bytes) }
        return unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
    }

    /// The text of a field of the metadata; nil where there is none.
    func text(_ name: String) -> String? {
        guard let text = unsafe cvips_text(pointer, name) else { return nil }
        return unsafe String(cString: text)
    }

    /// The bytes of a field of the metadata; empty where there is none.
    func blob(_ name: String) -> [UInt8] {
        var count = 0
        guard let bytes = unsafe cvips_blob(pointer, name, &count) else { return [] }
        return unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
    }
}

/// What an image says of itself before any pixel is decoded.
private struct Header {
    let width: Int32
    let height: Int32
    let hasProfile: Bool
    var facts: ImageFacts

    init(_ image: Picture) {
        width = unsafe vips_image_get_width(image.pointer)
        height = unsafe vips_image_get_height(image.pointer)
        hasProfile = unsafe cvips_has_profile(image.pointer) != 0
        // The seventh bit of TIFF's numbers is the one that lays a picture on its side.
        let isOnItsSide = unsafe vips_image_get_orientation(image.pointer) > 4
        var facts = ImageFacts(
            width: Int(isOnItsSide ? height : width), height: Int(isOnItsSide ? width : height))
        facts.read(image)
        self.facts = facts
    }

    var longestSide: Int32 { max(width, height) }

    /// By how much a JPEG's own transform makes it smaller, which costs little; the rest is left for a better filter.
    func shrinkOnLoad(for side: Int32) -> Int32 { [8, 4, 2].first { longestSide >= side * $0 * 3 / 2 } ?? 1 }
}

extension ImageFacts {
    fileprivate mutating func read(_ image: Picture) {
        let upright = Int(unsafe vips_image_get_orientation(image.pointer))
        // Those of HEIC are turned by their container, and what Exif says is kept beside it.
        orientation = (2...8).contains(upright) ? upright : ExifOrientation.read(image.blob("exif-data")[...])
        let clocks = [
            ("ifd2-DateTimeOriginal", "OffsetTimeOriginal"), ("ifd2-DateTimeDigitized", "OffsetTimeDigitized"),
            ("ifd0-DateTime", "OffsetTime"),
        ]
        for (clock, offset) in clocks where wallClock == nil {
            guard let seconds = image.exif(clock).flatMap(CameraClock.seconds) else { continue }
            wallClock = seconds
            offsetMinutes = image.exif("ifd2-\(offset)").flatMap(CameraClock.offsetMinutes)
        }
        camera = CameraName.joined(make: image.exif("ifd0-Make"), model: image.exif("ifd0-Model"))
        let entries = ["Latitude", "LatitudeRef", "Longitude", "LongitudeRef"].compactMap {
            image.text("exif-ifd3-GPS\($0)")
        }
        if entries.count == 4 {
            place = ImagePlace(latitude: entries[0], entries[1], longitude: entries[2], entries[3])
        }
    }
}

extension Picture {
    fileprivate func exif(_ name: String) -> String? { text("exif-\(name)").flatMap(MetadataText.text) }
}

extension Decoder {
    /// Their loaders, by the names of their classes: from memory only.
    private static func loader(of kind: ImageKind) -> String {
        let name =
            switch kind {
            case .jpeg: "Jpeg"
            case .png: "Png"
            case .gif: "Nsgif"
            case .webp: "Webp"
            case .heif: "Heif"
            case .tiff: "Tiff"
            }
        return "VipsForeignLoad\(name)Buffer"
    }

    /// Loads libvips and what it needs for one kind, or for all, and blocks the rest of it.
    static func start(for kind: ImageKind?) throws(Failure) {
        prepareEnvironment()
        guard cvips_use_one_heap() == 0, unsafe cvips_start("tresor-thumb") == 0 else { throw .noLibrary }
        // Half a dozen libraries, which take longer to load than a thumbnail to make.
        if kind == nil || kind == .heif { loadModule("vips-heif") }
        // One worker; no cache, since there is one image; no code made at run time, which the sandbox forbids.
        vips_concurrency_set(1)
        vips_cache_set_max(0)
        vips_cache_set_max_mem(0)
        vips_cache_set_max_files(0)
        vips_vector_set_enabled(0)
        vips_block_untrusted_set(1)
        try allowOnly(kind)
    }

    /// Blocks all loaders but that of one kind, or of those that are decoded.
    static func allowOnly(_ kind: ImageKind?) throws(Failure) {
        unsafe vips_operation_block_set("VipsForeignLoad", 1)
        let loaders = (kind.map { [$0] } ?? ImageKind.allCases).map(loader)
        for loader in loaders { unsafe vips_operation_block_set(loader, 0) }
        guard loaders.allSatisfy({ unsafe g_type_from_name($0) != 0 }) else { throw .noLibrary }
    }

    /// Loads one of the modules beside libvips, of which it would load all if it were not told of another folder.
    ///
    /// None is missed here: where libvips has the loader built in, there is no such file.
    private static func loadModule(_ name: String) {
        guard let library = unsafe SharedLibrary.path(of: cvips_anchor()) else { return }
        let folder = "\(FileSystem.directory(of: library))/vips-modules-\(vips_version(0)).\(vips_version(1))"
        guard let module = unsafe g_module_open("\(folder)/\(name).so", G_MODULE_BIND_LOCAL) else { return }
        unsafe g_module_make_resident(module)
    }

    private static func prepareEnvironment() {
        // A folder without modules: blocked loaders too look at an image's first bytes, to recognise it, and those of
        // ImageMagick and poppler read their settings then.
        CurrentProcess.setEnvironment("VIPSHOME", "/dev/null")
        // Nothing goes to a temporary file, whatever its size; libvips would begin at 100 MB.
        CurrentProcess.setEnvironment("VIPS_DISC_THRESHOLD", "1024g")
        // libvips dates what it makes. A zone without a file, looked up now, is not looked up again.
        CurrentProcess.setEnvironment("TZ", "UTC0")
        tzset()
    }
}
