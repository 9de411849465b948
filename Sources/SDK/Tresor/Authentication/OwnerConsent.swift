import Localization
import Protection
import Secrets
import Wire

/// Gives what an item demands of its owner in one use of it, out of an authentication context: proofs of presence, and
/// the item's own password.
struct OwnerConsent {
    let conversation: Conversation
    let reason: AuthenticationContext.Reason
    /// Nil where nobody is asked: what is demanded is refused then.
    let context: AuthenticationContext?

    /// Runs a request until all that the item demands was given, or is refused.
    ///
    /// - Parameter item: finds the item, whose reference says for whom a password or proof is.
    func satisfying<Result: ~Copyable>(item: () throws -> Item, _ body: () throws -> Result) throws -> Result {
        // Presence and a password, each once; a second demand of the same is a refusal.
        var given: Set<String> = []
        while true {
            do { return try body() } catch let error as TresorError where error.code == .presenceRequired {
                let isPassword = error.cause == Keychain.passwordDemanded
                guard let context, given.insert(isPassword ? "password" : "presence").inserted else { throw error }
                if isPassword {
                    try givePassword(for: try item().reference.item, otherwise: error)
                } else {
                    try prove(try item(), context)
                }
            }
        }
    }

    /// - Parameters:
    ///   - item: zero for the next that is added.
    ///   - error: thrown where the context has no passwords.
    func givePassword(for item: Identifier, otherwise error: TresorError) throws {
        guard let ask = context?.itemPassword else { throw error }
        try conversation.perform(
            .giveItemPassword(ItemPassword(password: try ask(reason), connection: 0, item: item)))
    }

    /// Has the owner prove what an item demands.
    private func prove(_ item: Item, _ context: AuthenticationContext) throws {
        let control = item.accessControl
        if control.takesSecurityKey, try proveBySecurityKey(item, context) { return }
        if control.takesBiometry, let finger = context.finger {
            do {
                try proveByFinger(item, finger)
                guard control.needsBoth else { return }
            } catch let error as TresorError
                where control.takesPasscode && !control.needsBoth && Self.isReadersFault(error)
            {
                // The passcode does as well.
            }
        }
        guard control.takesPasscode else {
            if context.finger != nil { return }
            throw TresorError(
                .presenceRequired, localized("the item demands a finger, and none was asked for"), status: -25293,
                cause: Keychain.fingerDemanded)
        }
        let claim = PresenceClaim(
            passcode: try context.passcode(reason), connection: 0, item: item.reference.item,
            operation: reason.operation.rawValue)
        try conversation.perform(.provePresence(claim))
    }

    /// - Returns: false where nobody asks for one, or none of the enrolled is there.
    private func proveBySecurityKey(_ item: Item, _ context: AuthenticationContext) throws -> Bool {
        guard let ask = context.securityKey else { return false }
        let keys = try conversation.securityKeys()
        guard !keys.isEmpty, let answer = try ask(keys) else { return false }
        let claim = SecurityKeyClaim(
            id: answer.id, secret: try answer.secret.copy(), item: item.reference.item,
            operation: reason.operation.rawValue)
        try conversation.perform(.proveSecurityKey(claim))
        return true
    }

    private func proveByFinger(_ item: Item, _ finger: AuthenticationContext.Finger) throws {
        finger.announce(reason)
        let claim = BiometryClaim(
            item: item.reference.item, operation: reason.operation.rawValue,
            patience: .milliseconds(finger.milliseconds))
        try conversation.perform(.proveBiometry(claim))
    }

    /// Whether another way may be tried: there is no reader, nobody touched it, or no finger will do now.
    private static func isReadersFault(_ error: TresorError) -> Bool {
        error.code == .unavailable || error.cause == "biometryRefused" || error.cause == "biometryTimedOut"
    }
}

extension Keychain {
    /// The cause of an error where an item's own password was not given.
    package static let passwordDemanded = "itemPasswordRequired"
    /// The cause of an error where another was given.
    package static let passwordRefused = "wrongItemPassword"
    /// The cause of an error where nobody asked for the finger that an item demands.
    static let fingerDemanded = "fingerDemanded"
}

extension AuthenticationContext.Reason {
    /// What a proof that is given for this reason permits.
    fileprivate var operation: ProtectedOperation {
        switch self {
        case .read: .read
        case .change: .change
        case .use: .use
        }
    }
}
