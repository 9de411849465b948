import Certificates
import Tresor
import Wire

/// Reads what the keychain holds, a page at a time, so that keys are heard in between however much there is.
final class ListingWalk {
    private let link: KeychainLink
    /// What was read so far.
    private(set) var listing: Listing
    /// The kinds that are still to be read, the one that is being read first.
    private var kinds = ItemKind.allCases
    private var cursor: UInt64 = 0
    /// Of the kind that is being read: how many items are shut, and what its certificates hold.
    private var locked = 0
    private var certificates: [PersistentReference: DERCertificate]?

    /// - Parameter date: now, in seconds since 1970.
    init(_ link: KeychainLink, date: Int64) {
        self.link = link
        listing = Listing(date: date)
    }

    /// Reads the next page.
    ///
    /// - Returns: false once all has been read.
    func goOn() throws(TresorError) -> Bool {
        guard let kind = kinds.first else { return false }
        try link.translating {
            if kind == .certificate, certificates == nil { certificates = try link.certificates() }
            var query = KeychainLink.query(kind)
            query.cursor = cursor
            let end = try link.page(query) { reference, attributes, _ in
                guard let attributes else { return }
                listing.records.append(
                    link.reader.record(reference, attributes, certificate: certificates?[reference]))
            }
            locked += Int(end?.locked ?? 0)
            listing.damaged += Int(end?.damaged ?? 0)
            cursor = end?.next ?? 0
            if cursor == 0 { try endKind(kind) }
        }
        return !kinds.isEmpty
    }

    private func endKind(_ kind: ItemKind) throws {
        if locked > 0 { listing.locked += try link.groups(kind, locked) }
        (locked, certificates) = (0, nil)
        kinds.removeFirst()
    }
}
