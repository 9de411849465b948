import KeychainNames
import Localization
import Secrets
import SoughtNames
import TerminalScreen
import Tresor

/// In what items of one name differ, and what tells them apart.
struct ItemDifferences {
    private enum Attribute: CaseIterable {
        case kind, service, server, account, label, keychain, protocolName, port, path, realm, tag

        var name: String {
            switch self {
            case .kind: localized("kind")
            case .service: localized("service")
            case .server: localized("server")
            case .account: localized("account")
            case .label: localized("label")
            case .keychain: localized("keychain")
            case .protocolName: localized("protocol")
            case .port: localized("port")
            case .path: localized("path")
            case .realm: localized("realm")
            case .tag: localized("tag")
            }
        }

        /// Of a column of its own, which only those have that people rarely look at.
        var title: String? {
            switch self {
            case .protocolName: localized("PROTOCOL")
            case .port: localized("PORT")
            case .path: localized("PATH")
            case .realm: localized("REALM")
            case .tag: localized("TAG")
            default: nil
            }
        }

        func value(of item: Item) -> String {
            switch self {
            case .kind: item.kindName
            case .service: item.service ?? ""
            case .server: item.server ?? ""
            case .account: item.account ?? ""
            case .label: item.label ?? ""
            case .keychain: item.keychain
            case .protocolName: ItemDifferences.name(ofProtocol: item.protocolName) ?? ""
            case .port: item.port.flatMap { $0 == 0 ? nil : "\($0)" } ?? ""
            case .path: item.path ?? ""
            case .realm: item.securityDomain ?? ""
            case .tag: item.applicationTag ?? ""
            }
        }
    }

    private let different: [Attribute]
    private let ids: ShortIDs

    /// - Parameter items: two at least.
    init(_ items: [Item]) {
        different = Attribute.allCases.filter { attribute in Set(items.map { attribute.value(of: $0) }).count > 1 }
        ids = ShortIDs(items.map(\.id))
    }

    /// A sentence.
    var words: String {
        guard !different.isEmpty else { return localized("their names are the same; each has an id") }
        return localized("they differ in: \(different.map(\.name).joined(separator: ", "))")
    }

    /// A row for each, with what tells them apart; in a narrow terminal what is the same in all goes first.
    func table(of items: some Sequence<Item>) -> TextTable {
        let further = different.filter { $0.title != nil }
        let known: [(Int, Attribute)] = [(3, .label), (4, .keychain), (0, .kind), (2, .account)]
        var table = TextTable(
            [
                localized("KIND"), localized("NAME"), localized("ACCOUNT"), localized("LABEL"), localized("KEYCHAIN"),
            ] + further.compactMap(\.title) + [localized("ID")],
            yielding: known.filter { !different.contains($0.1) }.map { .dropped($0.0) })
        for item in items {
            let values = further.map { $0.value(of: item) }.map { $0.isEmpty ? "-" : $0 }
            table.add(
                [item.kindName, item.bestName, item.account ?? "", item.label ?? "", item.keychain] + values
                    + [ids.short(item.id)])
        }
        return table
    }

    /// The options that tell these apart; the last one always does.
    ///
    /// - Parameter account: the one that says whose account.
    func options(account: String) -> [String] {
        let known: [(Attribute, String)] = [(.kind, "--kind"), (.account, account), (.keychain, "--keychain")]
        return known.filter { different.contains($0.0) }.map(\.1) + ["--id"]
    }

    /// Of an internet password, as addresses write it; nil for none.
    static func name(ofProtocol code: String?) -> String? {
        switch code {
        case nil, "", "0": nil
        case "htps": "https"
        case .some(let code): code.filter { $0 != " " }
        }
    }
}

/// The first digits of an item's id, as the list of several prints them; or its whole reference, as JSON has it.
struct ItemID {
    private let digits: String

    /// Nil for what is none.
    init?(_ text: String) {
        let digits = text.lowercased()
        guard (4...40).contains(digits.utf8.count), digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
            return nil
        }
        self.digits = digits
    }

    func isOf(_ item: Item) -> Bool {
        item.id.hasPrefix(digits) || digits == Hexadecimal.encode(item.reference.bytes)
    }
}

extension Item {
    /// 32 digits of its own, whatever its attributes are.
    var id: String { String(Hexadecimal.encode(reference.bytes).dropFirst(8)) }
}
