import Localization
import Secrets
import Tresor

/// Payloads of networks and accounts: of all that they say, the keychain takes the passwords.
enum AccountPayload {
    /// `com.apple.wifi.managed`.
    static func wirelessNetwork(
        _ fields: Fields, _ list: borrowing PropertyList
    ) throws(ProfileError) -> [ProfilePassword] {
        let network = try fields.text("SSID_STR", list)
        var found: [ProfilePassword] = []
        if let secret = try fields.optionalPassword("Password", list) {
            found.append(
                password("wifi", network, network, "Wi-Fi password", secret, fields.name("Password")))
        }
        guard let enterprise = try fields.optionalFields("EAPClientConfiguration") else { return found }
        let user = try enterprise.optionalText("UserName", list)
        if let secret = try enterprise.optionalPassword("UserPassword", list) {
            found.append(
                password(
                    "wifi/" + network, user ?? "", network, "802.1X password", secret,
                    enterprise.name("UserPassword")))
        }
        return found
    }

    /// `com.apple.mail.managed`.
    static func mail(_ fields: Fields, _ list: borrowing PropertyList) throws(ProfileError) -> [ProfilePassword] {
        let type = try fields.text("EmailAccountType", list)
        guard type == "EmailTypeIMAP" || type == "EmailTypePOP" else {
            throw fields.failure("EmailAccountType", localized("is neither EmailTypeIMAP nor EmailTypePOP"))
        }
        let incoming = try MailServer("Incoming", fields, list)
        let outgoing = try MailServer("Outgoing", fields, list)
        let isSame = try fields.optionalBool("OutgoingPasswordSameAsIncomingPassword") ?? false
        let first = try fields.optionalPassword("IncomingPassword", list)
        let own = try fields.optionalPassword("OutgoingPassword", list)
        var found: [ProfilePassword] = []
        if let first {
            let codes = type == "EmailTypeIMAP" ? ("imap", "imps") : ("pop3", "pops")
            found.append(incoming.password(codes.0, codes.1, first, fields.name("IncomingPassword")))
        }
        if let second = own ?? (isSame ? first : nil) {
            found.append(outgoing.password("smtp", "smtp", second, fields.name("OutgoingPassword")))
        }
        return found
    }

    private struct MailServer {
        let host: String
        let port: Int?
        let user: String?
        let isEncrypted: Bool

        init(_ side: String, _ fields: Fields, _ list: borrowing PropertyList) throws(ProfileError) {
            host = try fields.text(side + "MailServerHostName", list)
            port = try fields.optionalInteger(side + "MailServerPortNumber", 1...65_535)
            user = try fields.optionalText(side + "MailServerUsername", list)
            isEncrypted = try fields.optionalBool(side + "MailServerUseSSL") ?? true
        }

        func password(
            _ plain: String, _ encrypted: String, _ secret: ProfileSecret, _ field: String
        ) -> ProfilePassword {
            var attributes = ItemAttributes()
            attributes.server = host
            attributes.port = port
            attributes.account = user
            attributes.protocolName = isEncrypted ? encrypted : plain
            attributes.label = host
            attributes.itemDescription = "mail password"
            return ProfilePassword(kind: .internetPassword, attributes: attributes, secret: secret, field: field)
        }
    }

    /// `com.apple.vpn.managed`: each kind of network has its dictionary with its own secrets.
    static func privateNetwork(
        _ fields: Fields, _ list: borrowing PropertyList
    ) throws(ProfileError) -> [ProfilePassword] {
        _ = try fields.text("VPNType", list)
        let parts: [(dictionary: String, secret: String, user: String?)] = [
            ("IPSec", "SharedSecret", nil), ("IPSec", "XAuthPassword", "XAuthName"),
            ("PPP", "AuthPassword", "AuthName"), ("IKEv2", "SharedSecret", nil), ("IKEv2", "AuthPassword", "AuthName"),
            ("VPN", "AuthPassword", "AuthName"),
        ]
        let name = try fields.optionalText("UserDefinedName", list) ?? ""
        var found: [ProfilePassword] = []
        for part in parts {
            guard let dictionary = try fields.optionalFields(part.dictionary) else { continue }
            let user = try part.user.flatMap { (field) throws(ProfileError) in
                try dictionary.optionalText(field, list)
            }
            guard let secret = try dictionary.optionalPassword(part.secret, list) else { continue }
            let service = "vpn/\(name)/\(part.dictionary)" + (part.user == nil ? "/\(part.secret)" : "")
            found.append(
                password(service, user ?? "", name, "VPN password", secret, dictionary.name(part.secret)))
        }
        return found
    }

    private static func password(
        _ service: String, _ account: String, _ label: String, _ description: String, _ secret: ProfileSecret,
        _ field: String
    ) -> ProfilePassword {
        var attributes = ItemAttributes()
        attributes.service = service
        attributes.account = account
        attributes.label = label
        attributes.itemDescription = description
        return ProfilePassword(kind: .password, attributes: attributes, secret: secret, field: field)
    }
}
