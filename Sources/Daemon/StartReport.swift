import Linux
import Wire

/// What is said, and by which exit code, when tresord can't start.
package struct StartReport: Equatable, Sendable {
    package let text: String
    package let exitCode: Int32

    package init(_ error: any Error) {
        switch error {
        case DaemonFailure.alreadyRunning:
            self.init(
                "another tresord serves this home, or its enclave's folder; stop that one with 'tresor down'",
                ExitCode.notPermitted)
        case DaemonFailure.damaged(let path):
            self.init(
                "\(path) is damaged or missing; nothing was changed. Restore it from a copy, or move the whole home "
                    + "away to start anew", ExitCode.damaged)
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
        case let problem as Home.Problem: self.init("\(problem)", ExitCode.usage)
        default: self.init("\(error)", ExitCode.unavailable)
        }
    }

    private init(_ failure: StartFailure) {
        if failure.end == .exited(code: EnclaveExit.inUse) {
            self.init(DaemonFailure.alreadyRunning)
        } else if let path = failure.damagedFile {
            self.init(DaemonFailure.damaged(path))
        } else {
            self.init("the enclave did not start (\(failure.end))", ExitCode.unavailable)
        }
    }

    private init(_ text: String, _ exitCode: Int32) {
        self.text = text
        self.exitCode = exitCode
    }
}
