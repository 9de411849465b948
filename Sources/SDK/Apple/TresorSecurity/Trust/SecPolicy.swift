public import TresorCoreFoundation
import Certificates
public import Foundation

/// What a certificate shall be good for.
public final class SecPolicy: NSObject, Sendable {
    enum Demand: Sendable, Equatable {
        case basic
        /// Nil for any name.
        case ssl(TrustPurpose.TLSRole, hostname: String?)
    }

    let demand: Demand

    init(_ demand: Demand) { self.demand = demand }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The chain alone, as RFC 5280 has it.
public func SecPolicyCreateBasicX509() -> SecPolicy { SecPolicy(.basic) }

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The chain, and that the certificate may stand for one side of a TLS connection.
///
/// - Parameters:
///   - server: whether it is the server's certificate, and not the client's.
///   - hostname: the DNS name or address that it must have been issued to; nil for any. Names in other scripts are
///     given as `xn--…`. A client's is not looked at.
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy {
    SecPolicy(.ssl(server ? .server : .client, hostname: server ? hostname.map { String($0) } : nil))
}

extension SecPolicy.Demand {
    /// Nil for a name that no certificate can be issued to.
    var purpose: TrustPurpose? {
        switch self {
        case .basic: .any
        case .ssl(let role, nil): .tls(role)
        case .ssl(_, let hostname?): ServerName(hostname).map { .tlsServer($0) }
        }
    }
}
