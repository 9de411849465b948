import EventLoop
import Linux
import Secrets
import Wire

/// One client of the keychain socket.
///
/// What waits to be read or written lies in locked memory, and only while it waits.
final class Connection: LoopPeer {
    let id: UInt64
    let socket: FileDescriptor
    let peer: PeerProcess
    let process: ProcessName
    /// Whether it is a program of ours, for whom a part of everything is kept; see `PeerShares`.
    var isOurs = false
    /// What is known of its program, and whether that was looked up.
    var caller: CallerIdentifier.Seen?
    var isCallerSettled = false
    /// Whole frames that wait for their turn, and one of which the rest has not come yet.
    var input: SecretBuffer?
    /// Whether `input` begins with a whole frame: then nothing more is read before that is answered.
    var hasWholeFrame = false
    /// Whether its requests wait until it is known which program it is.
    var isLookedAt = false
    /// Replies that the client has not taken yet.
    ///
    /// While there are any, nothing more is read from it.
    var output: SecretBuffer?
    var isSubscribed = false
    /// Whether its program holds what a lock must wipe.
    var isHolder = false
    var isClosed = false
    /// Whether the enclave may keep something for it: a proof, an item's password.
    var isKnownToEnclave = false
    /// When an item's password was last given over it, as a number that grows; 0 for never.
    var gavePassword: UInt64 = 0
    /// When it last sent a whole frame, in milliseconds of the boot clock.
    var lastActive = SystemClock.bootMilliseconds()
    /// When the client last took a part of what waits for it.
    private(set) var outputSince: UInt64 = 0
    /// When the waiting frame began, in milliseconds of the boot clock.
    var inputSince: UInt64 = 0

    /// - Throws: `LinuxError` where the other end is gone already.
    init(id: UInt64, socket: consuming FileDescriptor) throws(LinuxError) {
        peer = try PeerProcess(of: socket)
        process = ProcessName(peer)
        self.id = id
        self.socket = socket
    }

    var descriptor: Int32 { socket.raw }

    var wantsToWrite: Bool {
        switch output {
        case .some(let output): output.count > 0
        case .none: false
        }
    }

    /// Whether more is read from it now.
    var isRead: Bool { !wantsToWrite && !hasWholeFrame && !isLookedAt }

    /// Whether it can be served without waiting for its socket.
    var hasWork: Bool { hasWholeFrame && !wantsToWrite && !isLookedAt && !isClosed }

    /// How much locked memory waits for it, in bytes.
    var waitingBytes: Int { inputBytes + outputBytes }

    private var inputBytes: Int {
        switch input {
        case .some(let input): input.storage.lockedByteCount
        case .none: 0
        }
    }

    private var outputBytes: Int {
        switch output {
        case .some(let output): output.storage.lockedByteCount
        case .none: 0
        }
    }

    var rank: PeerShares.Claim.Rank { isHolder ? .holder : isSubscribed ? .subscriber : .plain }

    /// What it takes of something.
    func claim(_ amount: Int) -> PeerShares.Claim {
        PeerShares.Claim(
            peer: id, process: process, isOurs: isOurs, rank: rank, lastActive: lastActive, amount: amount)
    }

    /// Ends the process that connected, and no later one that was given its number.
    func killProcess() { peer.kill() }

    /// Forgets the replies that wait; half of one ends the connection.
    func dropOutput() {
        guard wantsToWrite else { return }
        output = nil
        isClosed = true
    }

    /// Writes what it can and keeps the rest.
    func send(_ bytes: RawSpan) throws {
        var used = 0
        if !wantsToWrite {
            while used < bytes.byteCount {
                let transfer = try socket.write(bytes.extracting(droppingFirst: used))
                if transfer == .closed { return isClosed = true }
                guard case .moved(let count) = transfer else { break }
                used += count
            }
        }
        guard used < bytes.byteCount else { return }
        if !wantsToWrite { outputSince = SystemClock.bootMilliseconds() }
        var waiting = try takeOutput()
        try waiting.append(bytes.extracting(droppingFirst: used))
        output = consume waiting
    }

    /// Goes on writing what waits.
    func flush() throws {
        var waiting = try takeOutput()
        while waiting.count > 0 {
            let transfer = try socket.write(waiting.bytes)
            if transfer == .closed { return isClosed = true }
            guard case .moved(let count) = transfer else { break }
            waiting.removeFirst(count)
            outputSince = SystemClock.bootMilliseconds()
        }
        output = waiting.count > 0 ? consume waiting : nil
    }

    private func takeOutput() throws(SecretMemoryError) -> SecretBuffer {
        if let waiting = output.take() { return waiting }
        return try SecretBuffer(capacity: 4096)
    }

    func takeInput() -> SecretBuffer? { input.take() }
}
