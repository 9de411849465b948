import Localization
import Secrets

/// One block of a PEM file.
struct PEMBlock: ~Copyable {
    /// What stands after BEGIN.
    let label: String
    /// The line of its BEGIN, counted from 1.
    let line: Int
    let content: SecretBytes
}

/// Reads PEM in the strict form of RFC 7468, section 3, block by block.
///
/// Text between blocks is skipped, as section 2 demands; a line there that begins like a boundary has to be one.
struct PEMReader: ~Escapable {
    private let text: RawSpan
    private var offset = 0
    private var line = 0

    private static let begin = Array("-----BEGIN ".utf8)
    private static let end = Array("-----END ".utf8)
    private static let dashes = Array("-----".utf8)
    private static let longestLabel = 64

    @_lifetime(copy text)
    init(_ text: RawSpan) { self.text = text }

    /// Nil behind the last block.
    mutating func next() throws(CertificateReadError) -> PEMBlock? {
        while offset < text.byteCount {
            let line = nextLine()
            guard line.starts(with: Self.dashes) else { continue }
            let start = self.line
            guard let label = Self.label(line, after: Self.begin) else {
                throw failure(start, localized("a line of dashes that is no BEGIN"))
            }
            return PEMBlock(label: label, line: start, content: try body(label, start))
        }
        return nil
    }

    private mutating func body(_ label: String, _ start: Int) throws(CertificateReadError) -> SecretBytes {
        var bytes = try securing { try SecretBuffer(capacity: 2048) }
        var isLast = false
        while offset < text.byteCount {
            let line = nextLine()
            if line.starts(with: Self.dashes) {
                guard Self.label(line, after: Self.end) == label else {
                    throw failure(self.line, localized("no END \(label)"))
                }
                guard bytes.count > 0 else { throw failure(start, localized("an empty block")) }
                return bytes.finish()
            }
            try refuseHeader(line, label)
            guard !isLast, line.byteCount <= Base64Line.count,
                let isPadded = try securing({ try Base64Line.decode(line, into: &bytes) })
            else { throw failure(self.line, localized("no base64 in lines of 64 characters")) }
            isLast = isPadded || line.byteCount < Base64Line.count
        }
        throw failure(start, localized("BEGIN \(label) has no END; the file is cut short"))
    }

    /// RFC 1421 headers, with which OpenSSL 0.9 marked a key that it had encrypted by MD5 of the passphrase.
    private func refuseHeader(_ line: RawSpan, _ label: String) throws(CertificateReadError) {
        guard line.contains(UInt8(ascii: ":")) else { return }
        throw CertificateReadError(
            .legacyKey, localized("has a header, as OpenSSL's old encryption of keys (Proc-Type: 4,ENCRYPTED) writes"),
            at: [localized("line \(self.line)"), label])
    }

    /// Without its line feed, and a carriage return before that.
    @_lifetime(copy self)
    private mutating func nextLine() -> RawSpan {
        let start = offset
        var end = offset
        while end < text.byteCount, text.byte(at: end) != 0x0A { end += 1 }
        offset = min(end + 1, text.byteCount)
        line += 1
        if end > start, text.byte(at: end - 1) == 0x0D { end -= 1 }
        return text.extracting(start..<end)
    }

    private static func label(_ line: RawSpan, after prefix: [UInt8]) -> String? {
        let count = line.byteCount - prefix.count - dashes.count
        guard count > 0, count <= longestLabel, line.starts(with: prefix) else { return nil }
        let rest = line.extracting(prefix.count..<line.byteCount).copyToArray()
        let label = rest.prefix(count)
        let isPlain = label.allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "-") }
        guard isPlain, Array(rest.suffix(dashes.count)) == dashes else { return nil }
        return String(decoding: label, as: UTF8.self)
    }

    private func failure(_ line: Int, _ message: String) -> CertificateReadError {
        CertificateReadError(.damaged, message, at: [localized("line \(line)")])
    }
}

extension RawSpan {
    fileprivate func starts(with prefix: [UInt8]) -> Bool {
        byteCount >= prefix.count && prefix.indices.allSatisfy { byte(at: $0) == prefix[$0] }
    }

    fileprivate func contains(_ searched: UInt8) -> Bool {
        (0..<byteCount).contains { byte(at: $0) == searched }
    }
}
