/// Whether the machine was asleep: what is open must not outlive that.
package struct SuspensionWatch {
    /// A suspension that is noticed.
    private static let shortest = Duration.seconds(2)

    private let clocks: ResidentClocks
    private var suspended: UInt64

    package init(_ clocks: ResidentClocks) {
        self.clocks = clocks
        suspended = clocks.suspended
    }

    /// Whether it was since this was asked last.
    package mutating func takeSuspension() -> Bool {
        let now = clocks.suspended
        defer { suspended = now }
        return Duration(from: suspended, to: now) > Self.shortest
    }
}
