import Wire

/// Where the one-time codes of a login may lie: under the names that imports and ``OneTimeCodeName`` give them.
struct OneTimeCodePlaces {
    private let login: Item
    private let services: [String]

    /// - Parameter login: nil is made of what is no login.
    init?(besides login: Item) {
        guard login.kind == .password || login.kind == .internetPassword, login.part == nil else { return nil }
        var services: [String] = []
        for title in [login.label, login.service, login.server].compactMap({ $0 }) where !title.isEmpty {
            for server in [login.server ?? "", ""] {
                let service = OneTimeCodeAccount.service(title, at: server)
                if !services.contains(service) { services.append(service) }
            }
        }
        self.login = login
        self.services = services
    }

    /// One for each name, the likeliest first.
    var queries: [ItemQuery] {
        services.map { service in
            var attributes = ItemAttributes()
            attributes.service = service
            attributes.account = login.account
            return ItemQuery(.password, attributes)
        }
    }

    /// - Parameter found: what ``queries`` have found.
    /// - Returns: the first that is of the login's account.
    func account(among found: [FoundItems]) -> OneTimeCodeAccount? {
        for found in found {
            let accounts = found.items.compactMap { OneTimeCodeAccount($0) }
            if let first = accounts.first(where: { ($0.name ?? "") == (login.account ?? "") }) { return first }
        }
        return nil
    }
}
