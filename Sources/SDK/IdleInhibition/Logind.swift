import Linux
import MessageBus

/// logind, as it answers on the system bus (org.freedesktop.login1(5)), one call at a time.
///
/// Only what its owner's unique name says is heard: nobody else can ever have that name.
final class Logind {
    static let manager = "org.freedesktop.login1.Manager"
    static let session = "org.freedesktop.login1.Session"
    static let sessionFolder = "/org/freedesktop/login1/session/"
    private static let service = "org.freedesktop.login1"
    private static let path = "/org/freedesktop/login1"
    /// Milliseconds that an answer may take.
    private static let patience: UInt64 = 5000
    /// Messages looked at in one step, so that nobody on the bus can keep us busy.
    private static let messagesPerStep = 32

    private let bus: SystemBus
    private let owner: String
    private var signals: [Signal] = []

    /// What logind told without being asked.
    struct Signal: Equatable {
        let member: String
        let path: String
        let values: [BusValue]
    }

    init(address: String, trustedUser: UInt32) throws(SessionError) {
        do { bus = try SystemBus(address: address, takesDescriptors: true) } catch { throw .unavailable }
        owner = try Self.owner(bus)
        guard
            case .number(let user) = try Self.ask(bus, .toBus("GetConnectionUnixUser", [.text(owner)])).first
        else { throw .failed }
        guard user == trustedUser else { throw .untrusted }
    }

    /// The unique name of who is logind; where the bus has to start it, it does.
    private static func owner(_ bus: SystemBus) throws(SessionError) -> String {
        let question = BusCall.toBus("GetNameOwner", [.text(service)])
        var values: [BusValue]
        do { values = try ask(bus, question) } catch {
            guard error == .unavailable else { throw error }
            _ = try ask(bus, .toBus("StartServiceByName", [.text(service), .number(0)]))
            values = try ask(bus, question)
        }
        guard case .text(let owner) = values.first else { throw .failed }
        return owner
    }

    /// For poll(2).
    func descriptor() throws(SessionError) -> Int32 {
        do { return try bus.interest().descriptor } catch { throw .silent }
    }

    /// Has an inhibitor; it is held for as long as the descriptor is open.
    func inhibit(_ what: String, who: String, why: String, mode: String) throws(SessionError) -> BusDescriptor {
        let arguments = [what, who, why, mode].map(BusCall.Argument.text)
        guard case .descriptor(let held) = try call("Inhibit", arguments).first else { throw .failed }
        return held
    }

    func call(_ member: String, _ arguments: [BusCall.Argument]) throws(SessionError) -> [BusValue] {
        let call = BusCall(
            destination: owner, path: Self.path, interface: Self.manager, member: member, arguments: arguments)
        return try Self.ask(bus, call, from: [BusName.bus, owner]) { signals.append($0) }
    }

    /// Wants to be told of signals.
    func watch(_ rule: String) throws(SessionError) {
        let rule = "type='signal',sender='\(owner)'," + rule
        _ = try Self.ask(bus, .toBus("AddMatch", [.text(rule)]), from: [BusName.bus, owner]) { signals.append($0) }
    }

    /// Wants to be told when logind is gone.
    func watchOwner() throws(SessionError) {
        let rule =
            "type='signal',sender='\(BusName.bus)',interface='\(BusName.bus)',member='NameOwnerChanged',"
            + "arg0='\(owner)'"
        _ = try Self.ask(bus, .toBus("AddMatch", [.text(rule)]), from: [BusName.bus, owner]) { signals.append($0) }
    }

    /// The next signal that has arrived; never waits.
    func nextSignal() throws(SessionError) -> Signal? {
        if !signals.isEmpty { return signals.removeFirst() }
        var steps = Self.messagesPerStep
        do {
            while let message = try bus.nextMessage(from: [BusName.bus, owner], steps: &steps) {
                if let signal = Self.signal(message) { return signal }
            }
        } catch { throw .silent }
        return nil
    }

    private static func signal(_ message: BusMessage) -> Signal? {
        guard case .signal(_, let member, let path, let values) = message.content else { return nil }
        return Signal(member: member, path: path, values: values)
    }

    private static func ask(
        _ bus: SystemBus, _ call: BusCall, from senders: [String] = [BusName.bus],
        hear: (Signal) -> Void = { _ in }
    ) throws(SessionError) -> [BusValue] {
        let deadline = SystemClock.bootMilliseconds() + patience
        do {
            let cookie = try bus.send(call)
            while SystemClock.bootMilliseconds() < deadline {
                var steps = messagesPerStep
                while let message = try bus.nextMessage(from: senders, steps: &steps) {
                    switch message.content {
                    case .reply(cookie, let values): return values
                    case .failure(cookie, let name): throw SessionError(named: name)
                    default: if let signal = signal(message) { hear(signal) }
                    }
                }
                let interest = try bus.interest()
                var poll = Poll()
                poll.add(interest.descriptor, reading: interest.reading, writing: interest.writing)
                try poll.wait(milliseconds: steps == 0 ? 0 : min(interest.milliseconds ?? 100, 100))
            }
        } catch let error as SessionError { throw error } catch { throw .unavailable }
        throw .silent
    }
}

extension SessionError {
    /// What an error's name on the bus means (D-Bus specification).
    fileprivate init(named name: String) {
        switch name {
        case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner":
            self = .unavailable
        case _ where name.hasPrefix("org.freedesktop.DBus.Error.Spawn"): self = .unavailable
        case "org.freedesktop.DBus.Error.AccessDenied",
            "org.freedesktop.DBus.Error.InteractiveAuthorizationRequired":
            self = .forbidden
        default: self = .failed
        }
    }
}
