import EnclaveWire
import KeychainStore
package import Linux
import Protection
import Secrets

/// The enclave, seen from tresord: one process, one socket, one request at a time.
final class EnclaveClient: Keystore {
    /// A KDF run takes a second or two at its dearest; who is silent for longer is no enclave any more.
    private static let patience = Duration.seconds(10)
    /// The command that locks waits two seconds for an answer, and ends the daemon then.
    private static let patienceForLock = Duration.seconds(1)

    private let socket: FileDescriptor
    private(set) var process: ChildProcess
    private var input: SecretBuffer
    private var output: SecretBuffer
    private(set) var state: EnclaveState
    /// Whether the other end has gone away; then every answer is a refusal.
    private(set) var isGone = false

    /// Starts the enclave on its folder.
    ///
    /// The one of a daemon that was killed ends with it, and may take a moment for that on a busy machine.
    ///
    /// - Throws: `StartFailure` when it does not come up.
    static func started(_ program: String, folder: String) throws -> EnclaveClient {
        for _ in 0..<30 {
            do { return try EnclaveClient(program: program, folder: folder) } catch let failure as StartFailure
                where failure.exit == .inUse
            {
                SystemClock.sleep(milliseconds: 100)
            }
        }
        return try EnclaveClient(program: program, folder: folder)
    }

    /// Starts the enclave on its folder and waits for its first word.
    ///
    /// - Throws: `StartFailure` when it does not come up.
    init(program: String, folder: String) throws {
        let (ours, theirs) = try UnixSocket.makePair()
        socket = FileDescriptor(owning: ours)
        let far = FileDescriptor(owning: theirs)
        let directory = try FileDescriptor.open(folder, FileFlags.directory)
        process = try ChildProcess(
            path: program, name: "tresor-enclave", descriptors: [far.raw, directory.raw])
        input = try SecretBuffer(capacity: 4096)
        output = try SecretBuffer(capacity: 4096)
        state = EnclaveState.unknown
        // Ours must be the only other end, or its death would not be seen.
        _ = consume far
        try socket.setReceiveTimeout(Self.patience)
        do { try refresh() } catch { throw StartFailure(Self.end(process), folder: folder) }
    }

    var lockState: LockState { isGone ? .beforeFirstUnlock : state.lock }
    var hasPasscode: Bool { state.hasPasscode }

    func refresh() throws(EnclaveRefusal) {
        guard let fresh = try call(.state).takeState() else { throw .badRequest }
        state = fresh
    }

    /// Locks, and gives the enclave one second for it; one that has not locked then is killed, which locks too.
    func lock() throws(EnclaveRefusal) {
        try? socket.setReceiveTimeout(Self.patienceForLock)
        defer { try? socket.setReceiveTimeout(Self.patience) }
        do { try perform(.lock) } catch {
            guard isGone || state.lock == .unlocked else { throw error }
            giveUp()
            throw .gone
        }
    }

    /// Passes on a request that answers nothing but success, and looks at what it changed.
    func perform(_ request: consuming EnclaveRequest) throws(EnclaveRefusal) {
        do {
            _ = try call(request)
        } catch {
            try refresh()
            throw error
        }
        try refresh()
    }

    /// Passes on a request that answers nothing but success, and changes nothing that ``state`` tells of.
    func send(_ request: consuming EnclaveRequest) throws(EnclaveRefusal) { _ = try call(request) }

    /// How a process that did not come up ended, by itself or by us.
    private static func end(_ process: ChildProcess) -> ChildProcess.End {
        for _ in 0..<100 {
            if let end = process.end() { return end }
            SystemClock.sleep(milliseconds: 10)
        }
        process.kill()
        return .killed(signal: ChildProcess.killSignal)
    }

    private var isReaped = false

    /// Whether the process has ended; from then on its number may be another's.
    func hasEnded() -> Bool {
        if !isReaped && process.end() != nil { isReaped = true }
        return isReaped
    }

    /// It has ended, or is not waited for any more.
    func giveUp() {
        isGone = true
        end()
    }

    func end() {
        guard !hasEnded() else { return }
        process.kill()
        isReaped = true
    }

    func makeRowKey(binding: [UInt8], connection: UInt64) throws(EnclaveRefusal) -> NewKey {
        try newKey(.makeRowKey(binding: binding, connection: connection))
    }

    /// All are sent ahead of the replies, which come in their order.
    func makeRowKeys(bindings: [[UInt8]], take: (Int, consuming NewKey) -> Void) throws(EnclaveRefusal) {
        try exchange {
            for binding in bindings {
                try EnclaveRequest.makeRowKey(binding: binding, connection: 0).encode(into: &output)
            }
            guard try output.withBytes({ try socket.writeAll($0) }) else { throw EnclaveRefusal.gone }
            var refusal: EnclaveRefusal?
            for index in bindings.indices {
                let reply = try nextReply()
                do throws(EnclaveRefusal) {
                    guard let new = try reply.unlessRefused().takeNewKey() else { throw .badRequest }
                    take(index, new)
                } catch { refusal = refusal ?? error }
            }
            if let refusal { throw refusal }
        }
    }

    func openRowKey(_ stored: StoredRowKey) throws(EnclaveRefusal) -> SecretBytes { try key(.openRowKey(stored)) }

    func makeTableKey(keychain: Identifier, _ protectionClass: ProtectionClass) throws(EnclaveRefusal) -> NewKey {
        try newKey(.makeTableKey(keychain: keychain, protectionClass: protectionClass))
    }

    func openTableKey(_ stored: StoredStoreKey) throws(EnclaveRefusal) -> SecretBytes {
        try key(.openTableKey(stored))
    }

    func makeIndexKey(keychain: Identifier, _ protectionClass: ProtectionClass) throws(EnclaveRefusal) -> NewKey {
        try newKey(.makeIndexKey(keychain: keychain, protectionClass: protectionClass))
    }

    func openIndexKey(_ stored: StoredStoreKey) throws(EnclaveRefusal) -> SecretBytes {
        try key(.openIndexKey(stored))
    }

    func makePrivateKey(binding: [UInt8], connection: UInt64) throws(EnclaveRefusal) -> NewPrivateKey {
        let reply = try call(.makePrivateKey(binding: binding, connection: connection))
        guard let new = reply.takeNewPrivateKey() else { throw .badRequest }
        return new
    }

    func usePrivateKey(_ use: PrivateKeyUse) throws(EnclaveRefusal) -> SecretBytes {
        switch use.work {
        case .agree: return try key(.usePrivateKey(use))
        case .sign:
            let signature = try record(.usePrivateKey(use))
            guard !signature.isEmpty else { throw .badRequest }
            do {
                return try signature.withSpan { (span) throws(SecretMemoryError) in try SecretBytes(copying: span) }
            } catch { throw .outOfMemory }
        }
    }

    /// The record of a keychain's key that was made, or wrapped under another passcode; none where nothing changes.
    func record(_ request: consuming EnclaveRequest) throws(EnclaveRefusal) -> [UInt8] {
        guard let record = try call(request).takeBytes() else { throw .badRequest }
        return record
    }

    /// The keys of keychains with a passcode of their own that are open.
    func openKeychains() throws(EnclaveRefusal) -> [Identifier] {
        guard let list = try call(.openKeychains).takeIdentifiers() else { throw .badRequest }
        return list
    }

    /// What the enclave insists on.
    func promises() throws(EnclaveRefusal) -> EnclavePromises {
        EnclavePromises(rawValue: try record(.promises).first ?? 0)
    }

    /// What it found of the two copies of its files.
    func copies() throws(EnclaveRefusal) -> DeviceCopies {
        let bytes = try record(.copies)
        guard bytes.count == 2 else { throw .badRequest }
        return DeviceCopies(rawValue: UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
    }

    private func newKey(_ request: consuming EnclaveRequest) throws(EnclaveRefusal) -> NewKey {
        guard let new = try call(request).takeNewKey() else { throw .badRequest }
        return new
    }

    private func key(_ request: consuming EnclaveRequest) throws(EnclaveRefusal) -> SecretBytes {
        guard let key = try call(request).takeKey() else { throw .badRequest }
        return key
    }

    private func call(_ request: consuming EnclaveRequest) throws(EnclaveRefusal) -> EnclaveReply {
        var request: EnclaveRequest? = consume request
        return try exchange {
            try request.take()?.encode(into: &output)
            guard try output.withBytes({ try socket.writeAll($0) }) else { throw EnclaveRefusal.gone }
            return try nextReply().unlessRefused()
        }
    }

    /// Tells what goes wrong as the enclave's word, and leaves nothing behind of what was said.
    private func exchange<Result: ~Copyable>(_ body: () throws -> Result) throws(EnclaveRefusal) -> Result {
        guard !isGone else { throw .gone }
        defer {
            output.removeAll()
            input.removeAll()
        }
        do { return try body() } catch let refusal as EnclaveRefusal {
            if refusal == .gone { isGone = true }
            throw refusal
        } catch is SecretMemoryError { throw .outOfMemory } catch {
            // An answer that can't be read: whoever is there, it is not our enclave any more.
            isGone = true
            throw .gone
        }
    }

    private func nextReply() throws -> EnclaveReply {
        let end = try receive()
        let reply = try input.withBytes { try EnclaveReply.decode($0.extracting(StreamFrame.headerByteCount..<end)) }
        input.removeFirst(end)
        return reply
    }

    private func receive() throws -> Int {
        while true {
            if let end = try input.wholeFrame(limit: StreamFrame.enclaveLimit) { return end }
            guard case .moved = try socket.read(into: &input.storage, room: 4096) else { throw EnclaveRefusal.gone }
        }
    }
}

/// Why there is no enclave.
package struct StartFailure: Error, Equatable {
    /// The damaged file, where that is the reason.
    package let damagedFile: String?
    /// How the enclave's process ended.
    package let end: ChildProcess.End

    init(_ end: ChildProcess.End, folder: String) {
        self.end = end
        damagedFile = Self.exit(end)?.damagedFile.map { folder + "/" + $0 }
    }

    /// What the enclave said by its exit code; nil where it said nothing that we know.
    var exit: EnclaveExit? { Self.exit(end) }

    private static func exit(_ end: ChildProcess.End) -> EnclaveExit? {
        guard case .exited(let code) = end else { return nil }
        return EnclaveExit(rawValue: code)
    }
}

extension EnclaveState {
    /// What is known before the enclave has spoken: nothing is open.
    fileprivate static let unknown = EnclaveState(
        lock: .beforeFirstUnlock, hasPasscode: true, keybag: .zero, generation: 0, failures: 0, delay: .zero,
        settings: .initial, logRounds: 0, timePerTry: .zero, memory: .untouched, landlock: 0, destroyed: [])
}
