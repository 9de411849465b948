/// Whose pages may show a widget in a frame: a scheme, a host and a port, as a content security policy names them.
///
///     PageOrigin("https://home.example.org:8443")
///     PageOrigin("http://localhost:*")
package struct PageOrigin: Equatable, Sendable {
    /// Pages of this machine, on every port.
    package static let ownMachine = [PageOrigin(text: "http://localhost:*"), PageOrigin(text: "http://127.0.0.1:*")]

    /// As a policy has it (CSP Level 3, 2.3.1).
    package let text: String

    private init(text: String) { self.text = text }

    /// - Parameter text: `http://` or `https://`, a host, and a port or `:*` where it is not the scheme's; nil for any
    ///   other, also for an IPv6 address, which a policy cannot name.
    package init?(_ text: String) {
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix), text.utf8.count <= 300 else {
            return nil
        }
        let parts = text.dropFirst(scheme.count).split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let host = parts.first, Self.isHost(host) else { return nil }
        if parts.count == 2 && parts[1] != "*" {
            guard let port = UInt16(parts[1]), port > 0, String(port) == parts[1] else { return nil }
        }
        self.text = text
    }

    /// Labels of letters, digits and hyphens (RFC 1123, 2.1).
    private static func isHost(_ text: Substring) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            !label.isEmpty && !label.hasPrefix("-")
                && label.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
                        || byte == 0x2d
                }
        }
    }
}
