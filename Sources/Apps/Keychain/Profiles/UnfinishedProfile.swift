import Localization
package import Tresor

/// A profile was installed, or its removal has begun, and then a step failed; the same again does what is left.
package struct UnfinishedProfile: Error, Sendable, CustomStringConvertible {
    package enum Work: Sendable {
        /// What it replaces may still be there, and the idle lock may be the former one.
        case installed
        /// Some of its items may be gone, and its record is still there.
        case removing
    }

    package let work: Work
    /// What failed; what its words say of changes holds for its own request alone.
    package let cause: TresorError

    package var description: String { told("\(cause)") }

    /// What happened, with the cause in these words.
    package func told(_ cause: String) -> String {
        switch work {
        case .installed: localized("the profile is installed; then this failed: \(cause)")
        case .removing:
            localized(
                "the profile was not removed to the end, and some of its items may be gone; this failed: \(cause)")
        }
    }
}
