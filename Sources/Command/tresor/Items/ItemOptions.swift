import ArgumentParser
import Localization
import Secrets
import Tresor

/// The options that name an item.
struct ItemOptions: ParsableArguments {
    @Option(help: ArgumentHelp(localized("Kind of item; 'internet' where --server is given.")))
    var kind: KindName?
    @Option(help: ArgumentHelp(localized("The service a password is for.")), completion: Completion.services)
    var service: String?
    @Option(help: ArgumentHelp(localized("The account's name.")), completion: Completion.accounts)
    var account: String?
    @Option(help: ArgumentHelp(localized("What people see.")), completion: Completion.labels)
    var label: String?
    @Option(help: ArgumentHelp(localized("The server of an internet password.")), completion: Completion.hosts)
    var server: String?
    @Option(help: ArgumentHelp(localized("The port of an internet password."), visibility: .hidden))
    var port: Int?
    @Option(
        name: .customLong("protocol"),
        help: ArgumentHelp(localized("The protocol of an internet password, such as htps."), visibility: .hidden))
    var protocolName: String?
    @Option(help: ArgumentHelp(localized("The path on the server."), visibility: .hidden))
    var path: String?
    @Option(help: ArgumentHelp(localized("The application tag of a key."), visibility: .hidden))
    var tag: String?
    @Option(
        help: ArgumentHelp(
            localized("The keychain; all of them where it is not said, and the default one for a new item.")),
        completion: Completion.keychains)
    var keychain: String?
    @Option(
        help: ArgumentHelp(localized("The issuer of a certificate, DER in hexadecimal."), visibility: .hidden),
        transform: HexBytes.init)
    var issuer: HexBytes?
    @Option(
        help: ArgumentHelp(localized("The serial number of a certificate, in hexadecimal."), visibility: .hidden),
        transform: HexBytes.init)
    var serial: HexBytes?

    func validate() throws {
        if let port, !(1...65_535).contains(port) { throw ValidationError(localized("--port is from 1 to 65535")) }
    }

    var resolvedKind: ItemKind { kind?.kind ?? (server == nil ? .password : .internetPassword) }

    var attributes: ItemAttributes {
        var attributes = ItemAttributes()
        attributes.service = service
        attributes.account = account
        attributes.label = label
        attributes.server = server
        attributes.port = port
        attributes.protocolName = protocolName
        attributes.path = path
        attributes.applicationTag = tag
        attributes.keychain = keychain
        attributes.issuer = issuer?.bytes
        attributes.serialNumber = serial?.bytes
        if kind == .note { attributes.itemDescription = SecureNote.description }
        if kind == .wifi { attributes.itemDescription = WiFiItem.description }
        return attributes
    }

    /// The same for a new item.
    var newAttributes: ItemAttributes {
        var new = attributes
        if kind == .wifi {
            // As Apple's keychain files them: the account is the network.
            new.service = service ?? WiFiItem.service
            new.account = account ?? label
            new.label = label ?? account
            return new
        }
        guard kind == .note else { return new }
        // A note's one name is what people see and its primary key, so that two names are two notes.
        new.service = service ?? label
        new.label = label ?? service
        new.values[.type] = .number(SecureNote.type)
        return new
    }

    /// Whether nothing names an item.
    var isEmpty: Bool {
        var names = attributes
        names.itemDescription = nil
        names.keychain = nil
        return names == ItemAttributes()
    }

    var query: ItemQuery { ItemQuery(resolvedKind, attributes) }
}

/// Bytes as hexadecimal digits.
struct HexBytes {
    let bytes: [UInt8]

    init(_ text: String) throws {
        guard let bytes = Hexadecimal.decode(text.lowercased()) else {
            throw ValidationError(localized("give an even number of hexadecimal digits"))
        }
        self.bytes = bytes
    }
}
