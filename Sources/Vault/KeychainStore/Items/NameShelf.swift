import Protection
import Secrets
import Wire

/// What items are called, in the order in which they were added, so that a beginning is found without opening each.
///
/// In locked memory. Whoever has it forgets it with the keys, and with every change of the store.
///
/// Of each row: its id, how many names there are, and each name with its length before it, folded.
final class NameShelf {
    /// How many bytes there may be, of the 8 MiB that the kernel locks for a program.
    private let room: Int

    private var entries: SecretBuffer
    private var changes: Int64 = 0
    private var lockState: LockState?
    private var isFull = false
    /// The last row whose names are here, as are those of all rows before it; 0 where there are none.
    private(set) var last: Int64 = 0

    /// - Parameter room: bytes.
    /// - Throws: `SecretMemoryError`.
    init(room: Int = 1 << 20) throws(SecretMemoryError) {
        self.room = room
        entries = try SecretBuffer(capacity: 64)
    }

    /// Wipes everything.
    func forget() {
        entries.removeAll()
        // The room goes back as well, where there is some for a smaller one.
        if let fresh = try? SecretBuffer(capacity: 64) { entries = fresh }
        (last, isFull) = (0, false)
    }

    /// Wipes everything where the store has changed since it was last asked, or other rows open now.
    ///
    /// - Parameter changes: how often it has changed.
    func forget(unless changes: Int64, _ lockState: LockState) {
        guard changes != self.changes || lockState != self.lockState else { return }
        forget()
        (self.changes, self.lockState) = (changes, lockState)
    }

    /// Adds the next row.
    ///
    /// - Parameters:
    ///   - row: behind ``last``; nothing lies between them.
    ///   - names: none where it does not open.
    func append(_ row: Int64, _ names: [String]) {
        guard !isFull else { return }
        let before = entries.count
        let folded = names.map { Array(NameQuery.folded($0).utf8) }
        let needed = folded.reduce(9) { $0 + 1 + $1.count }
        // Asked first: a buffer that has grown beyond its room stays as large.
        if before + needed <= room {
            do {
                try entries.uint64(UInt64(row))
                try entries.uint8(UInt8(folded.count))
                for name in folded {
                    try entries.uint8(UInt8(name.count))
                    try entries.append(name)
                }
                return last = row
            } catch {
                // No locked memory is left: the rest is opened each time.
            }
        }
        entries.truncate(to: before)
        isFull = true
    }

    /// The rows of which a name may begin so, ascending.
    func rows(_ beginning: NameBeginning, after row: Int64) -> [Int64] {
        var found: [Int64] = []
        entries.withBytes { span in
            var reader = ByteReader(span)
            while let id = try? reader.uint64(), let count = try? reader.uint8() {
                var fits = false
                for _ in 0..<count {
                    guard let length = try? reader.uint8(), let name = try? reader.take(Int(length)) else { return }
                    if !fits && id > UInt64(row) { fits = beginning.mayBegin(name) }
                }
                if fits { found.append(Int64(id)) }
            }
        }
        return found
    }
}

/// A folded beginning of a name.
struct NameBeginning {
    private let bytes: [UInt8]
    /// How many bytes every other spelling of it has as well: a letter may be written with its accent or before it.
    private let sureCount: Int

    /// - Parameter folded: as `NameQuery.folded` makes it.
    init(_ folded: String) {
        bytes = Array(folded.utf8)
        sureCount = bytes.firstIndex { $0 >= 0x80 }.map { max($0 - 1, 0) } ?? bytes.count
    }

    /// Whether a folded name begins so; true as well where it might in another spelling of its letters.
    func mayBegin(_ name: RawSpan) -> Bool {
        var reader = ByteReader(name)
        for (place, byte) in bytes.enumerated() {
            let other = try? reader.uint8()
            guard other != byte else { continue }
            guard place >= sureCount, sureCount < bytes.count else { return false }
            return (other ?? 0) >= 0x80 || name.hasByteBeyondASCII(after: place)
        }
        return true
    }

    /// The same of a name as it is.
    func mayBegin(_ name: String) -> Bool {
        let folded = Array(NameQuery.folded(name).utf8)
        return unsafe mayBegin(folded.span.bytes)
    }
}

extension RawSpan {
    fileprivate func hasByteBeyondASCII(after place: Int) -> Bool {
        var reader = ByteReader(self)
        guard (try? reader.take(min(place, byteCount))) != nil else { return false }
        while let byte = try? reader.uint8() {
            if byte >= 0x80 { return true }
        }
        return false
    }
}
