import CLinux

/// For a program that draws words: it has to open files behind its sandbox, since Pango looks for a font when it meets
/// the first letter that needs it. So files may be read, under a few folders alone.
extension Sandbox {
    /// Leaves reading fonts, writing to what is open, memory and threads.
    ///
    /// Before any thread is there: both halves bind the calling one, and those that it starts. Fonts are opened later,
    /// so without Landlock every file of the user could be.
    ///
    /// - Returns: whether all of it holds; else nothing may be drawn.
    package static func closeForDrawing() -> Bool {
        do {
            guard try denyFilesButFonts() >= 1 else { return false }
            try restrictToDrawing()
            return true
        } catch { return false }
    }

    /// Denies every path but those of fonts, TCP port, and what else Landlock covers.
    ///
    /// Returns the kernel's Landlock ABI, 0 for none.
    package static func denyFilesButFonts() throws(LinuxError) -> Int {
        Int(try LinuxError.check(cl_landlock_fonts(), "landlock_restrict_self"))
    }

    /// Leaves the system calls of drawing; any other fails with EPERM.
    package static func restrictToDrawing() throws(LinuxError) {
        try LinuxError.check(cl_seccomp_drawing(), "seccomp")
    }
}
