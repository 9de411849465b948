public import Logging

/// A log handler that hides what is not known to be public, and hands the rest to another.
///
/// The threat: what a user typed, or is called, ends up in a log, which is kept, copied and sent around. The type
/// decides, and what no type vouches for is hidden, as in Apple's unified log:
///
/// | in a log call | comes out as |
/// | --- | --- |
/// | metadata `.stringConvertible` of a ``PublicInLog`` | itself |
/// | other metadata, so each `"\(value)"` | `<redacted>` |
/// | an array in metadata | element by element |
/// | a dictionary inside metadata | `<redacted>`: its keys may be the user's |
/// | a ``LogText`` (`log.log(.info, redacting: "…")`) | what is written, with its private values hidden |
/// | any other message | the place in the program, unless ``Messages/asWritten`` was chosen |
/// | an error | its type |
///
/// A `SecretBytes` cannot get into any of these: the compiler refuses it everywhere but in a ``LogText``, which hides
/// it. Attributes of metadata values do not make them public, since swift-log gives them to a whole text for one of
/// its parts. Source: the book, chapter 7.4; feature D11.
///
///     LoggingSystem.bootstrap { SecretLog(StreamLogHandler.standardError(label: $0)) }
///     let log = Logger(label: "org.example.diary")
///     log.log(.notice, redacting: "opened \(title)")  // opened <redacted>
public struct SecretLog: LogHandler {
    /// What becomes of messages that are not a ``LogText``.
    public enum Messages: Sendable {
        /// The file and line of the call stand for it.
        ///
        /// Whoever has the program finds there what it said.
        case place
        /// They are passed on, for programs all of whose messages, and their libraries', hold no values.
        case asWritten
    }

    static let hidden = "<redacted>"
    static let textKey = "text"

    private var handler: any LogHandler
    private let messages: Messages
    /// What is said with every event; hidden like everything else.
    public var metadata: Logger.Metadata
    /// Who adds to every event; hidden like everything else.
    public var metadataProvider: Logger.MetadataProvider?

    /// - Parameters:
    ///   - handler: gets what is left. Its own metadata and provider are taken over.
    ///   - messages: what becomes of messages that are not a ``LogText``.
    public init(_ handler: any LogHandler, messages: Messages = .place) {
        self.handler = handler
        self.messages = messages
        metadata = handler.metadata
        metadataProvider = handler.metadataProvider
        self.handler.metadata = [:]
        // Some handlers complain when a provider is set at all.
        if metadataProvider != nil { self.handler.metadataProvider = nil }
    }

    /// The least level that is logged, which is the other handler's.
    public var logLevel: Logger.Level {
        get { handler.logLevel }
        set { handler.logLevel = newValue }
    }

    /// What is said with every event under this key.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Hides what is private, and hands on the rest.
    public func log(event: LogEvent) {
        var all = metadata
        // The nearest word counts: the event's, then the provider's, then the logger's.
        all.merge(metadataProvider?.get() ?? [:]) { $1 }
        all.merge(event.metadata ?? [:]) { $1 }
        var shown = event
        shown.message = "\(text(of: event, &all))"
        shown.metadata = all.isEmpty ? nil : all.mapValues(Self.show)
        shown.error = event.error.map { $0 is any PublicInLog ? $0 : HiddenError(type: "\(type(of: $0))") }
        handler.log(event: shown)
    }

    private func text(of event: LogEvent, _ all: inout Logger.Metadata) -> String {
        if case .stringConvertible(let value) = all[Self.textKey], let text = value as? LogText {
            all[Self.textKey] = nil
            return text.description
        }
        return messages == .asWritten ? event.message.description : "\(event.file):\(event.line)"
    }

    private static func show(_ value: Logger.MetadataValue) -> Logger.MetadataValue {
        switch value {
        case .stringConvertible(let value) where value is any PublicInLog: .string(value.description)
        case .array(let values): .array(values.map(show))
        case .string, .stringConvertible, .dictionary: .string(hidden)
        }
    }
}

/// An error of which only its type is told.
private struct HiddenError: Error, CustomStringConvertible {
    let type: String

    var description: String { "\(type) \(SecretLog.hidden)" }
}
