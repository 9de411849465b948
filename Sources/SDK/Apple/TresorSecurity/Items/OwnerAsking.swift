import TresorLocalAuthentication
import Protection
import Wire

/// How the owner is asked: as the call's dictionary says, and, for a key of the enclave's, in each later use.
struct OwnerAsking: Sendable {
    /// Nil where each call and each use asks anew.
    ///
    /// A context belongs to one thread at a time, and so does a key that was found with one.
    @safe nonisolated(unsafe) var context: LAContext?
    var mayAsk = true
    /// What the owner is told; empty for the context's own.
    var prompt = ""
}

extension ItemDictionary {
    var asking: OwnerAsking { OwnerAsking(context: context, mayAsk: interface == .allowed, prompt: prompt) }
}

extension ItemDictionary {
    /// Whether the item that it would be has a password of its own.
    var wantsPassword: Bool {
        let bits = UInt32(truncatingIfNeeded: attributes.number(.accessControl) ?? 0)
        return AccessControl(rawValue: bits).contains(.applicationPassword)
    }
}
