import EnclaveWire
import KeyEnvelopes
import Secrets
import Wire

/// Row keys that were made before the items came that they are for: most items of a batch differ in nothing that the
/// enclave looks at.
///
/// They are asked for together, which spares a turn of both processes for each. They go with the batch's end.
struct RowKeysAhead {
    private final class Entry {
        let item: Identifier
        let binding: [UInt8]
        private var key: NewKey?

        init(_ item: Identifier, _ binding: [UInt8], _ key: consuming NewKey) {
            self.item = item
            self.binding = binding
            self.key = consume key
        }

        func take() -> NewKey? { key.take() }
    }

    /// How many are made at a time.
    private static let count = 16

    /// What the enclave is told of an item, but for its name.
    private var model: RowKeyBinding?
    private var entries: [Entry] = []

    init() {}

    var isEmpty: Bool { entries.isEmpty }

    /// The name for an item for which a key was made ahead.
    ///
    /// - Returns: nil for one that differs from the one before it, or that the owner has to prove something for.
    mutating func nextItem(like binding: RowKeyBinding, _ keystore: any Keystore) -> Identifier? {
        guard binding.accessControl == 0, binding.enrolment.isEmpty, binding.password.isEmpty else { return nil }
        var model = binding
        model.item = Identifier(high: 0, low: 0)
        guard model == self.model else {
            entries = []
            self.model = model
            return nil
        }
        if entries.isEmpty { fetch(model, keystore) }
        return entries.last?.item
    }

    /// The key that was made for a binding, which is given out once; nil where there is none.
    mutating func take(_ item: Identifier, _ binding: [UInt8]) -> NewKey? {
        guard let last = entries.last, last.item == item else { return nil }
        entries.removeLast()
        return last.binding == binding ? last.take() : nil
    }

    /// Why there are none shows when one is asked for by itself.
    private mutating func fetch(_ model: RowKeyBinding, _ keystore: any Keystore) {
        let items = (0..<Self.count).map { _ in Identifier.makeRandom() }
        let bindings = items.map { item in
            var binding = model
            binding.item = item
            return binding.encoded
        }
        var made: [Entry] = []
        try? keystore.makeRowKeys(bindings: bindings) { made.append(Entry(items[$0], bindings[$0], $1)) }
        entries = made
    }
}
