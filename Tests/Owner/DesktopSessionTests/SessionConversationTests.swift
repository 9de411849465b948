import MessageBus
import Testing

@testable import DesktopSession

/// logind's side of a conversation, as a test speaks it.
private struct Desktop {
    static let path = SessionConversation.path + "/session/"
    var conversation = SessionConversation(user: 1000, trustedUser: 0)
    /// What was told of since it was last taken.
    var notices: [SessionNotice] = []
    var gaveUp = false

    /// logind has been found, and these are the sessions.
    init(_ sessions: [String: [String: BusValue]] = [:], conversation: SessionConversation? = nil) {
        if let conversation { self.conversation = conversation }
        _ = self.conversation.begin()
        do_(self.conversation.received([.text(":1.7")], for: .owner))
        do_(self.conversation.received([.number(0)], for: .ownerUser))
        let listed = sessions.map { name, properties in
            BusValue.list([
                .text(name), (properties["User"]?.first ?? .number(1000)), .text("anna"), .text("seat0"),
                .text(Self.path + name),
            ])
        }
        do_(self.conversation.received([.list(listed)], for: .sessions))
        for (name, properties) in sessions {
            do_(self.conversation.received([.table(Self.full(properties))], for: .session(Self.path + name)))
        }
        do_(self.conversation.settle())
    }

    private static func full(_ properties: [String: BusValue]) -> [String: BusValue] {
        let common: [String: BusValue] = [
            "User": .list([.number(1000), .text("/user")]), "Seat": .list([.text("seat0"), .text("/seat")]),
            "Active": .flag(true), "LockedHint": .flag(false), "IdleHint": .flag(false), "Type": .text("wayland"),
            "IdleSinceHintMonotonic": .wideNumber(0),
        ]
        return common.merging(properties) { $1 }
    }

    mutating func do_(_ actions: [SessionConversation.Action]) {
        for action in actions {
            switch action {
            case .report(let notice): notices.append(notice)
            case .giveUp: gaveUp = true
            case .call: break
            }
        }
    }

    /// Several signals that arrive together.
    mutating func signal(_ signals: (String, String, String, [BusValue])...) -> [SessionNotice] {
        notices = []
        for (interface, member, session, values) in signals {
            do_(conversation.signalled(interface: interface, member: member, path: Self.path + session, values))
        }
        do_(conversation.settle())
        return notices
    }

    static func changed(_ session: String, _ properties: [String: BusValue]) -> (String, String, String, [BusValue]) {
        (
            SessionConversation.properties, "PropertiesChanged", session,
            [.text(SessionConversation.session), .table(properties), .texts([])]
        )
    }

    static func lock(_ session: String) -> (String, String, String, [BusValue]) {
        (SessionConversation.session, "Lock", session, [])
    }

    static func removed(_ session: String) -> (String, String, String, [BusValue]) {
        (SessionConversation.manager, "SessionRemoved", "", [.text(session), .text(path + session)])
    }
}

extension BusValue {
    fileprivate var first: BusValue? { if case .list(let values) = self { values.first } else { nil } }
}

struct SessionConversationTests {
    @Test func `a session that is to be locked locks, another user's does not`() {
        let other: [String: BusValue] = ["User": .list([.number(1001), .text("/user")])]
        var desktop = Desktop(["own": [:], "other": other])
        #expect(desktop.notices.isEmpty)
        #expect(desktop.signal(Desktop.lock("own")) == [.lock(.sessionLocked)])
        #expect(desktop.signal(Desktop.lock("other")).isEmpty)
        #expect(desktop.signal(Desktop.changed("other", ["LockedHint": .flag(true)])).isEmpty)
        #expect(desktop.signal((SessionConversation.session, "Unlock", "own", [])).isEmpty)
    }

    @Test func `the hint of a locker locks when it comes, and once`() {
        var desktop = Desktop(["own": [:]])
        #expect(desktop.signal(Desktop.changed("own", ["LockedHint": .flag(true)])) == [.lock(.sessionHint)])
        #expect(desktop.signal(Desktop.changed("own", ["LockedHint": .flag(true)])).isEmpty)
        #expect(desktop.signal(Desktop.changed("own", ["LockedHint": .flag(false)])).isEmpty)
        #expect(desktop.signal(Desktop.changed("own", ["LockedHint": .flag(true)])) == [.lock(.sessionHint)])
    }

    @Test func `a session that is locked when we come locks`() {
        #expect(Desktop(["own": ["LockedHint": .flag(true)]]).notices == [.lock(.sessionHint)])
    }

    @Test func `leaving one's screen locks, changing between one's own does not`() {
        var desktop = Desktop(["own": [:], "second": ["Active": .flag(false)]])
        #expect(
            desktop.signal(
                Desktop.changed("own", ["Active": .flag(false)]), Desktop.changed("second", ["Active": .flag(true)])
            ).isEmpty)
        #expect(desktop.signal(Desktop.changed("second", ["Active": .flag(false)])) == [.lock(.sessionInactive)])
        #expect(desktop.signal(Desktop.changed("own", ["Active": .flag(true)])).isEmpty)
        #expect(desktop.signal(Desktop.removed("own")) == [.lock(.sessionInactive)])
    }

    @Test func `a session over a network keeps nothing open, and ends without a lock`() {
        let remote: [String: BusValue] = ["Seat": .list([.text(""), .text("/")])]
        var desktop = Desktop(["own": [:], "ssh": remote])
        #expect(desktop.signal(Desktop.removed("ssh")).isEmpty)
        desktop = Desktop(["own": [:], "ssh": remote])
        #expect(desktop.signal(Desktop.removed("own")) == [.lock(.sessionInactive)])
    }

    @Test func `a screen that was left while nobody listened is noticed afterwards`() {
        let former = Desktop(["own": [:]]).conversation
        #expect(former.sawActiveSeat)
        let next = SessionConversation(user: 1000, trustedUser: 0, hadActiveSeat: former.sawActiveSeat)
        #expect(Desktop(["own": ["Active": .flag(false)]], conversation: next).notices == [.lock(.sessionInactive)])
        #expect(Desktop(["own": [:]], conversation: next).notices.isEmpty)
        #expect(Desktop(["own": ["Active": .flag(false)]]).notices.isEmpty, "at the first look nobody has left")
    }

    @Test func `sleep is told, and delayed again when it is over`() {
        var desktop = Desktop(["own": [:]])
        #expect(desktop.signal((SessionConversation.manager, "PrepareForSleep", "", [.flag(true)])) == [.sleepComing])
        let actions = desktop.conversation.signalled(
            interface: SessionConversation.manager, member: "PrepareForSleep", path: "", [.flag(false)])
        let asksAgain = actions.contains { if case .call(_, .delay) = $0 { true } else { false } }
        #expect(asksAgain && actions.contains(.report(.awake)))
    }

    @Test func `a logind that is gone, fails or is another's is given up`() {
        var desktop = Desktop(["own": [:]])
        _ = desktop.signal(
            (BusName.bus, "NameOwnerChanged", "", [.text(SessionConversation.service), .text(":1.7"), .text("")]))
        #expect(desktop.gaveUp)
        var conversation = SessionConversation(user: 1000, trustedUser: 0)
        _ = conversation.received([.text(":1.7")], for: .owner)
        #expect(conversation.received([.number(1000)], for: .ownerUser) == [.giveUp])
        #expect(conversation.failed(.sessions) == [.giveUp])
        #expect(conversation.failed(.delay).isEmpty, "who may not delay the sleep is told of it all the same")
    }

    @Test func `the owner's activity is what logind was told, or nothing`() {
        func activity(_ properties: [String: BusValue]...) -> OwnerActivity? {
            var sessions: [String: [String: BusValue]] = [:]
            for (index, properties) in properties.enumerated() { sessions["s\(index)"] = properties }
            return Desktop(sessions).conversation.activity
        }
        let since = BusValue.wideNumber(7_000_000)
        #expect(activity([:]) == nil, "a desktop that tells logind nothing")
        #expect(activity(["IdleSinceHintMonotonic": since]) == .now)
        let idle: [String: BusValue] = ["IdleHint": .flag(true), "IdleSinceHintMonotonic": since]
        #expect(activity(idle) == .last(monotonicMicroseconds: 7_000_000))
        let terminal: [String: BusValue] = ["Type": .text("tty"), "IdleSinceHintMonotonic": .wideNumber(9_000_000)]
        #expect(activity(idle, terminal) == .last(monotonicMicroseconds: 9_000_000))
        #expect(activity(idle, ["IdleSinceHintMonotonic": since]) == .now)
    }
}
