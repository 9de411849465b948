import Localization
import Wire

/// What stands in attributes as four letters or as a number, in words.
enum AttributeWords {
    /// The scheme of an address, as people know it; nil for one that is not said.
    static func protocolName(_ code: String) -> String? {
        let name = trimmed(code)
        guard !name.isEmpty else { return nil }
        if let behind = proxied[name] { return localized("\(behind) by a proxy") }
        return protocols[name] ?? (name.count == 4 ? nil : name)
    }

    /// How a server asks for the password; nil where that is the usual way, or not said.
    static func authentication(_ code: String) -> String? {
        let name = trimmed(code)
        guard !name.isEmpty, name != "dflt" else { return nil }
        if name == "form" { return localized("a form on its page") }
        return authentications[name] ?? (name.count == 4 ? nil : name)
    }

    /// The kind of a key, by its number in Apple's headers; nil for one that is not known.
    static func keyType(_ number: Int64) -> String? {
        switch number {
        case 42: "RSA"
        case 73: localized("elliptic curve")
        case 2_147_483_649: "AES"
        default: nil
        }
    }

    /// What a key may be used for, in words; empty where that is not said.
    static func uses(_ attributes: Attributes) -> String {
        keyUses.filter { use in AttributeCode(use.code).flatMap { attributes.number($0) } == 1 }.map(\.name)
            .joined(separator: ", ")
    }

    /// Four letters that are kept as a number.
    static func letters(_ number: Int64) -> String {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: number >> Int64(24 - 8 * $0)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func trimmed(_ code: String) -> String {
        var name = Substring(code)
        while name.last == " " || name.last == "\u{0}" { name.removeLast() }
        return String(name)
    }

    /// `kSecAttrProtocol…` of Apple's SecItem.h.
    private static let protocols = [
        "ftp": "ftp", "ftpa": "ftp", "http": "http", "irc": "irc", "nntp": "nntp", "pop3": "pop3", "smtp": "smtp",
        "sox": "socks", "imap": "imap", "ldap": "ldap", "atlk": "AppleTalk", "afp": "afp", "teln": "telnet",
        "ssh": "ssh", "ftps": "ftps", "htps": "https",
        "smb": "smb", "rtsp": "rtsp", "daap": "daap",
        "eppc": "eppc", "ipp": "ipp", "ntps": "nntps", "ldps": "ldaps", "tels": "telnets", "imps": "imaps",
        "ircs": "ircs", "pops": "pop3s", "cifs": "cifs", "svn": "svn", "git": "git",
    ]

    /// Those that a proxy hands on.
    private static let proxied = ["htpx": "http", "htsx": "https", "ftpx": "ftp", "rtsx": "rtsp"]

    /// `kSecAttrAuthenticationType…` of the same.
    private static let authentications = [
        "ntlm": "NTLM", "msna": "MSN", "dpaa": "DPA", "rpaa": "RPA", "http": "HTTP basic", "httd": "HTTP digest",
    ]

    private static var keyUses: [(code: String, name: String)] {
        [
            ("encr", localized("encrypt")), ("decr", localized("decrypt")), ("sign", localized("sign")),
            ("vrfy", localized("verify")), ("drve", localized("derive keys")), ("wrap", localized("wrap keys")),
            ("unwp", localized("unwrap keys")),
        ]
    }
}
