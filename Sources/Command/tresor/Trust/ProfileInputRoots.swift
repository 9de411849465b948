import Certificates
import Localization
import Profiles
import TerminalScreen
import Tresor

/// The roots of installed profiles, as far as they can be read now; without them nothing else is trusted less.
struct ProfileInputRoots {
    private var roots: [ProfileRoots.Root] = []
    private(set) var damagedCount = 0
    /// Why none was read.
    private var problem: String?

    static func read() async -> ProfileInputRoots {
        var input = ProfileInputRoots()
        do {
            let read = try await ProfileRoots.read(try Keychain())
            (input.roots, input.damagedCount) = (read.roots, read.damagedCount)
        } catch let error as TresorError {
            input.problem = Report.words(of: error)
        } catch { input.problem = localized("the keychain cannot be read") }
        return input
    }

    var certificates: [DERCertificate] { roots.map(\.certificate) }
    var documents: [CertificateDocument] {
        roots.map { CertificateDocument($0.certificate, in: nil, profile: $0.profile) }
    }

    /// The first profile that calls it a root.
    func profile(of certificate: DERCertificate) -> String? {
        roots.first { $0.certificate == certificate }?.profile
    }

    /// One line.
    var lines: [String] {
        guard problem == nil else { return [] }
        let profiles = Set(roots.map(\.profile)).sorted().map { SafeText.line($0) }
        let count = localized(roots.count, one: "1 root in Profiles", many: "\(roots.count) roots in Profiles")
        return [count + (profiles.isEmpty ? "" : " (\(profiles.joined(separator: ", ")))")]
    }

    /// Says on standard error what was not looked at.
    func explain() {
        if let problem {
            Output.error(localized("tresor: notice: roots of profiles were not looked at: \(SafeText.line(problem))"))
        }
        if damagedCount > 0 {
            Output.error(
                localized("tresor: warning: \(damagedCount) roots or records of profiles cannot be read; not trusted"))
        }
    }
}
