/// Why a view is drawn without its content.
///
/// Reasons add up: what an ancestor says and what ``View/redacted(reason:)`` says both hold. Semantics as documented
/// for SwiftUI's `RedactionReasons`.
public struct RedactionReasons: OptionSet, Hashable, Sendable {
    /// The bits, 0 to 7.
    public let rawValue: UInt8

    /// - Parameter rawValue: the bits; unknown ones are dropped.
    public init(rawValue: UInt8) { self.rawValue = rawValue & 7 }

    /// There is nothing to show yet, or nothing that may be shown: every text and image is masked.
    public static let placeholder = RedactionReasons(rawValue: 1)
    /// Somebody may look who is not the owner: what ``View/privacySensitive(_:)`` marks is masked.
    public static let privacy = RedactionReasons(rawValue: 2)
    /// The content is being renewed: what ``View/invalidatableContent(_:)`` marks is dimmed, and stays readable.
    public static let invalidated = RedactionReasons(rawValue: 4)
}
