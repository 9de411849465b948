/// The parts of an http or https address that make up an internet password's key.
///
/// A bare host such as `mail.example:8443` is one too, without a protocol.
package struct WebAddress: Hashable, Sendable {
    /// Lower-case, without the brackets of an IPv6 address.
    package let server: String
    /// Nil for the protocol's own port.
    package let port: Int?
    /// `htps`, `http`, or nil.
    package let protocolName: String?
    /// Empty where the address says no more than `/`.
    package let path: String
    /// Whether a user, a query or a fragment stood there too.
    package let hasMore: Bool

    /// Nil for any other kind of address.
    package init?(_ text: String) {
        var rest = text[...]
        (protocolName, rest) = Self.takeProtocol(rest)
        let end = rest.firstIndex { "/?#\\".contains($0) } ?? rest.endIndex
        var authority = rest[..<end]
        let tail = rest[end...]
        let hasUser = authority.contains("@")
        if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
        guard let (host, port) = Self.split(authority: authority) else { return nil }
        guard protocolName != nil || (!hasUser && Self.isBareHost(host) && !text.contains("://")) else { return nil }
        server = host.lowercased()
        let ownPort = protocolName == nil ? nil : protocolName == "htps" ? 443 : 80
        self.port = port == ownPort ? nil : port
        let path = tail.prefix { $0 != "?" && $0 != "#" }
        self.path = path == "/" ? "" : String(path)
        hasMore = hasUser || path.endIndex != tail.endIndex
    }

    /// Bitwarden puts all addresses of a login into one field, with commas between.
    static func split(_ text: String) -> [String] {
        var addresses: [String] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            // A comma inside an address begins none.
            if addresses.isEmpty || WebAddress(String(part)) != nil || part.contains("://") {
                addresses.append(String(part))
            } else {
                addresses[addresses.count - 1] += "," + part
            }
        }
        return addresses
    }

    /// Whether a text without a protocol is meant as a host's name rather than as words.
    private static func isBareHost(_ host: String) -> Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count > 1
            && labels.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" } }
    }

    private static func takeProtocol(_ text: Substring) -> (String?, Substring) {
        for (prefix, name) in [("https://", "htps"), ("http://", "http")]
        where text.prefix(prefix.count).lowercased() == prefix {
            return (name, text.dropFirst(prefix.count))
        }
        return (nil, text)
    }

    private static func split(authority: Substring) -> (host: String, port: Int?)? {
        var host = authority
        var digits: Substring = ""
        if authority.first == "[" {
            guard let close = authority.firstIndex(of: "]") else { return nil }
            host = authority[authority.index(after: authority.startIndex)..<close]
            let rest = authority[authority.index(after: close)...]
            guard rest.isEmpty || rest.first == ":" else { return nil }
            digits = rest.dropFirst()
        } else if let colon = authority.firstIndex(of: ":") {
            host = authority[..<colon]
            digits = authority[authority.index(after: colon)...]
        }
        guard !host.isEmpty, !host.contains(where: \.isWhitespace) else { return nil }
        guard !digits.isEmpty else { return (String(host), nil) }
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let port = Int(digits), (1...65_535).contains(port)
        else { return nil }
        return (String(host), port)
    }
}
