import Certificates
import FoundationEssentials
import Linux
import Localization
import Profiles
import Secrets
import TerminalScreen
import Wire

/// Reads profiles, and the roots that their signers are trusted by.
enum ProfileInput {
    static func read(_ path: String) throws -> ProfileFile {
        try ProfileFile(try bytes(path) { localized("the profile cannot be read: \($0)") })
    }

    /// Of a file, or as it was given.
    static func identifier(_ text: String) throws -> String {
        guard try FileSystem.status(text)?.isRegular == true else { return text }
        return try read(text).profile.identifier
    }

    /// Nil for a profile that nobody signed.
    static func evaluate(_ file: borrowing ProfileFile, _ authorities: [String]) async throws -> TrustVerdict? {
        guard file.signer != nil else { return nil }
        var more: [DERCertificate] = []
        for path in authorities { more += try certificates(path) }
        let roots = try systemRoots(isNeeded: more.isEmpty).adding(more)
        return try await file.evaluate(roots, at: Date())
    }

    private static func certificates(_ path: String) throws -> [DERCertificate] {
        let bytes = try bytes(path) { localized("the file cannot be read: \($0)") }
        do {
            return try bytes.withBytes { (bytes) throws(CertificateReadError) in
                try CertificateFile(bytes).certificates
            }
        } catch {
            throw Failure(Wire.ExitCode.usage, "\(SafeText.line(path)): \(SafeText.line(error.description))")
        }
    }

    private static func systemRoots(isNeeded: Bool) throws -> TrustRoots {
        do { return try SystemTrust().roots } catch let error as LinuxError where error.isMissing {
            guard isNeeded else { return TrustRoots() }
            throw Failure(
                Wire.ExitCode.unavailable, localized("this system has no list of roots at \(TrustRoots.systemPath)"),
                hint: localized("install it (apt install ca-certificates), or name the signer's root with --ca"))
        } catch let error as CertificateReadError {
            throw Failure(Wire.ExitCode.damaged, "\(TrustRoots.systemPath): \(error.description)")
        }
    }

    /// Into locked memory: a profile has passwords in the clear.
    private static func bytes(_ path: String, _ failure: (String) -> String) throws -> SecretBytes {
        do {
            let file = try FileDescriptor.open(path, FileFlags.readFollowing)
            return SecretBytes(try SecretInput.readAll(file.raw, limit: ProfileFile.byteLimit))
        } catch let error as LinuxError where error.isTooLarge {
            throw Failure(Wire.ExitCode.usage, localized("\(SafeText.line(path)): more than 1 MiB"))
        } catch let error as LinuxError {
            throw Failure(Wire.ExitCode.usage, failure(SafeText.line(error.description)))
        }
    }
}

extension TrustVerdict {
    /// Nil where it is trusted.
    var failure: TrustFailure? {
        if case .untrusted(let failure, _) = self { failure } else { nil }
    }
}
