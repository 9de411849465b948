import CLinux
import Glibc

/// What is written beside a file or folder, under a name (xattr(7)). It goes with it when it is moved, and stays behind
/// when its content is copied.
extension FileDescriptor {
    /// Nil where there is none; an attribute that is longer than `limit` bytes counts as another value.
    package borrowing func attribute(_ name: String, limit: Int = 256) throws(LinuxError) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: limit)
        let length = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe cl_attribute_get(raw, name, buffer.baseAddress, buffer.count)
        }
        if length == -Int(ENODATA) { return nil }
        if length == -Int(ERANGE) { return [] }
        guard length >= 0 else { throw LinuxError(call: "fgetxattr", code: Int32(-length)) }
        return Array(bytes.prefix(length))
    }

    /// Writes a value beside the file, in the place of the one of that name.
    package borrowing func setAttribute(_ name: String, _ value: [UInt8]) throws(LinuxError) {
        let result = unsafe value.withUnsafeBytes { buffer in
            unsafe cl_attribute_set(raw, name, buffer.baseAddress, buffer.count)
        }
        try LinuxError.check(result, "fsetxattr")
    }

    /// Absence is no error.
    package borrowing func removeAttribute(_ name: String) throws(LinuxError) {
        let result = unsafe cl_attribute_remove(raw, name)
        if result == -ENODATA { return }
        try LinuxError.check(result, "fremovexattr")
    }
}

extension FileFlags {
    /// A file or folder, only to ask about it: neither a link nor a pipe makes it wait or go elsewhere.
    package static let ask = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
}
