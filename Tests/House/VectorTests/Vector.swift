import Checkout
import Foundation
import Secrets
import Testing

/// One file under vectors/: what goes in, what comes out, or which layer refuses.
struct Vector: CustomTestStringConvertible, Sendable {
    let path: String
    let fields: [String: String]

    var testDescription: String { path }

    static let root = Checkout.root.appendingPathComponent("vectors")

    /// The vectors of one spec, by name.
    static func all(_ spec: String) -> [Vector] {
        let folder = root.appendingPathComponent(spec)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".txt") }.sorted().compactMap { name in
            guard let text = try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8) else {
                return nil
            }
            var fields: [String: String] = [:]
            for line in text.split(separator: "\n") {
                guard let colon = line.firstIndex(of: ":") else { continue }
                fields[String(line[..<colon])] = String(line[line.index(after: colon)...].dropFirst())
            }
            return Vector(path: "\(spec)/\(name)", fields: fields)
        }
    }

    /// Nil where the vector succeeds.
    var refusal: String? {
        guard let expect = fields["expect"], expect.hasPrefix("refused") else { return nil }
        return fields["error"] ?? "?"
    }

    subscript(_ name: String) -> String { fields[name] ?? "" }

    func bytes(_ name: String) throws -> [UInt8] {
        guard let text = fields[name] else { throw Missing(name: name) }
        guard let bytes = Hexadecimal.decode(text == "-" ? "" : text) else { throw Missing(name: name) }
        return bytes
    }

    func number(_ name: String) throws -> Int {
        guard let number = Int(self[name]) else { throw Missing(name: name) }
        return number
    }

    func identifier(_ name: String) throws -> Identifier {
        guard let identifier = Identifier(self[name]) else { throw Missing(name: name) }
        return identifier
    }

    func secret(_ name: String) throws -> SecretBytes {
        try bytes(name).withSpan { (span) throws in try SecretBytes(copying: span) }
    }

    struct Missing: Error { let name: String }

    /// The name of the refusal that `body` ended with; nil when it succeeded.
    func outcome(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch let missing as Missing { return "no field \(missing.name)" } catch {
            return "\(error)".split(separator: "(").first.map(String.init)
        }
    }
}

extension SecretBytes {
    var copied: [UInt8] { withBytes { $0.copyToArray() } }
}
