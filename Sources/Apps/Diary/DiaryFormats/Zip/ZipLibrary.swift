// The one file of this target that touches raw pointers: libzip takes nothing else.
import CZip
import Linux

/// A zip file open for reading; libzip's handle, closed with its owner.
@safe final class ZipInput {
    /// What the directory of the archive says of a member; none of it is to be believed.
    struct Listing {
        var name: [UInt8]
        var byteCount: UInt64
        var packedByteCount: UInt64
        var isEncrypted: Bool
        /// Stored or deflated.
        var isReadable: Bool
    }

    private let handle: OpaquePointer

    /// - Throws: `damaged` for what is no zip file.
    init(_ file: consuming FileDescriptor) throws(DiaryFormatError) {
        let raw = file.release()
        var code: Int32 = 0
        guard let opened = unsafe zip_fdopen(raw, 0, &code) else {
            _ = FileDescriptor(owning: raw)
            throw .damaged
        }
        unsafe handle = opened
    }

    deinit { unsafe zip_discard(handle) }

    var memberCount: Int { max(0, Int(clamping: unsafe zip_get_num_entries(handle, 0))) }

    /// - Parameter index: below ``memberCount``.
    func listing(at index: Int) -> Listing? {
        var info = unsafe zip_stat_t()
        guard unsafe zip_stat_index(handle, UInt64(index), zip_flags_t(ZIP_FL_UNCHANGED), &info) == 0,
            let name = unsafe info.name
        else { return nil }
        var bytes: [UInt8] = []
        while case let byte = unsafe UInt8(bitPattern: name[bytes.count]), byte != 0 { bytes.append(byte) }
        return unsafe Listing(
            name: bytes, byteCount: info.size, packedByteCount: info.comp_size,
            isEncrypted: info.encryption_method != UInt16(ZIP_EM_NONE),
            isReadable: info.comp_method == UInt16(ZIP_CM_STORE) || info.comp_method == UInt16(ZIP_CM_DEFLATE))
    }

    /// Begins to unpack a member.
    func open(memberAt index: Int) throws(DiaryFormatError) -> ZipMemberInput {
        guard let member = unsafe zip_fopen_index(handle, UInt64(index), 0) else { throw .damaged }
        return unsafe ZipMemberInput(member, of: self)
    }
}

/// A member that is being unpacked.
@safe final class ZipMemberInput {
    private let handle: OpaquePointer
    /// libzip reads through it.
    private let archive: ZipInput

    fileprivate init(_ handle: OpaquePointer, of archive: ZipInput) {
        unsafe self.handle = handle
        self.archive = archive
    }

    deinit { unsafe zip_fclose(handle) }

    /// The next part; none at the end, where libzip has compared the checksum.
    func next() throws(DiaryFormatError) -> [UInt8] {
        var got: Int64 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: mediaPart) { target, count in
            got = unsafe zip_fread(handle, target.baseAddress, UInt64(target.count))
            count = Int(max(got, 0))
        }
        guard got >= 0 else { throw .damaged }
        return bytes
    }
}

/// A zip file that is being written: members are named first, and their bytes asked for at the end.
@safe final class ZipOutput {
    /// Bytes of a member from an offset on; none at its end.
    typealias Content = (_ offset: UInt64) throws -> [UInt8]

    private var handle: OpaquePointer?
    private var sources: [Source] = []

    /// Writes over an empty file, whose mode the archive keeps.
    init(overwriting path: String) throws(DiaryFormatError) {
        var code: Int32 = 0
        guard let opened = unsafe zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &code) else {
            throw .cannotWrite(isFull: false)
        }
        unsafe handle = opened
    }

    deinit { if let handle = unsafe handle { unsafe zip_discard(handle) } }

    /// - Parameters:
    ///   - byteCount: of the content, which must keep to it.
    ///   - modified: seconds since 1970, UTC.
    func add(
        _ name: String, byteCount: UInt64, modified: Int64, isPacked: Bool, _ content: @escaping Content
    ) throws(DiaryFormatError) {
        let source = Source(content, byteCount: byteCount, modified: modified)
        let user = unsafe Unmanaged.passUnretained(source).toOpaque()
        guard let made = unsafe zip_source_function(handle, Source.answer, user) else {
            throw .cannotWrite(isFull: false)
        }
        let index = unsafe zip_file_add(handle, name, made, zip_flags_t(ZIP_FL_ENC_UTF_8))
        guard index >= 0 else {
            unsafe zip_source_free(made)
            throw .cannotWrite(isFull: false)
        }
        sources.append(source)
        let method = isPacked ? ZIP_CM_DEFLATE : ZIP_CM_STORE
        guard unsafe zip_set_file_compression(handle, UInt64(index), zip_int32_t(method), 0) == 0 else {
            throw .cannotWrite(isFull: false)
        }
    }

    /// Asks every member for its bytes, and puts the archive in place.
    ///
    /// - Throws: what a member's content throws; else ``DiaryFormatError``.
    func finish() throws {
        guard let open = unsafe handle else { throw DiaryFormatError.cannotWrite(isFull: false) }
        guard unsafe zip_close(open) != 0 else {
            unsafe handle = nil
            return
        }
        let code = unsafe zip_error_code_system(zip_get_error(open))
        let isFull = LinuxError(call: "write", code: code).isOutOfSpace
        throw sources.lazy.compactMap(\.failure).first ?? DiaryFormatError.cannotWrite(isFull: isFull)
    }
}

/// One member's content, as libzip asks for it.
private final class Source {
    private let content: ZipOutput.Content
    private let byteCount: UInt64
    private let modified: Int64
    private var offset: UInt64 = 0
    private var rest: ArraySlice<UInt8> = []
    private(set) var failure: (any Error)?

    init(_ content: @escaping ZipOutput.Content, byteCount: UInt64, modified: Int64) {
        self.content = content
        self.byteCount = byteCount
        self.modified = modified
    }

    static let answer: zip_source_callback = { user, data, length, command in
        guard let user = unsafe user else { return -1 }
        let source = unsafe Unmanaged<Source>.fromOpaque(user).takeUnretainedValue()
        switch command {
        case ZIP_SOURCE_SUPPORTS: return czip_readable_source()
        case ZIP_SOURCE_OPEN: return source.begin()
        case ZIP_SOURCE_READ:
            return unsafe source.read(into: UnsafeMutableRawBufferPointer(start: data, count: Int(length)))
        case ZIP_SOURCE_STAT: return unsafe czip_report_size(data, source.byteCount, time_t(source.modified))
        case ZIP_SOURCE_ERROR: return unsafe czip_report_failure(data)
        case ZIP_SOURCE_CLOSE, ZIP_SOURCE_FREE: return 0
        default: return -1
        }
    }

    private func begin() -> Int64 {
        offset = 0
        rest = []
        return 0
    }

    private func read(into target: UnsafeMutableRawBufferPointer) -> Int64 {
        do {
            if rest.isEmpty {
                rest = try content(offset)[...]
                offset += UInt64(rest.count)
                guard offset <= byteCount, !rest.isEmpty || offset == byteCount else {
                    throw DiaryFormatError.damaged
                }
            }
        } catch {
            failure = failure ?? error
            return -1
        }
        let count = min(rest.count, target.count)
        unsafe target.copyBytes(from: rest.prefix(count))
        rest = rest.dropFirst(count)
        return Int64(count)
    }
}
