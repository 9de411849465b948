import Envelopes
import Secrets

/// The keybag's byte format to itself, for whoever checks it against bytes of his own.
package enum KeybagFormat {
    /// The bytes that a body encodes to again; nil when it is refused.
    package static func roundTrip(_ body: [UInt8]) -> [UInt8]? { try? Keybag.decode(body).encode() }

    /// A slot whose content is `body` under a fresh key, read back; nil when it is refused.
    package static func slotRoundTrip(_ body: [UInt8]) -> [UInt8]? {
        guard let key = try? KeyEnvelope.makeKey() else { return nil }
        let slot = SlotContent(generation: 1, content: body)
        let bytes = SlotFile.encode(slot, purpose: Keybag.purpose, macKey: key)
        return SlotFile.decode(bytes, purpose: Keybag.purpose, macKey: key)?.content
    }
}
