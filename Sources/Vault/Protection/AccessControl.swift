/// What an item demands besides its class before its secret is given out.
///
/// The bits are those of Apple's `SecAccessControlCreateFlags`. A companion device is refused until there is one here.
public struct AccessControl: OptionSet, Hashable, Sendable {
    /// The documented bits.
    public let rawValue: UInt32
    /// Takes the documented bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The owner proves to be there: by a finger, or with the passcode.
    public static let userPresence = AccessControl(rawValue: 1 << 0)
    /// A finger that is enrolled.
    public static let biometryAny = AccessControl(rawValue: 1 << 1)
    /// A finger, of those that were enrolled when the item was added: once they change, the item is dead.
    public static let biometryCurrentSet = AccessControl(rawValue: 1 << 3)
    /// The owner gives the device's passcode.
    public static let devicePasscode = AccessControl(rawValue: 1 << 4)
    /// One of several demands is enough.
    public static let or = AccessControl(rawValue: 1 << 14)
    /// All demands have to be met, which is also what several without a word mean.
    public static let and = AccessControl(rawValue: 1 << 15)

    /// The item is a private key that the enclave made, uses, and never gives out.
    public static let privateKeyUsage = AccessControl(rawValue: 1 << 30)

    /// A password that the program gives, on top of everything else: the item's key follows from it too.
    public static let applicationPassword = AccessControl(rawValue: 1 << 31)

    private static let demands: AccessControl = [.biometryAny, .biometryCurrentSet, .devicePasscode]

    /// Whether these bits can be enforced and may stand together.
    ///
    /// As documented (`errSecParam`): not *or* beside *and*, not both kinds of biometry, and presence beside nothing
    /// else.
    package var isValid: Bool {
        let presence = self.presence
        if presence == [] || presence == .userPresence { return true }
        return presence.isValidDemand
    }

    /// What it demands of the owner.
    package var presence: AccessControl { subtracting([.privateKeyUsage, .applicationPassword]) }

    private var isValidDemand: Bool {
        guard isSubset(of: Self.demands.union([.or, .and])), !isDisjoint(with: Self.demands) else { return false }
        return !isSuperset(of: [.or, .and]) && !isSuperset(of: [.biometryAny, .biometryCurrentSet])
    }

    /// Whether it is bound to the fingers that are enrolled when the item is added.
    package var isBoundToEnrolment: Bool { contains(.biometryCurrentSet) }

    /// Whether a finger can be of use.
    package var takesBiometry: Bool {
        !isDisjoint(with: [.userPresence, .biometryAny, .biometryCurrentSet])
    }

    /// Whether the passcode can be of use.
    package var takesPasscode: Bool { !isDisjoint(with: [.userPresence, .devicePasscode]) }

    /// Whether a security key can be of use.
    package var takesSecurityKey: Bool { presence == .userPresence }

    /// Whether neither a finger nor the passcode does alone.
    package var needsBoth: Bool {
        takesBiometry && takesPasscode && presence != .userPresence && !contains(.or)
    }

    /// Whether what was proved is enough.
    ///
    /// - Parameters:
    ///   - proofs: all that were given for one operation on one item.
    ///   - enrolment: the enrolment state to which the item is bound.
    package func isSatisfied(by proofs: [PresenceProof], enrolment: [UInt8]) -> Bool {
        guard presence != [] else { return true }
        let hasPasscode = proofs.contains(.passcode)
        let states = proofs.compactMap(\.enrolment)
        if presence == .userPresence { return !proofs.isEmpty }
        var met: [Bool] = []
        if contains(.devicePasscode) { met.append(hasPasscode) }
        if contains(.biometryAny) { met.append(!states.isEmpty) }
        if contains(.biometryCurrentSet) { met.append(states.contains(enrolment)) }
        return contains(.or) ? met.contains(true) : !met.isEmpty && !met.contains(false)
    }
}

/// What was proved about the owner, once, for one operation on one item over one connection.
///
/// Only the verifier inside the enclave makes one.
package enum PresenceProof: Equatable, Sendable {
    case passcode
    /// A finger matched; the enrolment state at that moment, 32 bytes.
    case biometry(enrolment: [UInt8])
    /// A security key that the owner enrolled gave its secret.
    case securityKey

    /// Whether it was a finger, which some demands ask for by name.
    package var isFinger: Bool { enrolment != nil }

    fileprivate var enrolment: [UInt8]? {
        if case .biometry(let enrolment) = self { enrolment } else { nil }
    }
}

/// What a verdict permits.
package enum ProtectedOperation: UInt8, Sendable {
    case read = 1
    case change = 2
    /// Signs, or agrees on a secret, with a private key of the enclave's.
    case use = 4
    /// Says who may read what: carried out at once, so that no verdict is kept for it.
    case administer = 3
}
