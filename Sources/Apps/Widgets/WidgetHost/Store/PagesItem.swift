import FoundationEssentials
import Secrets
import Tresor
import WidgetClient

/// A page that may be asked for by its token.
struct Page: Codable, Equatable {
    var digest: PageDigest
    var order: WidgetOrder
    /// Seconds since 1970.
    var created: Int64

    /// The first 4 bytes of the digest: of 128 random bits they say nothing that helps to guess the rest.
    var id: String { Hexadecimal.encode(Array(digest.bytes.prefix(4))) }
    var summary: PageSummary { PageSummary(id: id, order: order, created: created) }
}

/// The pages, as an item of the keychain: a program that can write the user's files must not be able to make one.
struct PagesItem {
    private static let (service, account) = ("tresor.widgets.pages", "pages")

    let daemon: DaemonLink

    /// - Returns: none where none were made; nil where they cannot be read yet.
    func read() throws -> [Page]? {
        do {
            let secret = try daemon.readPassword(
                service: Self.service, account: Self.account, group: WidgetKeys.group,
                protectionClass: .afterFirstUnlockThisDeviceOnly)
            let bytes = secret.withBytes { $0.copyToArray() }
            return (try? JSONDecoder().decode([Page].self, from: Data(bytes))) ?? []
        } catch let error as TresorError where error.code == .notFound { return [] } catch let error as TresorError
            where error.code == .locked
        { return nil }
    }

    func store(_ pages: [Page]) throws {
        var attributes = ItemAttributes()
        attributes.service = Self.service
        attributes.account = Self.account
        attributes.label = "Widgets: pages with an address"
        attributes.protectionClass = .afterFirstUnlockThisDeviceOnly
        let secret = try WidgetKeys.secret(Array(try JSONEncoder().encode(pages)))
        try daemon.storePassword(attributes, group: WidgetKeys.group, secret: secret)
    }
}
