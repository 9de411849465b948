import CLinux
import Synchronization

/// Memory for secrets: never in swap, never in a core dump, wiped when it is given back.
///
/// Blocks of up to 128 KiB come from slabs of 512 KiB, in powers of two; larger ones get a mapping of their own. When
/// the kernel refuses more locked memory, allocation throws: a secret never falls back to ordinary memory.
package enum LockedMemory {
    /// How the kernel protects the pages.
    package enum Kind: Int32, Sendable {
        /// memfd_secret(2): not even root reads them through /proc/PID/mem.
        case secret = 1
        /// mlock(2), left out of core dumps, wiped on fork.
        case locked = 2
    }

    /// A block; `byteCount` is what was asked for, the room behind it may be larger.
    @safe struct Block: @unchecked Sendable {
        let address: UnsafeMutableRawPointer
        let byteCount: Int
        let room: Int
    }

    static let slabSize = 512 * 1024
    static let smallest = 32
    static let largestInSlab = 128 * 1024

    @safe private struct State: @unchecked Sendable {
        var free: [[UnsafeMutableRawPointer]]
        var slab: UnsafeMutableRawPointer?
        var slabUsed = 0
        var kind: Kind?
        var frozen = false
    }

    private static let state = Mutex(
        unsafe State(free: Array(repeating: [], count: 13), slab: nil))

    /// Forgets what was mapped: for a process that was just forked, in which those pages are not (MADV_DONTFORK).
    ///
    /// No block of its parent's must be in use in it.
    static func startAnew() { state.withLock { unsafe $0 = State(free: Array(repeating: [], count: 13), slab: nil) } }

    /// How the pages of this process are protected; nil before the first allocation.
    package static var kind: Kind? { state.withLock { $0.kind } }

    /// Maps one slab now and refuses every further mapping, for a process whose sandbox forbids them.
    package static func reserveAndFreeze() throws(LinuxError) {
        let block = try allocate(byteCount: smallest)
        free(block)
        state.withLock { $0.frozen = true }
    }

    static func allocate(byteCount: Int) throws(LinuxError) -> Block {
        let room = roomFor(byteCount)
        let address = try unsafe state.withLock { (state) throws(LinuxError) -> UnsafeMutableRawPointer in
            guard room <= largestInSlab else { return try unsafe map(room, &state) }
            if let reused = unsafe state.free[index(of: room)].popLast() { return unsafe reused }
            if let slab = unsafe state.slab, state.slabUsed + room <= slabSize {
                defer { state.slabUsed += room }
                return unsafe slab + state.slabUsed
            }
            let slab = try unsafe map(slabSize, &state)
            unsafe state.slab = slab
            state.slabUsed = room
            return unsafe slab
        }
        return unsafe Block(address: address, byteCount: byteCount, room: room)
    }

    static func free(_ block: Block) {
        unsafe cl_wipe(block.address, block.room)
        guard block.room <= largestInSlab else { return unsafe cl_unmap(block.address, block.room) }
        state.withLock { unsafe $0.free[index(of: block.room)].append(block.address) }
    }

    private static func map(_ size: Int, _ state: inout State) throws(LinuxError) -> UnsafeMutableRawPointer {
        guard !state.frozen else { throw LinuxError(call: "locked memory", code: LinuxError.Code.noMemory) }
        var kind: Int32 = 0
        guard let address = unsafe cl_map_secret(size, &kind) else {
            throw LinuxError(call: "memfd_secret, mlock", code: LinuxError.Code.noMemory)
        }
        state.kind = Kind(rawValue: kind)
        return unsafe address
    }

    private static func roomFor(_ byteCount: Int) -> Int {
        // A mapping of its own has whole pages.
        guard byteCount <= largestInSlab else { return (byteCount + 4095) & ~4095 }
        var room = smallest
        while room < byteCount { room *= 2 }
        return room
    }

    private static func index(of room: Int) -> Int { room.trailingZeroBitCount - smallest.trailingZeroBitCount }
}
