public import TresorCoreFoundation
public import Foundation
import Protection

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Makes an access control.
///
///     var error: Unmanaged<CFError>?
///     let control = SecAccessControlCreateWithFlags(
///         kCFAllocatorDefault, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .userPresence, &error)
///
/// - Parameters:
///   - allocator: ``kCFAllocatorDefault``.
///   - protection: one of the `kSecAttrAccessible…` values.
///   - flags: what is demanded besides.
///   - error: gets an `NSError` with the domain `NSOSStatusErrorDomain` and code `errSecParam` where nil is returned.
/// - Returns: nil for an unknown protection, and for flags that contradict each other: `or` with `and`, both kinds of
///   biometrics, `userPresence` with anything but `applicationPassword` and `privateKeyUsage`, or a bit without a name.
public func SecAccessControlCreateWithFlags(
    _ allocator: CFAllocator?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
    guard let protectionClass = (protection as? String).flatMap(ProtectionClass.init(code:)), flags.canStandTogether
    else {
        let refusal = NSError(domain: "NSOSStatusErrorDomain", code: Int(errSecParam))
        store(retaining: refusal, at: error)
        return nil
    }
    return SecAccessControl(protectionClass, flags)
}

extension SecAccessControlCreateFlags {
    private static let named: SecAccessControlCreateFlags = [
        .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .watch, .or, .and, .privateKeyUsage,
        .applicationPassword,
    ]

    fileprivate var canStandTogether: Bool {
        guard isSubset(of: Self.named) else { return false }
        if isSuperset(of: [.or, .and]) || isSuperset(of: [.biometryAny, .biometryCurrentSet]) { return false }
        guard contains(.userPresence) else { return true }
        return isSubset(of: [.userPresence, .applicationPassword, .privateKeyUsage])
    }
}
