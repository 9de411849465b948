/// A value that belongs to the user and must not reach a log or an error: printing it prints what it is, not what it
/// says.
public struct Redacted<Value: Sendable>: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    private let value: Value

    /// Wraps `value`.
    public init(_ value: Value) { self.value = value }

    /// The value itself.
    ///
    /// Each call carries a comment `// EXPOSE: reason`, and a test looks for it.
    public func expose() -> Value { value }

    /// Always `<redacted>`.
    public var description: String { "<redacted>" }
    /// Always `<redacted>`.
    public var debugDescription: String { "<redacted>" }
    /// Shows no children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
