import Envelopes
import Linux
import Secrets

/// A small file that is rewritten as a whole and survives a crash at any byte: two slots with a generation and a MAC.
///
/// A write fills one slot, waits for the disk, fills the other, waits again. Whoever starts after a crash finds at
/// least
/// one whole slot, takes the newer and finishes the overwrite, so that no older content stays behind. See
/// specs/slot-file.md.
struct SlotFile: ~Copyable {
    static let magic = Array("TRSL".utf8)
    static let version: UInt8 = 1
    /// Magic, version, generation, length.
    static let headerByteCount = 4 + 1 + 8 + 4
    static let macByteCount = 32

    let purpose: String
    let slotByteCount: Int
    private let file: FileDescriptor
    private(set) var generation: UInt64 = 0
    private var current: [UInt8] = []

    /// Takes an open file; it is read by ``load`` or filled by ``save``.
    init(_ file: consuming FileDescriptor, purpose: String, slotByteCount: Int) {
        self.file = file
        self.purpose = purpose
        self.slotByteCount = slotByteCount
    }

    /// The newest content.
    ///
    /// - Throws: `EnclaveFailure.damaged` when neither slot is whole.
    mutating func load(macKey: borrowing SecretBytes) throws(EnclaveFailure) -> [UInt8] {
        let first = try read(slot: 0, macKey)
        let second = try read(slot: 1, macKey)
        guard let newest = [first, second].compactMap({ $0 }).max(by: { $0.generation < $1.generation }) else {
            throw .damaged(purpose)
        }
        generation = newest.generation
        current = newest.content
        if first != newest { try put(newest, slot: 0, macKey) }
        if second != newest { try put(newest, slot: 1, macKey) }
        if first != second { try sync() }
        return newest.content
    }

    /// Replaces the content in both slots; when it returns, nothing of the former is left in the file.
    ///
    /// - Throws: `EnclaveFailure.storage` when the former content is still the one in force;
    ///   `EnclaveFailure.undecided` when only the next start can tell which one is.
    mutating func save(_ content: [UInt8], macKey: borrowing SecretBytes) throws(EnclaveFailure) {
        guard content.count <= slotByteCount - Self.headerByteCount - Self.macByteCount else {
            throw .damaged(purpose)
        }
        let former = SlotContent(generation: generation, content: current)
        let next = SlotContent(generation: generation + 1, content: content)
        // Until the first slot is whole, the second speaks: a failure so far has changed nothing.
        try put(next, slot: 0, macKey)
        do {
            try sync()
            try put(next, slot: 1, macKey)
            try sync()
        } catch {
            try bringBack(former, macKey)
            throw error
        }
        generation = next.generation
        current = content
    }

    private func bringBack(_ former: SlotContent, _ macKey: borrowing SecretBytes) throws(EnclaveFailure) {
        guard former.generation > 0 else { throw .undecided }
        do {
            try put(former, slot: 0, macKey)
            try put(former, slot: 1, macKey)
            try sync()
        } catch { throw .undecided }
    }

    private func read(slot: Int, _ macKey: borrowing SecretBytes) throws(EnclaveFailure) -> SlotContent? {
        do {
            let bytes = try file.read(count: slotByteCount, at: slot * slotByteCount)
            return Self.decode(bytes, purpose: purpose, macKey: macKey)
        } catch { throw .storage(error) }
    }

    private func put(_ slot: SlotContent, slot number: Int, _ macKey: borrowing SecretBytes) throws(EnclaveFailure) {
        let bytes = Self.encode(slot, purpose: purpose, macKey: macKey)
        let start = number * slotByteCount
        do {
            // The padding goes first: only a slot of which every byte was written is whole.
            try file.write([UInt8](repeating: 0, count: slotByteCount - bytes.count), at: start + bytes.count)
            try file.write(bytes, at: start)
        } catch { throw .storage(error) }
    }

    private func sync() throws(EnclaveFailure) {
        do { try file.syncData() } catch { throw .storage(error) }
    }
}

/// What one slot holds.
struct SlotContent: Equatable {
    var generation: UInt64
    var content: [UInt8]
}

extension SlotFile {
    static func encode(_ slot: SlotContent, purpose: String, macKey: borrowing SecretBytes) -> [UInt8] {
        var writer = ByteWriter()
        writer.raw(magic)
        writer.uint8(version)
        writer.uint64(slot.generation)
        writer.field(slot.content)
        writer.raw(mac(of: writer.bytes, purpose: purpose, macKey))
        return writer.bytes
    }

    /// Nil for a slot that is torn, of another purpose, of another device, or not filled up with zeros.
    static func decode(_ bytes: [UInt8], purpose: String, macKey: borrowing SecretBytes) -> SlotContent? {
        bytes.withSpan { span in
            var reader = ByteReader(span)
            guard let magic = try? reader.bytes(4), magic == Self.magic, (try? reader.uint8()) == version,
                let generation = try? reader.uint64(), let content = try? reader.bytesField(limit: bytes.count),
                let claimed = try? reader.bytes(macByteCount)
            else { return nil }
            let signed = Array(bytes[..<(headerByteCount + content.count)])
            guard constantTimeEquals(claimed, mac(of: signed, purpose: purpose, macKey)) else { return nil }
            while reader.remaining > 0 {
                guard (try? reader.uint8()) == 0 else { return nil }
            }
            return SlotContent(generation: generation, content: content)
        }
    }

    private static func mac(of bytes: [UInt8], purpose: String, _ key: borrowing SecretBytes) -> [UInt8] {
        var writer = ByteWriter()
        writer.field("tresor slot \(purpose) v1")
        writer.raw(bytes)
        return DeviceKeys.authenticateState(writer.bytes, under: key)
    }
}
