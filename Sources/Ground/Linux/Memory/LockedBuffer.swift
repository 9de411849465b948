import CLinux

/// An owned block of locked memory with a fill mark: the one place where raw pointers to secrets are handled.
///
/// `Secrets` builds its types on it, which others use; only what reads a secret from a descriptor or takes it apart
/// handles the buffer itself.
@safe package struct LockedBuffer: ~Copyable, Sendable {
    private var block: LockedMemory.Block
    /// How many bytes, from the first, are in use.
    package private(set) var count = 0

    /// - Throws: `LinuxError` when the kernel refuses more locked memory.
    package init(capacity: Int) throws(LinuxError) {
        block = try LockedMemory.allocate(byteCount: max(capacity, 1))
    }

    deinit { LockedMemory.free(block) }

    /// For how many bytes there is room before it grows.
    package var capacity: Int { block.byteCount }

    /// What it takes of the process's locked memory.
    package var lockedByteCount: Int { block.room }

    /// The bytes in use, readable as long as the buffer is borrowed.
    package var bytes: RawSpan {
        @_lifetime(borrow self)
        borrowing get {
            let span = unsafe RawSpan(_unsafeStart: UnsafeRawPointer(block.address), byteCount: count)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    /// One byte behind those in use.
    package mutating func append(_ byte: UInt8) throws(LinuxError) {
        try reserve(1)
        unsafe block.address.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    /// Copies bytes behind those in use; where it has to grow, the memory before is wiped.
    package mutating func append(_ source: RawSpan) throws(LinuxError) {
        try reserve(source.byteCount)
        let target = unsafe block.address + count
        unsafe source.withUnsafeBytes { unsafe copy($0, to: target) }
        count += source.byteCount
    }

    /// As many bytes from getrandom(2) behind those in use.
    package mutating func appendRandom(count added: Int) throws(LinuxError) {
        try reserve(added)
        unsafe cl_random(block.address + count, added)
        count += added
    }

    /// As many zeros behind those in use.
    package mutating func appendZeros(count added: Int) throws(LinuxError) {
        try reserve(added)
        unsafe cl_wipe(block.address + count, added)
        count += added
    }

    /// Overwrites four bytes in use, big-endian: for a length that is known only afterwards.
    package mutating func overwrite(at offset: Int, with value: UInt32) {
        precondition(offset >= 0 && offset + 4 <= count)
        unsafe block.address.storeBytes(of: value.bigEndian, toByteOffset: offset, as: UInt32.self)
    }

    /// Wipes what is in use and forgets it.
    package mutating func removeAll() {
        unsafe cl_wipe(block.address, count)
        count = 0
    }

    /// Shortens to `newCount` and wipes what is cut off.
    package mutating func truncate(to newCount: Int) {
        guard newCount < count else { return }
        unsafe cl_wipe(block.address + newCount, count - newCount)
        count = newCount
    }

    /// Removes the first `dropped` bytes and moves the rest to the front.
    package mutating func removeFirst(_ dropped: Int) {
        precondition(dropped >= 0 && dropped <= count)
        let left = count - dropped
        unsafe block.address.copyMemory(from: block.address + dropped, byteCount: left)
        unsafe cl_wipe(block.address + left, dropped)
        count = left
    }

    /// Lets `fill` write up to `room` bytes behind those in use; it returns how many it wrote.
    package mutating func appendInPlace<E: Error>(
        room: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(E) -> Int
    ) throws -> Int {
        try reserve(room)
        let written = try unsafe fill(UnsafeMutableRawBufferPointer(start: block.address + count, count: room))
        count += written
        return written
    }

    /// Makes room for `added` more bytes, moving to a larger block and wiping the old one where needed.
    package mutating func reserve(_ added: Int) throws(LinuxError) {
        let needed = count + added
        guard needed > capacity else { return }
        let larger = try LockedMemory.allocate(byteCount: max(needed, capacity * 2))
        unsafe larger.address.copyMemory(from: block.address, byteCount: count)
        LockedMemory.free(block)
        block = larger
    }

    private func copy(_ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer) {
        if let base = source.baseAddress { unsafe target.copyMemory(from: base, byteCount: source.count) }
    }

    /// True when both hold the same bytes; the time taken depends on the lengths alone.
    package borrowing func equalsInConstantTime(_ other: RawSpan) -> Bool {
        guard other.byteCount == count else { return false }
        let mine = unsafe block.address
        return unsafe other.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return true }
            return unsafe cl_equal(mine, base, buffer.count) == 1
        }
    }
}
