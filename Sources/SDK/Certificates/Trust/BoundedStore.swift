import Synchronization
import X509

/// Intermediate certificates, which may be looked up so often and no more.
///
/// X509 tries every path, and certificates can be made that have more paths than anybody can walk: n of them with one
/// name and one key issue each other in n! orders.
struct BoundedStore: CustomCertificateStore {
    private var certificates: [DistinguishedName: [Certificate]]
    private let state = State()

    /// Every lookup costs at most as many signature checks as there are certificates.
    private static let mostLookups = 64

    private final class State: Sendable {
        let count = Mutex(0)
    }

    init(_ certificates: [Certificate]) { self.certificates = Dictionary(grouping: certificates, by: \.subject) }

    /// Whether a lookup was denied.
    var isExhausted: Bool { state.count.withLock { $0 > Self.mostLookups } }

    subscript(subject: DistinguishedName) -> [Certificate]? {
        let isAllowed = state.count.withLock { count in
            count += 1
            return count <= Self.mostLookups
        }
        return isAllowed ? certificates[subject] : nil
    }

    func contains(_ certificate: Certificate) async -> Bool {
        certificates[certificate.subject]?.contains(certificate) ?? false
    }

    mutating func append(contentsOf more: some Sequence<Certificate>) {
        for certificate in more { certificates[certificate.subject, default: []].append(certificate) }
    }

    static func == (left: BoundedStore, right: BoundedStore) -> Bool { left.certificates == right.certificates }
    func hash(into hasher: inout Hasher) { hasher.combine(certificates) }
}
