import Codecs

/// What makes an entry of Day One's the same at every import.
extension JSONJournal {
    /// `dayone:` and the identity of an entry; where it has none, a fingerprint of its date and text.
    func source(of range: Range<Int>) -> (text: String, isMissing: Bool) {
        var identity: String?
        var reader = JSONReader(bytes, in: range)
        try? reader.eachMember { (member, reader) throws(JSONError) in
            if member == "uuid", reader.next() == UInt8(ascii: "\"") {
                identity = try reader.string()
            } else {
                try reader.skip()
            }
        }
        guard let identity, !identity.isEmpty else {
            let entry = entry(range)
            let what = (entry?["creationDate"]?.string ?? "") + "\n" + (entry?["text"]?.string ?? "")
            return (text: "dayone:" + FileFingerprint.of(what).uppercased(), isMissing: true)
        }
        return (text: "dayone:" + Self.dayOneDigits(identity), isMissing: false)
    }

    /// An identity as Day One writes it: 32 hexadecimal digits in upper case.
    static func dayOneDigits(_ identity: String) -> String {
        let digits = identity.uppercased().filter { $0 != "-" }
        let isHexadecimal = digits.utf8.allSatisfy { (48...57).contains($0) || (65...70).contains($0) }
        return isHexadecimal && digits.utf8.count == 32 ? digits : FileFingerprint.of(identity).uppercased()
    }
}
