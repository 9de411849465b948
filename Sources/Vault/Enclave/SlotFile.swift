import KeyEnvelopes
import Linux
import Secrets

/// A small file that is rewritten as a whole and survives a crash at any byte: two slots with a generation and a MAC.
///
/// A write fills one slot, waits for the disk, fills the other, waits again, and then does the same with a spare file
/// in another folder. Whoever starts after a crash, or after damage, finds at least one whole slot, takes the newest
/// and brings the others up to it, so that no older content stays behind. See specs/slot-file.md.
struct SlotFile: ~Copyable {
    /// An open file of two slots.
    final class Place {
        let file: FileDescriptor
        /// Whether nothing in it was whole when it was read.
        fileprivate(set) var wasDamaged = false

        init(_ file: consuming FileDescriptor) { self.file = file }
    }

    static let magic = Array("TRSL".utf8)
    static let version: UInt8 = 1
    /// Magic, version, generation, length.
    static let headerByteCount = 4 + 1 + 8 + 4
    static let macByteCount = 32

    let purpose: String
    let slotByteCount: Int
    let first: Place
    private(set) var spare: Place?
    /// Whether the spare file holds what the first one does.
    private(set) var hasSpare = false
    private(set) var generation: UInt64 = 0
    private var current: [UInt8] = []

    /// Takes open files; they are read by ``load(macKey:)`` or filled by ``save(_:macKey:)``.
    ///
    /// - Parameter spare: nil where none can be kept.
    init(_ first: Place, spare: Place? = nil, purpose: String, slotByteCount: Int) {
        self.first = first
        self.spare = spare
        self.purpose = purpose
        self.slotByteCount = slotByteCount
    }

    /// Leaves the spare file as it is: it is another device's.
    mutating func leaveSpare() { spare = nil }

    /// Whether a slot of it is whole under this key.
    func isWhole(in place: Place?, macKey: borrowing SecretBytes) -> Bool {
        guard let place else { return false }
        return (0..<2).contains { (try? read(slot: $0, place, macKey)) ?? nil != nil }
    }

    /// The newest content.
    ///
    /// - Throws: `EnclaveFailure.damaged` when no slot is whole; `EnclaveFailure.storage` when one could not be read.
    mutating func load(macKey: borrowing SecretBytes) throws(EnclaveFailure) -> [UInt8] {
        var failure = EnclaveFailure.damaged(.init(slotFile: purpose))
        let inFirst = read(first, macKey, &failure)
        let inSpare = spare.map { read($0, macKey, &failure) } ?? []
        let whole = (inFirst + inSpare).compactMap { $0 }
        guard let newest = whole.max(by: { $0.generation < $1.generation }) else { throw failure }
        generation = newest.generation
        current = newest.content
        try bring(first, to: newest, from: inFirst, macKey)
        if let spare {
            do {
                try bring(spare, to: newest, from: inSpare, macKey)
                hasSpare = true
            } catch { try? empty(spare) }
        }
        return newest.content
    }

    private func bring(
        _ place: Place, to newest: SlotContent, from slots: [SlotContent?], _ macKey: borrowing SecretBytes
    ) throws(EnclaveFailure) {
        place.wasDamaged = slots.allSatisfy { $0 == nil }
        for (number, slot) in slots.enumerated() where slot != newest { try put(newest, slot: number, place, macKey) }
        let isGrown = try hasMore(place)
        if isGrown { try cut(place, to: 2 * slotByteCount) }
        if isGrown || slots.contains(where: { $0 != newest }) { try sync(place) }
    }

    /// Replaces the content in all slots; when it returns, nothing of the former is left in the files.
    ///
    /// - Throws: `EnclaveFailure.storage` when the former content is still the one in force;
    ///   `EnclaveFailure.undecided` when only the next start can tell which one is.
    mutating func save(_ content: [UInt8], macKey: borrowing SecretBytes) throws(EnclaveFailure) {
        guard content.count <= slotByteCount - Self.headerByteCount - Self.macByteCount else {
            throw .damaged(.init(slotFile: purpose))
        }
        let former = SlotContent(generation: generation, content: current)
        let next = SlotContent(generation: generation + 1, content: content)
        // Until the first slot is whole, the others speak: a failure so far has changed nothing.
        try put(next, slot: 0, first, macKey)
        do {
            try sync(first)
            try put(next, slot: 1, first, macKey)
            try sync(first)
            try fillSpare(with: next, macKey)
        } catch {
            try bringBack(former, macKey)
            throw error
        }
        generation = next.generation
        current = content
    }

    /// One bad sector of the spare file keeps nobody out: then it is emptied, so that it holds nothing older, and
    /// filled by a later save.
    private mutating func fillSpare(
        with content: SlotContent, _ macKey: borrowing SecretBytes
    ) throws(EnclaveFailure) {
        guard let spare else { return }
        do {
            try put(content, slot: 0, spare, macKey)
            try put(content, slot: 1, spare, macKey)
            try sync(spare)
            hasSpare = true
        } catch { try empty(spare) }
    }

    private mutating func empty(_ spare: Place) throws(EnclaveFailure) {
        hasSpare = false
        try cut(spare, to: 0)
        try sync(spare)
    }

    /// Whether something stands behind the second slot, where nothing of ours ever does.
    private func hasMore(_ place: Place) throws(EnclaveFailure) -> Bool {
        do { return try !place.file.read(count: 1, at: 2 * slotByteCount).isEmpty } catch { throw .storage(error) }
    }

    private func cut(_ place: Place, to count: Int) throws(EnclaveFailure) {
        do { try place.file.truncate(to: count) } catch { throw .storage(error) }
    }

    private mutating func bringBack(
        _ former: SlotContent, _ macKey: borrowing SecretBytes
    ) throws(EnclaveFailure) {
        guard former.generation > 0 else { throw .undecided }
        do {
            try put(former, slot: 0, first, macKey)
            try put(former, slot: 1, first, macKey)
            try sync(first)
            try fillSpare(with: former, macKey)
        } catch { throw .undecided }
    }

    /// Nil for a slot that is not whole, or cannot be read: then another one speaks.
    private func read(
        _ place: Place, _ macKey: borrowing SecretBytes, _ failure: inout EnclaveFailure
    ) -> [SlotContent?] {
        var slots: [SlotContent?] = []
        for number in 0..<2 {
            do { slots.append(try read(slot: number, place, macKey)) } catch {
                failure = .storage(error)
                slots.append(nil)
            }
        }
        return slots
    }

    private func read(
        slot number: Int, _ place: Place, _ macKey: borrowing SecretBytes
    ) throws(LinuxError) -> SlotContent? {
        let bytes = try place.file.read(count: slotByteCount, at: number * slotByteCount)
        return Self.decode(bytes, purpose: purpose, macKey: macKey)
    }

    private func put(
        _ slot: SlotContent, slot number: Int, _ place: Place, _ macKey: borrowing SecretBytes
    ) throws(EnclaveFailure) {
        let bytes = Self.encode(slot, purpose: purpose, macKey: macKey)
        let start = number * slotByteCount
        do {
            // The padding goes first: only a slot of which every byte was written is whole.
            try place.file.write(
                [UInt8](repeating: 0, count: slotByteCount - bytes.count), at: start + bytes.count)
            try place.file.write(bytes, at: start)
        } catch { throw .storage(error) }
    }

    private func sync(_ place: Place) throws(EnclaveFailure) {
        do { try place.file.syncData() } catch { throw .storage(error) }
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
