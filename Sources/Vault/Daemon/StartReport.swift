import EnclaveWire
import Linux
import Secrets
import StoreTables
import Wire

/// What is said, and by which exit code, when tresord can't start.
package struct StartReport: Equatable, Sendable {
    /// One line for whoever started it, with what can be done.
    package let text: String
    /// One of `ExitCode`.
    package let exitCode: Int32

    /// Finds the words for what a start threw; what is not expected is said as it is.
    package init(_ error: any Error) {
        switch error {
        case DaemonFailure.alreadyRunning:
            self.init(
                "another tresord serves this home, or its enclave's folder; stop that one with 'tresor down'",
                ExitCode.notPermitted)
        case DaemonFailure.socketTaken(let path):
            self.init(
                "something listens at \(path) already: systemd's tresord.socket, as a rule, which starts tresord for "
                    + "the first program that asks; 'tresor service status' tells", ExitCode.notPermitted)
        case let problem as PassedSockets.Problem:
            self.init(
                "\(problem); tresord.socket has to be the one that came with tresord, for this home",
                ExitCode.unavailable)
        case DaemonFailure.damaged(let path):
            self.init(
                "\(path) is damaged or missing; nothing was changed. Restore it from a copy; 'tresor repair' puts a "
                    + "database together again; or move the whole home away to start anew", ExitCode.damaged)
        case DaemonFailure.newer(let path, let format, let version):
            let wanted = version.map { "install Tresor \($0) or later" } ?? "install that version"
            self.init(
                "\(path) was written by a later version of Tresor, in format \(format), which version \(Version.text) "
                    + "does not know; nothing was changed: \(wanted)", ExitCode.unavailable)
        case DaemonFailure.foreignEnclave(let path):
            self.init(
                "\(path) belongs to another device than the keychain beside it; nothing was changed. Bring back the "
                    + "enclave's folder that belongs to it", ExitCode.damaged)
        case DaemonFailure.notOurs(let path):
            self.init("\(path) belongs to another user or is a link; nothing was changed", ExitCode.notPermitted)
        case let failure as StartFailure:
            self.init(failure)
        case let error as LinuxError where error.isOutOfSpace || error.isReadOnly:
            self.init("\(error); nothing was changed", ExitCode.cannotWrite)
        case let error as LinuxError where error.isOfStorage:
            self.init("\(error): the disk failed", ExitCode.storageFailed)
        case let error as LinuxError where error.isShortOfDescriptors:
            self.init("\(error): \(Self.descriptors)", ExitCode.unavailable)
        case let problem as Home.Problem: self.init("\(problem)", ExitCode.usage)
        case let error as KeychainError where error.reason == .diskFull:
            self.init("\(error): no room is left; nothing was changed", ExitCode.cannotWrite)
        case is SecretMemoryError: self.init(Self.lockedMemory, ExitCode.unavailable)
        default: self.init("\(error)", ExitCode.unavailable)
        }
    }

    private init(_ failure: StartFailure) {
        if failure.exit == .inUse {
            self.init(DaemonFailure.alreadyRunning)
        } else if let path = failure.damagedFile {
            self.init(DaemonFailure.damaged(path))
        } else {
            self.init(
                Self.words(failure), failure.exit == .storage ? ExitCode.storageFailed : ExitCode.unavailable)
        }
    }

    /// Why the enclave did not start, and what to do.
    private static func words(_ failure: StartFailure) -> String {
        switch failure.exit {
        case .memory: lockedMemory
        case .storage: "the enclave's files could not be read or written: look at the disk"
        case .sandbox:
            "the enclave could not close itself off (no_new_privs, seccomp); the kernel, or the container, forbids it"
        case .rootKeyDamaged, .keybagDamaged, .deviceDamaged, .rootKeyOrKeybagDamaged, .inUse, nil:
            words(failure.end)
        }
    }

    private static func words(_ end: ChildProcess.End) -> String {
        switch end {
        case .exited(code: ChildProcess.cannotExecute), .exited(code: ChildProcess.notFound):
            "the enclave's program could not be run: \(descriptors)"
        case .killed(signal: ChildProcess.fileSizeSignal):
            "a file of the enclave's may not become as large as it has to: 'ulimit -f unlimited', LimitFSIZE=infinity"
        case .killed(signal: ChildProcess.killSignal):
            "the enclave was killed, as the kernel does where memory is short: a control group needs 96 MiB"
        case .exited, .killed: "the enclave did not start (\(end))"
        }
    }

    private static let lockedMemory = """
        no locked memory is left; each program of Tresor's needs up to 8 MiB of it: 'ulimit -l 8192', LimitMEMLOCK=8M \
        in a unit, '--ulimit memlock=8388608' for a container
        """
    private static let descriptors = """
        processes or descriptors are short: 'ulimit -n 256' and 'ulimit -u 256' at least, LimitNOFILE= and TasksMax= \
        in a unit
        """

    private init(_ text: String, _ exitCode: Int32) {
        self.text = text
        self.exitCode = exitCode
    }
}
