public import Protection

/// A kind of secret that everybody has, with the protection class that Apple documents for it.
///
///     attributes.protectionClass = ItemPreset(name: "wifi")?.protectionClass
///
/// The table is ``all``; its source is the *Apple Platform Security* guide, "Keychain data protection", its table of
/// items.
public struct ItemPreset: Sendable, Hashable {
    /// Which classes presets give.
    public enum Selection: String, Sendable, CaseIterable {
        /// Those of the documented table.
        case documented
        /// The same, but for kinds that can be read before the first unlock, or that leave the device, there: these
        /// get the class that another edition of the guide has for them, or the next stricter one.
        case strict
    }

    /// How the command line names it: lower-case letters and hyphens.
    public let name: String
    /// What it is, in English words.
    public let summary: String
    /// When it can be read, as documented.
    public let protectionClass: ProtectionClass
    /// When it can be read by the stricter choice; the same class where there is none.
    public let strictClass: ProtectionClass

    init(_ name: String, _ summary: String, _ protectionClass: ProtectionClass, strict: ProtectionClass? = nil) {
        self.name = name
        self.summary = summary
        self.protectionClass = protectionClass
        strictClass = strict ?? protectionClass
    }

    /// The preset of this ``name``; nil for any other text.
    public init?(name: String) {
        guard let preset = Self.all.first(where: { $0.name == name }) else { return nil }
        self = preset
    }

    /// The class by one of the two selections.
    public func protectionClass(_ selection: Selection) -> ProtectionClass {
        switch selection {
        case .documented: protectionClass
        case .strict: strictClass
        }
    }
}
