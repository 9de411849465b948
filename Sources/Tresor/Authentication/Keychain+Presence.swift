import Protection
import Wire

// Proofs that the owner is there.
extension Keychain {
    /// Has the owner prove what an item demands.
    func prove(_ reason: AuthenticationContext.Reason, _ item: Item, _ context: AuthenticationContext) throws {
        let control = item.accessControl
        if control.takesSecurityKey, try proveBySecurityKey(reason, item, context) { return }
        if control.takesBiometry, let finger = context.finger {
            do {
                try proveByFinger(reason, item, finger)
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
                .presenceRequired, "the item demands a finger, and none was asked for", status: -25293,
                cause: Self.fingerDemanded)
        }
        let claim = PresenceClaim(
            passcode: try context.passcode(reason), connection: 0, item: item.reference.item,
            operation: reason.operation.rawValue)
        try perform(.provePresence(claim))
    }

    /// - Returns: false where nobody asks for one, or none of the enrolled is there.
    private func proveBySecurityKey(
        _ reason: AuthenticationContext.Reason, _ item: Item, _ context: AuthenticationContext
    ) throws -> Bool {
        guard let ask = context.securityKey else { return false }
        let keys = try securityKeys()
        guard !keys.isEmpty, let answer = try ask(keys) else { return false }
        let claim = SecurityKeyClaim(
            id: answer.id, secret: try answer.secret.copy(), item: item.reference.item,
            operation: reason.operation.rawValue)
        try perform(.proveSecurityKey(claim))
        return true
    }

    private func proveByFinger(
        _ reason: AuthenticationContext.Reason, _ item: Item, _ finger: AuthenticationContext.Finger
    ) throws {
        finger.announce(reason)
        let claim = BiometryClaim(
            item: item.reference.item, operation: reason.operation.rawValue, milliseconds: finger.milliseconds)
        try perform(.proveBiometry(claim))
    }

    /// The cause of an error where nobody asked for the finger that an item demands.
    static let fingerDemanded = "fingerDemanded"

    /// Whether another way may be tried: there is no reader, nobody touched it, or no finger will do now.
    private static func isReadersFault(_ error: TresorError) -> Bool {
        error.code == .unavailable || error.cause == "biometryRefused" || error.cause == "biometryTimedOut"
    }
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
