import CLinux

extension ChildProcess {
    /// Starts a program that turns its standard input into its standard output, with an empty environment.
    ///
    /// It inherits nothing but these two. Its standard error is `/dev/null`: what a program says of untrusted input is
    /// not passed on.
    ///
    /// - Throws: `LinuxError`; `isMissing` where there is no such program.
    package init(
        filter path: String, input: borrowing FileDescriptor, output: borrowing FileDescriptor
    ) throws(LinuxError) {
        let id = unsafe cl_spawn_between(path, input.raw, output.raw)
        self.id = try LinuxError.check(id, "posix_spawn", path: path)
    }
}
