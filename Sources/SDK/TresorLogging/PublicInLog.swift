/// A type whose values may stand in a log, because none of them says anything of the user.
///
/// Everything else is private, numbers too: a log is read by more people than the screen, and for longer. Give it to
/// kinds of things (an enumeration of states, say), never to what a user typed, stored or is called.
///
///     enum SyncPhase: String, PublicInLog {
///         case pulling, pushing
///         var description: String { rawValue }
///     }
public protocol PublicInLog: CustomStringConvertible, Sendable {}

/// What the compiler has seen cannot be the user's.
extension StaticString: PublicInLog {}

/// One value that may stand in a log though its type does not say so.
///
///     log.info("synced", metadata: ["count": .stringConvertible(Public(changes.count))])
public struct Public<Value: CustomStringConvertible & Sendable>: PublicInLog {
    private let value: Value

    /// Makes a value public, for good.
    ///
    /// - Parameter value: nothing of the user's.
    public init(_ value: Value) { self.value = value }

    /// As the value describes itself.
    public var description: String { value.description }
}
