@testable import Biometry
import MessageBus
import Testing

/// What is said to fprintd, as a value, where the real one gives no occasion.
@Suite struct ConversationTests {
    private typealias Input = ReaderConversation.Input

    private static let path = "/net/reactivated/Fprint/Device/0"

    /// A verification of anna's, after so many of the answers that lead to a waiting reader.
    private func conversation(after count: Int = 8) throws -> ReaderConversation {
        var conversation = ReaderConversation(goal: .verify(try #require(LoginName("anna"))), trustedUser: 0)
        let answers: [Input] = [
            .reply([.text(":1.7")]), .reply([.number(0)]), .reply([]), .reply([]), .reply([.text(Self.path)]),
            .reply([]),
            .reply([]),
        ]
        for answer in answers.prefix(count) { _ = conversation.received(answer) }
        return conversation
    }

    private func status(
        _ result: String, _ isDone: Bool = true, sender: String = ":1.7", path: String = path
    ) -> Input {
        .signal(
            sender: sender, interface: "net.reactivated.Fprint.Device", member: "VerifyStatus", path: path,
            [.text(result), .flag(isDone)])
    }

    private func calls(_ actions: [ReaderConversation.Action]) -> [String] {
        actions.compactMap { if case .call(let call) = $0 { call.member } else { nil } }
    }

    @Test func `after a match the reader is handed back, and then it is told`() throws {
        var conversation = try conversation()
        #expect(conversation.step == .scanning)
        #expect(calls(conversation.received(status("verify-match"))) == ["VerifyStop"])
        #expect(calls(conversation.received(.reply([]))) == ["Release"])
        #expect(conversation.received(.reply([])) == [.report(.verified(.match)), .end])
    }

    @Test func `a match counts from the owner of the name, on its device, and when it is done`() throws {
        let others = [
            status("verify-match", sender: ":1.8"), status("verify-match", path: "/net/reactivated/Fprint/Device/1"),
        ]
        for other in others {
            var conversation = try conversation()
            #expect(conversation.received(other) == [])
        }
        var conversation = try conversation()
        #expect(conversation.received(status("verify-match", false)) == [.report(.hint(.retryScan))])
        #expect(conversation.step == .scanning)
    }

    @Test func `a match before the reader was asked, or after giving up, is none`() throws {
        for count in 0..<6 {
            var early = try conversation(after: count)
            #expect(early.received(status("verify-match")) == [])
        }
        var late = try conversation()
        #expect(calls(late.stop(.cancelled)) == ["VerifyStop"])
        #expect(late.received(status("verify-match")) == [])
        _ = late.received(.reply([]))
        #expect(late.received(.reply([])) == [.report(.verified(.cancelled)), .end])
    }

    @Test func `a match may come before the answer to VerifyStart`() throws {
        var conversation = try conversation(after: 6)
        #expect(conversation.step == .startVerifying)
        #expect(calls(conversation.received(status("verify-match"))) == ["VerifyStop"])
        #expect(conversation.step == .stopVerifying)
    }

    @Test func `what was seen stands when the bus or fprintd goes before the reader is handed back`() throws {
        var lost = try conversation()
        _ = lost.received(status("verify-no-match"))
        #expect(lost.disconnected(.busUnavailable) == [.report(.verified(.noMatch)), .end])
        var ended = try conversation()
        _ = ended.received(status("verify-match"))
        let gone = Input.signal(
            sender: BusName.bus, interface: BusName.bus, member: "NameOwnerChanged", path: "/org/freedesktop/DBus",
            [.text(":1.7"), .text(":1.7"), .text("")])
        #expect(ended.received(gone) == [.report(.verified(.match)), .end])
        var waiting = try conversation()
        #expect(waiting.disconnected(.busUnavailable) == [.report(.failed(.busUnavailable)), .end])
    }

    @Test func `answers of other types end it`() throws {
        for count in [0, 1, 4] {
            var conversation = try conversation(after: count)
            #expect(conversation.received(.reply([.flag(true)])) == [.report(.failed(.serviceFailed)), .end])
            #expect(conversation.step == .ended)
        }
    }

    @Test func `nothing is said or heard after the end`() throws {
        var conversation = try conversation(after: 1)
        #expect(conversation.received(.reply([.number(1000)])) == [.report(.failed(.serviceUntrusted)), .end])
        #expect(conversation.stop(.cancelled) == [] && conversation.abandon() == [])
        #expect(conversation.received(status("verify-match")) == [])
        #expect(conversation.disconnected(.busUnavailable) == [])
    }
}
