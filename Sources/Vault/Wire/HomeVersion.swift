import Linux

/// Which version of Tresor has written to a home last: what an earlier one tells its owner to install.
///
/// Nothing is decided by it: whoever may write to the home may write it. See specs/home.md.
package enum HomeVersion {
    private static let longest = 32

    /// - Returns: such as `0.2.0`; nil where the home has none, or what stands there is no version.
    package static func read(_ home: Home) -> String? {
        guard let bytes = try? FileSystem.read(path(home), limit: longest, followsLinks: false), bytes.last == 0x0A
        else {
            return nil
        }
        let text = String(decoding: bytes.dropLast(), as: UTF8.self)
        return parts(text) == nil ? nil : text
    }

    /// Notes this version, where an earlier one has written to the home last.
    ///
    /// A full disk, or a folder in its place, must not keep a device from starting: nothing is noted then.
    package static func note(_ version: String, in home: Home) {
        if let last = read(home).flatMap(parts), let own = parts(version), !last.lexicographicallyPrecedes(own) {
            return
        }
        try? FileSystem.replace(path(home), with: Array((version + "\n").utf8))
    }

    private static func path(_ home: Home) -> String { home.data + "/version" }

    private static func parts(_ text: String) -> [Int]? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (1...4).contains(parts.count) else { return nil }
        let numbers = parts.compactMap { part in
            part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                ? Int(String(Substring(part))) : nil
        }
        return numbers.count == parts.count ? numbers : nil
    }
}
