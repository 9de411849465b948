import MessageBus

/// What is said to fprintd, step by step, and what its answers mean: a value without I/O.
///
/// A verification goes: who owns the name (starting fprintd if nobody does) · which user runs it · watch it · default
/// device · Claim · VerifyStart · signals · VerifyStop · Release. All calls after the first go to the owner's unique
/// name, which nobody else can ever have, so that another process that takes over fprintd's name later is not listened
/// to. Source: net.reactivated.Fprint.Manager.xml and net.reactivated.Fprint.Device.xml of fprintd 1.94.
struct ReaderConversation: Equatable, Sendable {
    enum Goal: Equatable, Sendable {
        case verify(LoginName)
        case list(LoginName)
    }

    /// What is to be done now.
    enum Action: Equatable, Sendable {
        /// Send it; its answer goes to ``received(_:)``.
        case call(BusCall)
        case report(FingerprintEvent)
        /// The end: nothing more will be said.
        case end
    }

    /// What came in.
    enum Input: Equatable, Sendable {
        case reply([BusValue])
        case failure(name: String)
        case signal(sender: String, interface: String, member: String, path: String, [BusValue])
    }

    enum Step: Equatable, Sendable {
        case findOwner, startService, findStarted, checkOwner, watchStatus, watchOwner, findDevice
        case list, claim, startVerifying, scanning, stopVerifying, release, ended
    }

    static let service = "net.reactivated.Fprint"
    private static let deviceInterface = "net.reactivated.Fprint.Device"

    let goal: Goal
    /// The user that fprintd must run as.
    let trustedUser: UInt32
    private(set) var step = Step.findOwner
    /// The unique name of who owns fprintd's name.
    private(set) var owner = ""
    private var device = ""
    private var outcome: VerificationOutcome?
    /// Whether the end was reported before the reader was handed back.
    private var isReported = false

    init(goal: Goal, trustedUser: UInt32) {
        self.goal = goal
        self.trustedUser = trustedUser
    }

    /// Whose messages count.
    var senders: [String] { owner.isEmpty ? [BusName.bus] : [BusName.bus, owner] }

    /// The first call.
    func begin() -> [Action] { [.call(.toBus("GetNameOwner", [.text(Self.service)]))] }

    mutating func received(_ input: Input) -> [Action] {
        switch input {
        case .reply(let values): replied(values)
        case .failure(let name): failed(name)
        case .signal(let sender, let interface, let member, let path, let values):
            signalled(sender, "\(interface).\(member)", path, values)
        }
    }

    /// The caller gives up, or the time is over: the reader is handed back first, if it is ours.
    mutating func stop(_ reason: VerificationOutcome) -> [Action] {
        switch step {
        case .startVerifying, .scanning:
            if outcome == nil { outcome = reason }
            return call(.stopVerifying, "VerifyStop")
        case .stopVerifying, .release, .ended: return []
        default:
            // Closing the connection takes back a Claim that is still under way.
            if case .list = goal { return fail(.serviceSilent) }
            outcome = reason
            return finish()
        }
    }

    /// The connection is gone; what was seen by then stands.
    mutating func disconnected(_ error: BiometryError) -> [Action] {
        guard step != .ended else { return [] }
        return outcome == nil && !isReported ? fail(error) : finish()
    }

    /// Ends without waiting for answers any more.
    mutating func abandon() -> [Action] { step == .ended ? [] : finish() }

    private mutating func replied(_ values: [BusValue]) -> [Action] {
        switch (step, values.first) {
        case (.findOwner, .text(let name)), (.findStarted, .text(let name)):
            owner = name
            return callBus(.checkOwner, "GetConnectionUnixUser", [.text(name)])
        case (.startService, _): return callBus(.findStarted, "GetNameOwner", [.text(Self.service)])
        case (.checkOwner, .number(let user)):
            guard user == trustedUser else { return fail(.serviceUntrusted) }
            return watch(.watchStatus, "type='signal',sender='\(owner)',interface='\(Self.deviceInterface)'")
        case (.watchStatus, _):
            return watch(
                .watchOwner,
                "type='signal',sender='\(BusName.bus)',interface='\(BusName.bus)',member='NameOwnerChanged',"
                    + "arg0='\(owner)'")
        case (.watchOwner, _): return findDevice()
        case (.findDevice, .text(let path)):
            device = path
            return useDevice()
        case (.list, .texts(let fingers)): return report(.enrolled(fingers.sorted()))
        case (.claim, _): return call(.startVerifying, "VerifyStart", [.text("any")])
        case (.startVerifying, _):
            step = .scanning
            return [.report(.hint(.ready))]
        case (.stopVerifying, _): return call(.release, "Release")
        case (.release, _): return finish()
        default: return fail(.serviceFailed)
        }
    }

    private mutating func failed(_ name: String) -> [Action] {
        switch step {
        case .findOwner: callBus(.startService, "StartServiceByName", [.text(Self.service), .number(0)])
        case .list where BiometryError(named: name) == .notEnrolled: report(.enrolled([]))
        case .startVerifying:
            // The reader is claimed, and must be handed back.
            [.report(.failed(BiometryError(named: name)))] + giveBack()
        // What was seen stands, whatever comes of handing the reader back.
        case .stopVerifying: call(.release, "Release")
        case .release: finish()
        default: fail(BiometryError(named: name))
        }
    }

    private mutating func signalled(
        _ sender: String, _ member: String, _ path: String, _ values: [BusValue]
    ) -> [Action] {
        if sender == BusName.bus, member == BusName.bus + ".NameOwnerChanged", values.first == .text(owner) {
            return serviceEnded()
        }
        let isScanning = step == .startVerifying || step == .scanning
        guard isScanning, outcome == nil, sender == owner, path == device,
            member == Self.deviceInterface + ".VerifyStatus", values.count == 2,
            case .text(let result) = values[0], case .flag(let isDone) = values[1]
        else { return [] }
        switch VerifyStatus(result: result, isDone: isDone) {
        case .goesOn(let hint): return [.report(.hint(hint))]
        case .ended(let ended):
            outcome = ended
            return call(.stopVerifying, "VerifyStop")
        }
    }

    private mutating func serviceEnded() -> [Action] {
        guard step != .ended else { return [] }
        if case .list = goal { return fail(.serviceMissing) }
        if outcome == nil { outcome = .disconnected }
        return finish()
    }

    private mutating func findDevice() -> [Action] {
        step = .findDevice
        return [
            .call(
                BusCall(
                    destination: owner, path: "/net/reactivated/Fprint/Manager",
                    interface: "net.reactivated.Fprint.Manager", member: "GetDefaultDevice"))
        ]
    }

    private mutating func useDevice() -> [Action] {
        switch goal {
        case .list(let user): call(.list, "ListEnrolledFingers", [.text(user.text)])
        case .verify(let user): call(.claim, "Claim", [.text(user.text)])
        }
    }

    private mutating func watch(_ next: Step, _ rule: String) -> [Action] { callBus(next, "AddMatch", [.text(rule)]) }

    private mutating func callBus(_ next: Step, _ member: String, _ arguments: [BusCall.Argument]) -> [Action] {
        step = next
        return [.call(.toBus(member, arguments))]
    }

    private mutating func call(_ next: Step, _ member: String, _ arguments: [BusCall.Argument] = []) -> [Action] {
        step = next
        return [
            .call(
                BusCall(
                    destination: owner, path: device, interface: Self.deviceInterface, member: member,
                    arguments: arguments))
        ]
    }

    /// Hands the reader back after a failure that has been reported.
    private mutating func giveBack() -> [Action] {
        isReported = true
        return call(.release, "Release")
    }

    private mutating func report(_ event: FingerprintEvent) -> [Action] {
        step = .ended
        return [.report(event), .end]
    }

    private mutating func fail(_ error: BiometryError) -> [Action] { report(.failed(error)) }

    private mutating func finish() -> [Action] {
        step = .ended
        if isReported { return [.end] }
        return [.report(.verified(outcome ?? .unknownError)), .end]
    }
}
