import CLinux

/// Tells systemd how the start of this process goes: sd_notify(3).
///
/// Where nobody wants to know, or cannot be reached, nothing is told.
package struct StartNotice: Sendable {
    private static var variable: String { "NOTIFY_SOCKET" }

    private let address: String?

    /// Whom systemd says to tell; the variable is taken away, so that no program which this one starts speaks for it.
    package static func takeFromEnvironment() -> StartNotice {
        defer { CurrentProcess.removeEnvironment(variable) }
        return StartNotice(address: CurrentProcess.environment(variable))
    }

    /// - Parameter address: an absolute path, or the name of an abstract socket behind `@`; another counts as none.
    package init(address: String?) {
        self.address = address.flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
    }

    /// It serves from now on.
    package func tellReady() { tell("READY=1") }

    /// It does not start; why, in one line.
    package func tellFailure(_ reason: String) {
        tell("STATUS=" + reason.split(separator: "\n", omittingEmptySubsequences: true).joined(separator: " "))
    }

    private func tell(_ text: String) {
        guard let address else { return }
        _ = unsafe cl_notify(address, text)
    }
}
