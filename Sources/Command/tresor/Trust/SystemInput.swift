import Certificates
import Linux
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
                Wire.ExitCode.unavailable, "this system has no list of roots at \(TrustRoots.systemPath)",
                hint: "install it (apt install ca-certificates), or use --no-system-roots with --ca")
        }
    }

    /// One line for each keychain.
    static func lines(_ system: SystemTrust) -> [String] {
        let roots = system.anchors.count { $0.keychain == .systemRoots }
        let deployed = system.anchors.count { $0.keychain == .system }
        let skipped = system.skippedCount == 0 ? "" : "; \(system.skippedCount) more are of a kind that is refused"
        var own = "\(count(deployed, "root")) in \(SystemKeychain.system.name)"
        if !system.intermediates.isEmpty {
            own += ", and \(count(system.intermediates.count, "certificate")) that may stand below a root"
        }
        if !system.refused.isEmpty {
            own += "; \(count(system.refused.count, "file or folder", "files or folders")) refused"
        }
        let list = SystemKeychain.systemRoots.name
        return ["\(count(roots, "root")) in \(list) (\(TrustRoots.systemPath))\(skipped)", own]
    }

    /// Names of files are their makers' text; a terminal must not obey them.
    private static func warning(_ file: RefusedFile) -> String {
        "tresor: warning: \(SafeText.line(file.path)) is not trusted: \(SafeText.line(file.description))"
    }

    private static func count(_ count: Int, _ one: String, _ many: String? = nil) -> String {
        "\(count) \(count == 1 ? one : many ?? one + "s")"
    }
}
