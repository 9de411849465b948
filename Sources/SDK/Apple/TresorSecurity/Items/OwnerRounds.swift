import TresorCoreFoundation
import TresorLocalAuthentication
import Protection
import Secrets
import Tresor
import Wire

/// One call that met items which demand their owner's presence, and the asking for it.
///
/// What is proved is good for one operation on one item. So items are proved one by one; the context asks once and
/// answers for all.
struct OwnerRounds {
    /// How many items one call proves presence for: as many as Apple's client tries (§1.8).
    static let limit = 20

    private let link: SharedTransport
    private let context: LAContext
    private let mayAsk: Bool
    private let prompt: String
    private var rounds = 0

    init(_ asking: OwnerAsking, _ link: SharedTransport) {
        self.link = link
        context = asking.context ?? LAContext()
        mayAsk = asking.mayAsk
        prompt = asking.prompt
    }

    /// Proves presence for these items, and makes the request on the same connection, with nobody in between.
    ///
    /// - Throws: `errSecAuthFailed` for a wrong passcode and beyond the limit; what the context says.
    mutating func permit<Result: Sendable>(
        _ operation: ProtectedOperation, on items: [FoundItem], _ request: (any Transport) throws -> Result
    ) throws -> Result {
        rounds += items.count
        guard rounds <= Self.limit else { throw StatusError(errSecAuthFailed) }
        // Whoever may be asked is asked for the passcode where that does, and for a finger where nothing else does.
        let wantsPasscode = items.contains { $0.control.takesPasscode }
        let passcode = wantsPasscode ? try context.passcode(prompt, mayAsk: mayAsk) : nil
        guard mayAsk || !items.contains(where: \.needsFinger) else { throw StatusError(errSecInteractionNotAllowed) }
        do {
            return try link.withTransport { transport in
                for item in items {
                    if item.control.contains(.applicationPassword) {
                        try transport.perform(.giveItemPassword(password(for: item.reference.item)))
                    }
                    if item.needsFinger { try transport.perform(.proveBiometry(item.claim(operation))) }
                    guard item.control.takesPasscode, let passcode = try Self.copy(passcode) else { continue }
                    let claim = PresenceClaim(
                        passcode: passcode, connection: 0, item: item.reference.item, operation: operation.rawValue)
                    try transport.perform(.provePresence(claim))
                }
                return try request(transport)
            }
        } catch let error as KeychainError where error.reason == .wrongPasscode {
            // A second try with the same would only cost another of the owner's ten.
            context.forgetPasscode()
            throw error
        }
    }

    /// The application's own, of the context.
    ///
    /// - Parameter item: zero for the next that is added.
    /// - Throws: `errSecAuthFailed` where the context has none.
    func password(for item: Identifier) throws -> ItemPassword {
        guard let password = try context.applicationPassword() else { throw StatusError(errSecAuthFailed) }
        return ItemPassword(password: password, connection: 0, item: item)
    }

    private static func copy(_ passcode: borrowing SecretBytes?) throws -> SecretBytes? {
        switch passcode {
        case .some(let passcode): try passcode.copy()
        case .none: nil
        }
    }
}

extension FoundItem {
    /// How long a call waits for a finger.
    private static let patience = Duration.seconds(30)

    fileprivate var needsFinger: Bool { control.takesBiometry && (!control.takesPasscode || control.needsBoth) }

    fileprivate func claim(_ operation: ProtectedOperation) -> BiometryClaim {
        BiometryClaim(item: reference.item, operation: operation.rawValue, patience: Self.patience)
    }
}

extension KeychainError {
    /// Whether the owner, or the program, has to give something before the call can be done.
    var demandsOwner: Bool { reason == .presenceRequired || reason == .itemPasswordRequired }
}
