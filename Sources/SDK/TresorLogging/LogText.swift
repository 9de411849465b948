public import Logging

/// A message whose values are hidden unless their types are public.
///
/// swift-log's own `Logger.Message` is a string by the time that a handler sees it, and nothing tells what was put into
/// it. This one remembers: what is written in the program appears, and a value only if it is a ``PublicInLog``.
///
///     log.log(.info, redacting: "read \(path) in phase \(phase)")  // read <redacted> in phase pulling
///     log.log(.info, redacting: "\(public: count) entries")  // 3 entries
public struct LogText: ExpressibleByStringInterpolation, PublicInLog {
    /// The text with its private values hidden.
    public let description: String

    /// A text without values.
    public init(stringLiteral value: StaticString) { description = value.description }

    /// A text with values.
    public init(stringInterpolation: StringInterpolation) { description = stringInterpolation.text }

    /// Puts the text together.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        /// An empty text.
        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * SecretLog.hidden.utf8.count)
        }

        /// What is written in the program.
        public mutating func appendLiteral(_ literal: StaticString) { text += literal.description }

        /// A value of a public type.
        public mutating func appendInterpolation(_ value: some PublicInLog) { text += value.description }

        /// Any other value is hidden, and not even asked to describe itself.
        public mutating func appendInterpolation<Value: ~Copyable>(_ value: borrowing Value) {
            text += SecretLog.hidden
        }

        /// A value that says nothing of the user.
        public mutating func appendInterpolation(public value: some CustomStringConvertible) {
            text += value.description
        }
    }
}

extension Logger {
    /// Logs a text whose values are hidden unless their types are public, whatever handler takes it.
    ///
    /// - Parameters:
    ///   - level: how important it is.
    ///   - text: what has happened; only asked for if the level is logged.
    ///   - metadata: values beside it; a ``SecretLog`` hides them as described there.
    ///   - file: where in the program.
    ///   - function: where in the program.
    ///   - line: where in the program.
    public func log(
        _ level: Level, redacting text: @autoclosure () -> LogText, metadata: @autoclosure () -> Metadata? = nil,
        file: String = #fileID, function: String = #function, line: UInt = #line
    ) {
        guard level >= logLevel else { return }
        let text = text()
        // The text itself travels as metadata, since a message forgets what it was made of.
        let all = (metadata() ?? [:]).merging([SecretLog.textKey: .stringConvertible(text)]) { $1 }
        log(
            level: level, "\(text.description)", metadata: all, file: file, function: function, line: line)
    }
}
