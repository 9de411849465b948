import Secrets
package import Tresor

/// Exports of password managers that are no CSV files, told apart by their first bytes.
///
///     if let format = file.withBytes({ KeychainFormat($0) }) { plan = try format.read(file) }
package enum KeychainFormat: Sendable {
    /// Bitwarden's.
    case json
    /// KeePass 2's.
    case xml
    /// A KeePass database, which is told by name and not read.
    case database

    /// Nil for what is perhaps a CSV file.
    package init?(_ file: RawSpan) {
        if file.begins(with: [0x03, 0xD9, 0xA2, 0x9A]) {
            self = .database
            return
        }
        var at = file.begins(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while at < file.byteCount, [0x20, 0x09, 0x0A, 0x0D].contains(file.byte(at: at)) { at += 1 }
        guard at < file.byteCount else { return nil }
        switch file.byte(at: at) {
        case UInt8(ascii: "{"), UInt8(ascii: "["): self = .json
        case UInt8(ascii: "<"): self = .xml
        default: return nil
        }
    }

    /// Reads and checks a file of this format, and writes nothing.
    ///
    /// - Throws: ``KeychainFormatError``; `SecretMemoryError`. Entries that can't become items are in the plan's
    ///   ``CSVImport/badRows``.
    package func read(_ file: borrowing SecretBytes) throws -> CSVImport {
        switch self {
        case .json: try file.withBytes { try BitwardenReader.read($0) }
        case .xml: try file.withBytes { try KeePassReader.read($0) }
        case .database: throw KeychainFormatError(.database)
        }
    }
}

extension RawSpan {
    fileprivate func begins(with bytes: [UInt8]) -> Bool {
        byteCount >= bytes.count && bytes.indices.allSatisfy { byte(at: $0) == bytes[$0] }
    }
}
