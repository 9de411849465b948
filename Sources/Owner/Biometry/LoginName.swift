/// A user's name as it may stand in a path and on the bus.
package struct LoginName: Equatable, Sendable {
    /// The name itself.
    package let text: String

    /// Nil for what can't be the name of a folder of its own: empty, `.`, `..`, with a slash or a control character, or
    /// longer than 255 bytes.
    package init?(_ text: String) {
        guard !text.isEmpty, text != ".", text != "..", text.utf8.count <= 255,
            !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f || $0 == UInt8(ascii: "/") })
        else { return nil }
        self.text = text
    }
}
