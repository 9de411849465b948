public import Protection

/// A kind of secret that everybody has, with the protection class that Apple documents for it.
///
///     attributes.protectionClass = ItemPreset(name: "wifi")?.protectionClass
///
/// The table is ``all``; its source is the *Apple Platform Security* guide, "Keychain data protection", its table of
/// items.
public struct ItemPreset: Sendable, Hashable {
    /// How the command line names it: lower-case letters and hyphens.
    public let name: String
    /// What it is, in words.
    public let summary: String
    /// When it can be read.
    public let protectionClass: ProtectionClass

    init(_ name: String, _ summary: String, _ protectionClass: ProtectionClass) {
        self.name = name
        self.summary = summary
        self.protectionClass = protectionClass
    }

    /// The preset of this ``name``; nil for any other text.
    public init?(name: String) {
        guard let preset = Self.all.first(where: { $0.name == name }) else { return nil }
        self = preset
    }
}
