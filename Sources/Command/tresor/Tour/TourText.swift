import Linux
import Localization
import Secrets
import Tresor

// What every chapter needs: columns, secrets, and a search through bytes.
extension TourChapter {
    static func pad(_ text: String, _ width: Int = 12) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    static func secret(_ text: String) throws -> SecretBytes {
        try Array(text.utf8).withSpan { (span) throws(SecretMemoryError) in try SecretBytes(copying: span) }
    }

    /// Looks for each word in `bytes`, and says so.
    static func search(_ bytes: [UInt8], for words: [String], width: Int = 22) throws {
        for word in words {
            let found = contains(bytes, Array(word.utf8))
            let sought = pad("'" + word + "'", width)
            try Output.words(
                found ? localized("   search for \(sought) found") : localized("   search for \(sought) not found"))
        }
    }

    /// Bytes from the middle, where contents lie.
    static func sample(_ bytes: [UInt8]) -> String {
        let windows = stride(from: bytes.count / 2, to: bytes.count - 32, by: 8)
        let start = windows.first { !bytes[$0..<$0 + 32].contains(0) } ?? bytes.count / 2
        return Hexadecimal.encode(Array(bytes[start...].prefix(32)))
    }

    private static func contains(_ bytes: [UInt8], _ word: [UInt8]) -> Bool {
        guard bytes.count >= word.count, let first = word.first else { return false }
        var start = bytes.startIndex
        while let next = bytes[start...].firstIndex(of: first) {
            if bytes[next...].starts(with: word) { return true }
            start = next + 1
        }
        return false
    }
}
