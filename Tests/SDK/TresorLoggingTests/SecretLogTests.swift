import Foundation
import Logging
import Secrets
import Synchronization
import Testing
import TresorLogging

/// Keeps what it is told, as another handler would write it.
private final class Sink: Sendable {
    private let kept = Mutex<[LogEvent]>([])

    var events: [LogEvent] { kept.withLock { $0 } }
    var all: String { events.map { "\($0)" }.joined(separator: "\n") }

    func keep(_ event: LogEvent) { kept.withLock { $0.append(event) } }
}

private struct Keeping: LogHandler {
    let sink: Sink
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var event = event
        // Its own beside the event's, so that nothing is covered by what has the same key.
        let own = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }
        event.metadata = (event.metadata ?? [:]).merging(own.map { ("own " + $0, $1) }) { $1 }
        sink.keep(event)
    }
}

private enum Phase: String, PublicInLog {
    case pulling
    var description: String { rawValue }
}

private struct Failure: Error { let path: String }

@Suite struct LogOfSecrets {
    private let canary = "canary-\(Int.random(in: 1_000_000...9_999_999))"
    private let sink = Sink()

    private func logger(_ messages: SecretLog.Messages = .place, _ base: (inout Keeping) -> Void = { _ in }) -> Logger {
        var keeping = Keeping(sink: sink)
        base(&keeping)
        return Logger(label: "test", factory: { [keeping] _ in SecretLog(keeping, messages: messages) })
    }

    @Test func `metadata is hidden unless its type is public`() throws {
        logger().info(
            "x",
            metadata: [
                "text": "\(canary)", "string": .string(canary), "number": .stringConvertible(4711),
                "secret": .stringConvertible(Redacted(canary)), "phase": .stringConvertible(Phase.pulling),
                "count": .stringConvertible(Public(3)), "literal": .stringConvertible("as written" as StaticString),
                "list": [.stringConvertible(Public(1)), "\(canary)"], "inner": [canary: .stringConvertible(Public(1))],
                "marked": .attributed(canary, attributes: []),
            ])
        let metadata = try #require(sink.events.first?.metadata)
        #expect(
            metadata == [
                "text": "<redacted>", "string": "<redacted>", "number": "<redacted>", "secret": "<redacted>",
                "phase": "pulling", "count": "3", "literal": "as written", "list": ["1", "<redacted>"],
                "inner": "<redacted>", "marked": "<redacted>",
            ])
    }

    @Test func `a message that is a mere string becomes the place of its call`() {
        logger().info("hello \(canary)")
        #expect(sink.events.map(\.message.description) == ["TresorLoggingTests/SecretLogTests.swift:\(#line - 1)"])
        #expect(!sink.all.contains(canary))
    }

    @Test func `messages without values may be passed on as they are`() {
        logger(.asWritten).info("the store is open")
        #expect(sink.events.map(\.message.description) == ["the store is open"])
    }

    @Test func `in a text that remembers, values are hidden and words are not`() throws {
        let secret = try SecretBytes(copying: Array(canary.utf8).span.bytes)
        logger().log(
            .notice,
            redacting:
                "read \(canary) \([canary]) \(Redacted(canary)) \(secret) \(4711) while \(Phase.pulling), \(public: 3) left",
            metadata: ["who": "\(canary)"])
        #expect(
            sink.events.map(\.message.description) == [
                "read <redacted> <redacted> <redacted> <redacted> <redacted> while pulling, 3 left"
            ])
        #expect(sink.events.first?.metadata == ["who": "<redacted>"])
        #expect(sink.events.first?.file == "TresorLoggingTests/SecretLogTests.swift")
    }

    @Test func `no other handler sees more of such a text`() {
        let plain = Logger(label: "test", factory: { [sink] _ in Keeping(sink: sink) })
        plain.log(.info, redacting: "read \(canary)")
        #expect(sink.events.map(\.message.description) == ["read <redacted>"])
        #expect(!sink.all.contains(canary))
    }

    @Test func `whoever adds metadata, it is hidden`() {
        let provider = Logger.MetadataProvider { [canary] in
            ["trace": "\(canary)", "phase": .stringConvertible(Phase.pulling)]
        }
        var log = logger(.asWritten) { base in
            base.metadata = ["base": "\(canary)"]
            base.metadataProvider = provider
        }
        log[metadataKey: "user"] = "\(canary)"
        log.info("x")
        #expect(!sink.all.contains(canary))
        #expect(
            sink.events.first?.metadata == [
                "base": "<redacted>", "trace": "<redacted>", "phase": "pulling", "user": "<redacted>",
            ])
    }

    @Test func `of an error only its type is told`() throws {
        logger().error("x", error: Failure(path: canary))
        let error = try #require(sink.events.first?.error)
        #expect("\(error)" == "Failure <redacted>")
        #expect(!sink.all.contains(canary))
    }

    @Test func `what is below the level is not even put together`() {
        var log = logger()
        log.logLevel = .error
        func text() -> LogText {
            Issue.record("a text that nobody logs was made")
            return ""
        }
        log.log(.info, redacting: text())
        log.log(.error, redacting: "seen")
        #expect(sink.events.map(\.message.description) == ["seen"])
    }
}
