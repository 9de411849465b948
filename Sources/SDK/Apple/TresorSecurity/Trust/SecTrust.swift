public import TresorCoreFoundation
import Certificates
public import Foundation
import Synchronization

/// The question whether a certificate is to be trusted, for this and now.
public final class SecTrust: NSObject, Sendable {
    struct State: Sendable {
        /// The first is judged; the others may stand between it and an anchor.
        let certificates: [SecCertificate]
        var policies: [SecPolicy]
        /// Nil for none of the program's own.
        var anchors: [SecCertificate]?
        /// Nil where nothing was said: then the system's count unless there are anchors.
        var trustsAnchorsAlone: Bool?
        /// Nil for now.
        var date: Date?
        /// Nil until it is asked for, and again after a change.
        var outcome: TrustOutcome?

        mutating func change(_ body: (inout State) -> Void) {
            body(&self)
            outcome = nil
        }
    }

    private let state: Mutex<State>

    init(_ certificates: [SecCertificate], _ policies: [SecPolicy]) {
        state = Mutex(State(certificates: certificates, policies: policies))
    }

    var current: State { state.withLock { $0 } }

    func change(_ body: (inout State) -> Void) { state.withLock { $0.change(body) } }

    /// The answer; it is found once, and again after a change.
    func evaluate() -> TrustOutcome {
        let question = current
        if let known = question.outcome { return known }
        let outcome = TrustOutcome(question)
        state.withLock { $0.outcome = outcome }
        return outcome
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Makes a trust object.
///
/// - Parameters:
///   - certificates: a ``SecCertificate`` or an array of them; the first is the one to judge, the others may stand
///     between it and an anchor, at most 64.
///   - policies: a ``SecPolicy`` or an array of them, all of which have to be satisfied; nil is the basic one.
///   - trust: gets the object.
/// - Returns: `errSecSuccess`; `errSecParam` for an empty array, one of other things, and one that is too long.
public func SecTrustCreateWithCertificates(
    _ certificates: CFTypeRef, _ policies: CFTypeRef?, _ trust: UnsafeMutablePointer<SecTrust?>
) -> OSStatus {
    guard let certificates = list(certificates, of: SecCertificate.self), !certificates.isEmpty,
        certificates.count <= TrustEvaluation.mostIntermediates + 1,
        let policies = policies.map({ list($0, of: SecPolicy.self) }) ?? [SecPolicy(.basic)], !policies.isEmpty
    else { return errSecParam }
    store(SecTrust(certificates, policies), at: trust)
    return errSecSuccess
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Takes other policies.
///
/// - Parameters:
///   - trust: a trust object.
///   - policies: a ``SecPolicy`` or an array of them.
/// - Returns: `errSecSuccess`; `errSecParam`.
@discardableResult
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus {
    guard let policies = list(policies, of: SecPolicy.self), !policies.isEmpty else { return errSecParam }
    trust.change { $0.policies = policies }
    return errSecSuccess
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Says at which certificates a chain may end.
///
/// From then on the system's roots do not count, unless ``SecTrustSetAnchorCertificatesOnly(_:_:)`` says that they do.
///
/// - Parameters:
///   - trust: a trust object.
///   - anchorCertificates: an array of ``SecCertificate``; nil for the system's alone.
/// - Returns: `errSecSuccess`; `errSecParam`.
@discardableResult
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchorCertificates: CFArray?) -> OSStatus {
    guard let anchorCertificates else {
        trust.change { $0.anchors = nil }
        return errSecSuccess
    }
    guard let anchors = list(anchorCertificates, of: SecCertificate.self) else { return errSecParam }
    trust.change { $0.anchors = anchors }
    return errSecSuccess
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Says whether the system's roots count besides the anchors that were given.
///
/// - Parameters:
///   - trust: a trust object.
///   - anchorCertificatesOnly: true for the anchors alone.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus {
    trust.change { $0.trustsAnchorsAlone = anchorCertificatesOnly }
    return errSecSuccess
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Asks about another moment than now.
///
/// - Parameters:
///   - trust: a trust object.
///   - verifyDate: the moment.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustSetVerifyDate(_ trust: SecTrust, _ verifyDate: CFDate) -> OSStatus {
    let date = Date(timeIntervalSinceReferenceDate: verifyDate.timeIntervalSinceReferenceDate)
    trust.change { $0.date = date }
    return errSecSuccess
}

/// What an array holds, or the one thing that stands for an array; nil where there is anything else.
private func list<Member>(_ object: AnyObject, of type: Member.Type) -> [Member]? {
    if let one = object as? Member { return [one] }
    guard let array = object as? NSArray else { return nil }
    let members = array.compactMap { $0 as? Member }
    return members.count == array.count ? members : nil
}
