import Certificates
import Linux
import Localization
import TerminalScreen
import Wire

/// Reads the keychains that are made of files, and says what was refused.
enum SystemInput {
    /// What this machine trusts; each deployed file that does not count is named on standard error.
    static func trust() throws -> SystemTrust {
        do {
            let system = try SystemTrust()
            for file in system.refused { Output.error(warning(file)) }
            return system
        } catch let error as CertificateReadError {
            throw CertificateInput.failure(error, TrustRoots.systemPath)
        } catch let error as LinuxError where error.isMissing {
            throw Failure(
                Wire.ExitCode.unavailable, localized("this system has no list of roots at \(TrustRoots.systemPath)"),
                hint: localized("install it (apt install ca-certificates), or use --no-system-roots with --ca"))
        }
    }

    /// One line for each keychain.
    static func lines(_ system: SystemTrust) -> [String] {
        let roots = system.anchors.count { $0.keychain == .systemRoots }
        let deployed = system.anchors.count { $0.keychain == .system }
        var list = count(roots, SystemKeychain.systemRoots) + " (\(TrustRoots.systemPath))"
        if system.skippedCount > 0 {
            list += localized("; \(system.skippedCount) more are of a kind that is refused")
        }
        var own = count(deployed, SystemKeychain.system)
        let below = system.intermediates.count
        if below > 0 {
            own += localized(
                below, one: ", and 1 certificate that may stand below a root",
                many: ", and \(below) certificates that may stand below a root")
        }
        let refused = system.refused.count
        if refused > 0 {
            own += localized(
                refused, one: "; 1 file or folder refused", many: "; \(refused) files or folders refused")
        }
        return [list, own]
    }

    private static func count(_ roots: Int, _ keychain: SystemKeychain) -> String {
        localized(roots, one: "1 root in \(keychain.name)", many: "\(roots) roots in \(keychain.name)")
    }

    /// Names of files are their makers' text; a terminal must not obey them.
    private static func warning(_ file: RefusedFile) -> String {
        localized("tresor: warning: \(SafeText.line(file.path)) is not trusted: \(SafeText.line(file.description))")
    }
}
