import CLinux

/// What the dynamic loader knows.
package enum SharedLibrary {
    /// The file that a function of this process was loaded from; nil when the loader does not know it.
    package static func path(of function: UnsafeRawPointer) -> String? {
        guard let path = unsafe cl_library_path(function) else { return nil }
        return unsafe String(cString: path)
    }
}
