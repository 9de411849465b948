/// What one probe of an ``IntegrityCheck`` found.
public struct IntegrityFinding: Sendable, Equatable {
    /// Whether what was looked at is as it should be.
    public enum State: String, Sendable {
        /// As it should be; which proves nothing.
        case ok
        /// Not as it should be.
        case bad
        /// It could not be looked at, or this kernel does not have it.
        case unknown
    }

    /// What was looked at.
    public let probe: IntegrityProbe
    /// What came of it.
    public let state: State
    /// What it adds to the verdict where it is bad.
    public let weight: Int
    /// What was seen, in words for a person.
    ///
    /// No path, name or value of the user's is in it.
    public let seen: String

    /// - Parameters:
    ///   - weight: what it adds to the verdict where it is bad.
    ///   - seen: words for a person, with no path, name or value of the user's.
    package init(probe: IntegrityProbe, state: State, weight: Int, seen: String) {
        self.probe = probe
        self.state = state
        self.weight = weight
        self.seen = seen
    }

    /// The probe's stable name, such as `foreign-code`.
    public var name: String { probe.rawValue }
    /// What an attacker would do that this finding speaks of.
    public var threat: String { probe.threat }
}
