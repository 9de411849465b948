import Foundation
import Testing
import Thoroughness

@testable import Certificates

/// Chains that make_chains.py makes, of each kind several, judged by OpenSSL and by us.
@Suite struct Chains {
    struct Chain: Decodable {
        let folder: String
        let kind: String
        let host: String
        let at: Double
        /// OpenSSL's X509_V_ERR numbers.
        let errors: [Int]
    }

    @Test(
        .enabled(if: Tools.hasOpenSSL, "openssl is not installed"),
        .enabled(if: Tools.hasPythonCryptography, "python3 has no module cryptography (TRESOR_PYTHON names another)"))
    func `every chain is trusted or not as OpenSSL says, and for its reason`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("chains-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let seed = ProcessInfo.processInfo.environment["TRESOR_SEED"] ?? "1"
        let script = Vector.folder.appendingPathComponent("make_chains.py").path
        // There are twenty-five kinds.
        let count = Thoroughness.count(50, soak: 200)
        let run = try Tools.run(Tools.python, [script, folder.path, "--seed", seed, "--count", "\(count)"])
        try #require(run.status == 0)
        let chains = try JSONDecoder().decode([Chain].self, from: Data(run.output.utf8))
        #expect(chains.count == count)
        var differences: [String] = []
        for chain in chains {
            let verdict = try await judge(chain, folder.appendingPathComponent(chain.folder))
            if !Self.agree(verdict, chain.errors) {
                let own = verdict.reason.map { "\($0)" } ?? "trusted"
                differences.append("\(chain.folder) \(chain.kind): OpenSSL \(chain.errors), Tresor \(own)")
            }
        }
        #expect(differences == [])
    }

    private func judge(_ chain: Chain, _ folder: URL) async throws -> TrustVerdict {
        let leaf = try read(folder, "leaf.pem")[0]
        let roots = TrustRoots(try read(folder, "roots.pem"))
        let name = try #require(ServerName(chain.host))
        let evaluation = try TrustEvaluation(roots: roots, intermediates: try read(folder, "intermediates.pem"))
        return await evaluation.evaluate(leaf, for: .tlsServer(name), at: Date(timeIntervalSince1970: chain.at))
    }

    private func read(_ folder: URL, _ name: String) throws -> [DERCertificate] {
        guard let data = try? Data(contentsOf: folder.appendingPathComponent(name)) else { return [] }
        return try Vector.read([UInt8](data)).certificates
    }

    /// Whether OpenSSL names our reason among its own (include/openssl/x509_vfy.h).
    private static func agree(_ verdict: TrustVerdict, _ errors: [Int]) -> Bool {
        guard let reason = verdict.reason else { return errors.isEmpty }
        let numbers: Set<Int> =
            switch reason {
            case .expired: [10]
            case .notYetValid: [9]
            case .unknownRoot: [18, 19]
            case .unknownIssuer: [20]
            case .wrongName: [62, 64]
            case .pathLength: [25]
            case .nameConstraints: [47, 48]
            case .notAuthority: [79]
            // An issuer whose key cannot have made the signature is none for OpenSSL: 20.
            case .badSignature: [7, 20]
            case .unsupportedCriticalExtension: [34]
            case .wrongPurpose: [26]
            case .malformed, .tooManyPaths, .weakSignature: []
            }
        return !numbers.isDisjoint(with: errors)
    }
}
