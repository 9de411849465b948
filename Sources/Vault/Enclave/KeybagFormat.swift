import KeyEnvelopes
import Secrets

/// The keybag's byte format to itself, for whoever checks it against bytes of his own.
package enum KeybagFormat {
    /// The bytes that a body encodes to again; nil when it is refused.
    package static func roundTrip(_ body: [UInt8]) -> [UInt8]? { try? Keybag.decode(body).encode() }

    /// A slot file's slot that holds `body`, under a key that everybody knows.
    package static func slot(holding body: [UInt8]) -> [UInt8]? {
        guard let key = knownKey() else { return nil }
        let slot = SlotFile.encode(SlotContent(generation: 1, content: body), purpose: Keybag.purpose, macKey: key)
        return slot + [UInt8](repeating: 0, count: 32)
    }

    /// The bytes that a slot under that key encodes to again, filled up as it was; nil when it is refused.
    package static func slotRoundTrip(_ bytes: [UInt8]) -> [UInt8]? {
        guard let key = knownKey(), let slot = SlotFile.decode(bytes, purpose: Keybag.purpose, macKey: key) else {
            return nil
        }
        let again = SlotFile.encode(slot, purpose: Keybag.purpose, macKey: key)
        return again + [UInt8](repeating: 0, count: max(0, bytes.count - again.count))
    }

    private static func knownKey() -> SecretBytes? {
        let bytes = [UInt8](repeating: 7, count: KeyEnvelope.keyByteCount)
        return try? bytes.withSpan { try SecretBytes(copying: $0) }
    }
}
