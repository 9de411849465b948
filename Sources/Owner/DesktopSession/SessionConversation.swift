import MessageBus

/// What is said to logind, and what its answers and signals mean for a lock: a value without I/O.
///
/// All sessions of one user are watched, not the caller's alone: a daemon started over a network, or by the user's
/// service manager, belongs to none that has a screen. Only what logind's unique name says is heard, which nobody else
/// can ever have. Source: org.freedesktop.login1(5).
struct SessionConversation: Equatable, Sendable {
    /// What is to be done now.
    enum Action: Equatable, Sendable {
        /// Send it; its answer goes to ``received(_:for:)`` with the question.
        case call(BusCall, Question)
        case report(SessionNotice)
        /// logind cannot be heard: end the connection.
        case giveUp
    }

    /// What a call asked.
    enum Question: Hashable, Sendable {
        case owner, ownerUser, matches, delay, sessions
        case session(String)
    }

    static let service = "org.freedesktop.login1"
    static let path = "/org/freedesktop/login1"
    static let manager = "org.freedesktop.login1.Manager"
    static let session = "org.freedesktop.login1.Session"
    static let properties = "org.freedesktop.DBus.Properties"
    /// More than a person has; a user who opens more of them than this is told of these alone.
    private static let mostSessions = 64

    /// Whose sessions count.
    let user: UInt32
    /// The user that logind must run as.
    let trustedUser: UInt32
    /// The unique name of logind; empty until it is known.
    private(set) var owner = ""
    private(set) var sessions: [String: SessionRecord] = [:]
    /// While it is open, the machine waits with its sleep.
    var delay: BusDescriptor?
    private var hadActiveSeat: Bool
    /// Sessions of the first list that nothing is known of yet.
    private var unread: Set<String> = []
    private(set) var isListening = false

    /// - Parameter hadActiveSeat: of the conversation before this one, so that a switch in between is not missed.
    init(user: UInt32, trustedUser: UInt32, hadActiveSeat: Bool = false) {
        self.user = user
        self.trustedUser = trustedUser
        self.hadActiveSeat = hadActiveSeat
    }

    /// Whose messages count.
    var senders: [String] { owner.isEmpty ? [BusName.bus] : [BusName.bus, owner] }

    /// Whether one of the owner's sessions at a seat was active when last heard of.
    var sawActiveSeat: Bool { hadActiveSeat }

    /// When the owner last did something, as far as logind was told.
    var activity: OwnerActivity? { sessions.values.reduce(nil) { .later($0, $1.activity) } }

    /// The first call.
    func begin() -> [Action] { [.call(.toBus("GetNameOwner", [.text(Self.service)]), .owner)] }

    /// Asks again how long terminals are idle, which logind does not tell by itself.
    func askAboutTerminals() -> [Action] {
        sessions.filter(\.value.isTerminal).keys.sorted().map(ask(aboutSession:))
    }

    mutating func received(_ values: [BusValue], for question: Question) -> [Action] {
        switch (question, values.first) {
        case (.owner, .text(let name)):
            owner = name
            return [.call(.toBus("GetConnectionUnixUser", [.text(name)]), .ownerUser)]
        case (.ownerUser, .number(let number)):
            guard number == trustedUser else { return [.giveUp] }
            return listen()
        case (.delay, .descriptor(let descriptor)):
            delay = descriptor
            return []
        case (.sessions, .list(let listed)): return takeSessions(listed)
        case (.session(let path), .table(let properties)): return takeSession(path, properties)
        case (.matches, _): return []
        default: return question.isVital ? [.giveUp] : []
        }
    }

    /// A call failed; who may not delay the sleep is told of it all the same, and a session may have ended.
    mutating func failed(_ question: Question) -> [Action] {
        if case .session(let path) = question {
            unread.remove(path)
            sessions[path] = nil
        }
        return question.isVital ? [.giveUp] : []
    }

    mutating func signalled(interface: String, member: String, path: String, _ values: [BusValue]) -> [Action] {
        switch (interface, member) {
        case (BusName.bus, "NameOwnerChanged"):
            return values.first == .text(Self.service) || values.first == .text(owner) ? [.giveUp] : []
        case (Self.manager, "PrepareForSleep"):
            if values.first == .flag(true) { return [.report(.sleepComing)] }
            return [askForDelay, .report(.awake)]
        case (Self.manager, "SessionNew"):
            guard values.count == 2, case .text(let path) = values[1] else { return [] }
            return sessions.count < Self.mostSessions ? [ask(aboutSession: path)] : []
        case (Self.manager, "SessionRemoved"):
            guard values.count == 2, case .text(let path) = values[1] else { return [] }
            unread.remove(path)
            sessions[path] = nil
            return []
        case (Self.session, "Lock"): return sessions[path] == nil ? [] : [.report(.lock(.sessionLocked))]
        case (Self.properties, "PropertiesChanged"):
            guard sessions[path] != nil, values.count >= 2, values[0] == .text(Self.session),
                case .table(let changed) = values[1]
            else { return [] }
            return takeSession(path, changed)
        default: return []
        }
    }

    private func listen() -> [Action] {
        let rules = [
            "sender='\(BusName.bus)',interface='\(BusName.bus)',member='NameOwnerChanged',arg0='\(Self.service)'",
            "sender='\(owner)',interface='\(Self.manager)'",
            "sender='\(owner)',interface='\(Self.session)'",
            "sender='\(owner)',interface='\(Self.properties)',arg0='\(Self.session)'",
        ]
        // The bus takes them in their order, so that nothing is missed between the matches and the list.
        return rules.map { .call(.toBus("AddMatch", [.text("type='signal'," + $0)]), .matches) }
            + [askForDelay, .call(call(Self.path, Self.manager, "ListSessions"), .sessions)]
    }

    private var askForDelay: Action {
        let arguments = ["sleep", "Tresor", "Wipes the keys of the device", "delay"].map(BusCall.Argument.text)
        return .call(call(Self.path, Self.manager, "Inhibit", arguments), .delay)
    }

    private func ask(aboutSession path: String) -> Action {
        .call(call(path, Self.properties, "GetAll", [.text(Self.session)]), .session(path))
    }

    private func call(
        _ path: String, _ interface: String, _ member: String, _ arguments: [BusCall.Argument] = []
    ) -> BusCall {
        BusCall(destination: owner, path: path, interface: interface, member: member, arguments: arguments)
    }

    /// A list of (id, user, name of the user, seat, path).
    private mutating func takeSessions(_ listed: [BusValue]) -> [Action] {
        isListening = true
        var asked: [Action] = []
        for case .list(let fields) in listed where fields.count == 5 {
            guard fields[1] == .number(user), case .text(let path) = fields[4], asked.count < Self.mostSessions else {
                continue
            }
            asked.append(ask(aboutSession: path))
            unread.insert(path)
        }
        return asked
    }

    private mutating func takeSession(_ path: String, _ properties: [String: BusValue]) -> [Action] {
        unread.remove(path)
        let former = sessions[path]
        var record = former ?? SessionRecord()
        record.take(properties)
        guard record.user == user else { return [] }
        sessions[path] = record
        return record.isLocked && former?.isLocked != true ? [.report(.lock(.sessionHint))] : []
    }

    /// What follows once everything that has arrived is taken: the owner has switched away from their screen, or left
    /// it, when no session of theirs at a seat is active.
    ///
    /// Between two sessions of the owner's there is a moment in which neither is.
    mutating func settle() -> [Action] {
        guard isListening, unread.isEmpty else { return [] }
        let hasActiveSeat = sessions.values.contains { $0.hasSeat && $0.isActive }
        defer { hadActiveSeat = hasActiveSeat }
        return hadActiveSeat && !hasActiveSeat ? [.report(.lock(.sessionInactive))] : []
    }
}

extension SessionConversation.Question {
    /// Whether nothing can be heard without its answer.
    fileprivate var isVital: Bool {
        switch self {
        case .owner, .ownerUser, .matches, .sessions: true
        case .delay, .session: false
        }
    }
}
