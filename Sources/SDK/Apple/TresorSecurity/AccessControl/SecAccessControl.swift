public import TresorCoreFoundation
public import Foundation
import Protection

/// What an item demands: a class, and perhaps the owner's presence.
///
/// ``SecAccessControlCreateWithFlags(_:_:_:_:)`` makes one; ``kSecAttrAccessControl`` is where it goes.
public final class SecAccessControl: NSObject, Sendable {
    let protectionClass: ProtectionClass
    let flags: SecAccessControlCreateFlags

    init(_ protectionClass: ProtectionClass, _ flags: SecAccessControlCreateFlags = []) {
        self.protectionClass = protectionClass
        self.flags = flags
    }

    /// What the keychain can enforce of these flags; nil where that is not all of them.
    var enforceable: AccessControl? {
        guard let bits = UInt32(exactly: flags.rawValue) else { return nil }
        let control = AccessControl(rawValue: bits)
        return control.isValid ? control : nil
    }

    /// Whether both demand the same.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SecAccessControl else { return false }
        return protectionClass == other.protectionClass && flags == other.flags
    }

    /// Equal demands have equal hashes.
    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(protectionClass)
        hasher.combine(flags.rawValue)
        return hasher.finalize()
    }
}

/// What an item demands before its secret is given out.
///
/// The bits are those of Apple's `SecAccessControlCreateFlags`. The keychain enforces presence, the passcode and
/// fingers, ``or`` and ``and`` between the last two, ``privateKeyUsage`` and ``applicationPassword``; an item with any
/// other is refused when it
/// is added (`errSecUnimplemented`), so that none is ever protected less than it says.
public struct SecAccessControlCreateFlags: OptionSet, Hashable, Sendable {
    /// The documented bits.
    public let rawValue: CFOptionFlags
    /// Takes the documented bits.
    public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }

    /// The owner proves to be there; in a call of this API by the passcode.
    public static let userPresence = SecAccessControlCreateFlags(rawValue: 1 << 0)
    /// Any enrolled finger, through fprintd.
    public static let biometryAny = SecAccessControlCreateFlags(rawValue: 1 << 1)
    /// The fingers enrolled when the item is added: once they change, it is dead.
    public static let biometryCurrentSet = SecAccessControlCreateFlags(rawValue: 1 << 3)
    /// The owner gives the device's passcode.
    public static let devicePasscode = SecAccessControlCreateFlags(rawValue: 1 << 4)
    /// A watch; not enforceable yet.
    public static let watch = SecAccessControlCreateFlags(rawValue: 1 << 5)
    /// One of the demands suffices.
    public static let or = SecAccessControlCreateFlags(rawValue: 1 << 14)
    /// All of the demands have to be met.
    public static let and = SecAccessControlCreateFlags(rawValue: 1 << 15)
    /// The item is a private key that the enclave makes, uses, and never gives out; for nothing else.
    ///
    /// What stands beside it is demanded of the owner in each use of the key.
    public static let privateKeyUsage = SecAccessControlCreateFlags(rawValue: 1 << 30)
    /// A password of the program's own, which `LAContext.setCredential(_:type:)` gives: the item's key follows from it.
    public static let applicationPassword = SecAccessControlCreateFlags(rawValue: 1 << 31)
    /// The older name of ``biometryAny``.
    public static let touchIDAny = biometryAny
    /// The older name of ``biometryCurrentSet``.
    public static let touchIDCurrentSet = biometryCurrentSet
}
