/// Names of access groups: who may use one follows from how it begins.
///
/// | group | whose it is |
/// | --- | --- |
/// | `PREFIX.name` | a developer's, whose key gives the prefix |
/// | `group.name` | of the developer whose app named it first |
/// | `tresor.name` | one of Tresor's own programs |
/// | `user` | the owner's: the command `tresor`, and whom the owner lets in |
/// | `sandbox.`, `unit.`, `path.`, `sha256.`, `interpreter.` and a name | a program that no manifest names |
package enum AccessGroup {
    /// The owner's own: of the command `tresor`, and of whom the owner lets in.
    package static let owner = "user"
    /// Where notes keep their keys.
    package static let notes = "tresor.notes"
    /// Where the diary keeps its key, and the hash of its password.
    package static let diary = "tresor.diary"
    /// Where widgets keep the keys of their timelines.
    package static let widgets = "tresor.widgets"
    /// How the groups of Tresor's own programs begin.
    package static let ourPrefix = "tresor."
    /// In bytes of UTF-8.
    package static let longest = 256
    /// How many one program reaches.
    package static let mostReached = 160
    /// Characters of a developer's prefix.
    package static let prefixCount = 16
    private static let applicationPrefix = "group."

    /// Whether a developer of this prefix may give it to an app.
    package static func isOf(prefix: String, _ group: String) -> Bool {
        isName(group) && group.utf8.count > prefix.utf8.count + 1 && group.hasPrefix(prefix + ".")
    }

    /// Whether it is the name of a group of apps, which is bound to the key of the first developer who uses it.
    package static func isApplicationGroup(_ group: String) -> Bool {
        isName(group) && group.hasPrefix(applicationPrefix) && isBundleIdentifier(String(group.dropFirst(6)))
    }

    /// Whether tresord could give this name to a program: an application identifier, or a private group.
    package static func isProgram(_ name: String) -> Bool {
        guard isName(name) else { return false }
        for prefix in ["path./", "interpreter./", "interpreter.sha256.", "sha256.", "sandbox.", "unit."]
        where name.hasPrefix(prefix) { return name.utf8.count > prefix.utf8.count }
        let parts = name.split(separator: ".", maxSplits: 1)
        return parts.count == 2 && parts[0].utf8.count == prefixCount && isBundleIdentifier(String(parts[1]))
    }

    /// Letters and digits of ASCII, `-` and `.`, in parts that are not empty; at least two parts.
    package static func isBundleIdentifier(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count >= 2 && text.utf8.count <= 155
            && parts.allSatisfy { part in !part.isEmpty && part.allSatisfy(isWordCharacter) }
    }

    /// Printable ASCII without spaces, not too long.
    package static func isName(_ text: String) -> Bool {
        (1...longest).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
    }

    private static func isWordCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
