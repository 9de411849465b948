import Linux

/// A descriptor that a closure can hold.
final class OpenFile {
    let descriptor: FileDescriptor

    init(_ path: String, _ flags: Int32) throws(LinuxError) { descriptor = try FileDescriptor.open(path, flags) }
}
