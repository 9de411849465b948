import CLinux
import Glibc

extension ChildProcess {
    /// Starts a program that talks over its standard input and output, which are one socket, and asks a person.
    ///
    /// It stays in this process's session and foreground group, so that it may use our terminal. It gets no argument
    /// but its own path, the environment that is named, and no other descriptor; its standard error is `/dev/null`.
    ///
    /// - Throws: `LinuxError`; `isMissing` where there is no such program.
    package init(
        prompter path: String, environment: [String], socket: borrowing FileDescriptor
    ) throws(LinuxError) {
        var argv: [UnsafeMutablePointer<CChar>?] = unsafe [strdup(path), nil]
        var envp: [UnsafeMutablePointer<CChar>?] = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer { unsafe (argv + envp).forEach { unsafe free($0) } }
        let actions = try Actions(socket: socket.raw)
        let attributes = try Attributes()
        var id: pid_t = 0
        let code = unsafe posix_spawn(&id, path, &actions.value, &attributes.value, &argv, &envp)
        guard code == 0 else { throw LinuxError(call: "posix_spawn", code: code, path: path) }
        self.id = id
    }

    /// Ends it and waits for that: lets it go by itself for `patience` milliseconds, then asks it (SIGTERM), which
    /// gives it the time to put its terminal right, and after `grace` milliseconds kills it.
    ///
    /// Nothing is sent where it is no longer our child, be it that another part of the program has waited for it.
    package func end(patience: UInt32, grace: UInt32) {
        guard !hasEnded(within: patience) else { return }
        _ = Glibc.kill(id, SIGTERM)
        guard !hasEnded(within: grace) else { return }
        kill()
    }

    private func hasEnded(within milliseconds: UInt32) -> Bool {
        var left = milliseconds
        while true {
            var status: Int32 = 0
            let result = unsafe waitpid(id, &status, WNOHANG)
            if result == id || (result < 0 && errno != EINTR) { return true }
            guard left > 0 else { return false }
            let step = min(left, 5)
            SystemClock.sleep(milliseconds: step)
            left -= step
        }
    }
}

/// Which descriptors the program gets.
@safe private final class Actions {
    var value = unsafe posix_spawn_file_actions_t()

    /// Swift imports no posix_spawn_file_actions_addclosefrom_np, so what is open now is closed one by one; closing
    /// what is no longer open is no error.
    init(socket: Int32) throws(LinuxError) {
        unsafe posix_spawn_file_actions_init(&value)
        let others = try FileSystem.names(in: "/proc/self/fd").compactMap { Int32($0) }.filter { $0 > 2 }
        try LinuxError.checkSpawn(unsafe posix_spawn_file_actions_adddup2(&value, socket, 0))
        try LinuxError.checkSpawn(unsafe posix_spawn_file_actions_adddup2(&value, socket, 1))
        try LinuxError.checkSpawn(unsafe posix_spawn_file_actions_addopen(&value, 2, "/dev/null", O_WRONLY, 0))
        for other in others { try LinuxError.checkSpawn(unsafe posix_spawn_file_actions_addclose(&value, other)) }
    }

    deinit { _ = unsafe posix_spawn_file_actions_destroy(&value) }
}

/// No signal is blocked or ignored: either would be inherited.
@safe private final class Attributes {
    var value = posix_spawnattr_t()

    init() throws(LinuxError) {
        var none = sigset_t()
        var all = sigset_t()
        _ = unsafe (posix_spawnattr_init(&value), sigemptyset(&none), sigfillset(&all))
        try LinuxError.checkSpawn(unsafe posix_spawnattr_setsigmask(&value, &none))
        try LinuxError.checkSpawn(unsafe posix_spawnattr_setsigdefault(&value, &all))
        let flags = Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF)
        try LinuxError.checkSpawn(unsafe posix_spawnattr_setflags(&value, flags))
    }

    deinit { _ = unsafe posix_spawnattr_destroy(&value) }
}

extension LinuxError {
    /// The convention of posix_spawn(3) and its kin: the number itself.
    fileprivate static func checkSpawn(_ code: Int32) throws(LinuxError) {
        guard code == 0 else { throw LinuxError(call: "posix_spawn", code: code) }
    }
}
