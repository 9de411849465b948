import Linux
import Secrets
import Wire

/// One client of the native socket.
///
/// What waits to be read or written lies in locked memory, and only while it waits.
final class Connection {
    let id: UInt64
    let socket: FileDescriptor
    let peer: PeerProcess
    /// What is known of its program, and whether that was looked up.
    var caller: CallerIdentifier.Seen?
    var isCallerSettled = false
    /// A frame of which the rest has not come yet.
    var input: SecretBuffer?
    /// Replies that the client has not taken yet.
    ///
    /// While there are any, nothing more is read from it.
    var output: SecretBuffer?
    var isSubscribed = false
    /// Whether its program holds what a lock must wipe.
    var isHolder = false
    /// Whether a lock waits for it.
    var mustEvict = false
    var isClosed = false
    /// When it last sent a whole frame, in milliseconds of the boot clock.
    var lastActive = SystemClock.bootMilliseconds()
    /// When the client last took a part of what waits for it.
    private(set) var outputSince: UInt64 = 0
    /// When the waiting frame began, in milliseconds of the boot clock.
    var inputSince: UInt64 = 0

    /// - Throws: `LinuxError` where the other end is gone already.
    init(id: UInt64, socket: consuming FileDescriptor) throws(LinuxError) {
        peer = try PeerProcess(of: socket)
        self.id = id
        self.socket = socket
    }

    var wantsToWrite: Bool {
        switch output {
        case .some(let output): output.count > 0
        case .none: false
        }
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
