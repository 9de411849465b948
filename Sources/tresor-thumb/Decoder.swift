import CVips
import Glibc
import ImageSandbox
import Linux

/// libvips, reduced to what a thumbnail of a photograph needs.
///
/// The only file of this program that handles raw memory.
enum Decoder {
    enum Failure: Error { case noLibrary }

    static let longestSide: Int32 = 512
    static let quality: Int32 = 80

    /// What is decoded at most.
    ///
    /// The largest sensors have 150 megapixels, and a JPEG can't be longer on a side.
    static let mostPixels = 200_000_000
    static let longestImageSide: Int32 = 65_535

    /// The loaders for ``ImageKind``, by the names of their classes: from memory only.
    static let loaders = ["Jpeg", "Png", "Nsgif", "Webp", "Heif", "Tiff"].map { "VipsForeignLoad\($0)Buffer" }

    /// Loads libvips and what it needs for these, and blocks the rest of it.
    static func start() throws(Failure) {
        prepareEnvironment()
        guard cvips_use_one_heap() == 0, unsafe cvips_start("tresor-thumb") == 0 else { throw .noLibrary }
        loadModule("vips-heif")
        // One worker; no cache, since there is one image; no code made at run time, which the sandbox forbids.
        vips_concurrency_set(1)
        vips_cache_set_max(0)
        vips_cache_set_max_mem(0)
        vips_cache_set_max_files(0)
        vips_vector_set_enabled(0)
        vips_block_untrusted_set(1)
        unsafe vips_operation_block_set("VipsForeignLoad", 1)
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

    /// The JPEG of the thumbnail; nil when this is no image that may be decoded.
    static func thumbnail(of image: [UInt8]) -> [UInt8]? {
        guard ImageKind(of: image) != nil else { return nil }
        return unsafe image.withUnsafeBytes { bytes in
            guard let plan = unsafe plan(for: bytes) else { return nil }
            return unsafe shrink(bytes, plan)
        }
    }

    /// What is made of an image.
    private struct Plan {
        /// Never longer than the image's.
        let longestSide: Int32
        /// Whether a profile tells its colours.
        ///
        /// Those without one are sRGB already, and a transform would shift them.
        let hasProfile: Bool
    }

    /// By the header alone; nil where the image is too large to be decoded.
    private static func plan(for image: UnsafeRawBufferPointer) -> Plan? {
        guard let header = unsafe cvips_open(image.baseAddress, image.count) else { return nil }
        defer { unsafe g_object_unref(header) }
        let (width, height) = unsafe (vips_image_get_width(header), vips_image_get_height(header))
        guard (1...longestImageSide).contains(width), (1...longestImageSide).contains(height),
            Int(width) * Int(height) <= mostPixels
        else { return nil }
        return Plan(
            longestSide: min(longestSide, max(width, height)), hasProfile: unsafe cvips_has_profile(header) != 0)
    }

    private static func shrink(_ image: UnsafeRawBufferPointer, _ plan: Plan) -> [UInt8]? {
        var small: UnsafeMutablePointer<VipsImage>?
        let profile = plan.hasProfile ? "srgb" : nil
        let result = unsafe cvips_thumbnail(image.baseAddress, image.count, plan.longestSide, profile, &small)
        guard result == 0 else { return nil }
        defer { unsafe g_object_unref(small) }
        guard unsafe vips_image_hasalpha(small) != 0 else { return unsafe jpeg(small) }
        var opaque: UnsafeMutablePointer<VipsImage>?
        guard unsafe cvips_flatten_on_white(small, &opaque) == 0 else { return nil }
        defer { unsafe g_object_unref(opaque) }
        return unsafe jpeg(opaque)
    }

    private static func jpeg(_ image: UnsafeMutablePointer<VipsImage>?) -> [UInt8]? {
        var bytes: UnsafeMutableRawPointer?
        var count = 0
        guard unsafe cvips_write_jpeg(image, quality, &bytes, &count) == 0 else { return nil }
        defer { unsafe g_free(bytes) }
        return unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
    }
}
