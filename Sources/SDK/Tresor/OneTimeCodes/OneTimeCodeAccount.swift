/// An account for which the keychain can make one-time codes.
///
///     for account in try await keychain.oneTimeCodes() { print(account.title, account.name ?? "") }
///
/// It is a password item whose description is `one-time code`, or whose service ends as imports write it:
/// `<title> (one-time code)` or `<title> (one-time code, <server>)`. Its secret is what codes are made from.
public struct OneTimeCodeAccount: Sendable, Hashable {
    /// The item that holds the secret.
    public let item: Item
    /// What the codes are for: the service without what says that these are codes.
    public let title: String
    /// The server of the login that the codes go with, where the service names it.
    public let server: String?

    /// The account's name.
    public var name: String? { item.account }

    /// Nil for an item that holds something else.
    public init?(_ item: Item) {
        guard item.part == .oneTimeCode else { return nil }
        self.item = item
        (title, server) = Self.split(item.service ?? "")
    }

    /// Whether somebody who looks for this service means it: by its title, by its server, or by its service in full.
    ///
    /// - Parameter service: compared byte by byte.
    public func isFor(service: String) -> Bool {
        [title, server, item.service].contains { $0?.utf8.elementsEqual(service.utf8) == true }
    }

    /// Whether a service says that what codes are made from is kept under it.
    package static func isService(_ service: String) -> Bool { CSVPart.oneTimeCode.isService(service) }

    /// The service of an item for codes that go with a login, as imports name it.
    ///
    /// - Parameters:
    ///   - title: the login's label.
    ///   - server: the login's server; nil or empty for none.
    static func service(_ title: String, at server: String?) -> String {
        CSVPart.oneTimeCode.service(beside: title, at: server ?? "")
    }

    private static func split(_ service: String) -> (title: String, server: String?) {
        let name = CSVPart.oneTimeCode.name
        let (short, long) = (" (\(name))", " (\(name), ")
        if service.hasSuffix(short) { return (String(service.dropLast(short.count)), nil) }
        guard service.hasSuffix(")"), let part = service.ranges(of: long).last else { return (service, nil) }
        let server = service[part.upperBound...].dropLast()
        return (String(service[..<part.lowerBound]), server.isEmpty ? nil : String(server))
    }
}
