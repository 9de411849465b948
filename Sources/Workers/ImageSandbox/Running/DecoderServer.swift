package import Linux

/// A `tresor-thumb` that starts decoders for a few images, each in a process of its own.
///
/// It gets all their sockets when it is started, and from then on hears numbers alone.
package final class DecoderServer {
    /// By which the program knows what it is to be.
    package static let name = "tresor-thumb-server"
    /// Where a program finds its first descriptor behind the standard ones.
    package static let controlDescriptor: Int32 = 3
    /// A program is given sixteen descriptors at most, and one is for the orders.
    static let slotCount: UInt8 = 45

    /// Under which number the server finds the socket of a slot.
    package static func descriptor(of slot: UInt8) -> Int32 { controlDescriptor + 1 + Int32(slot) }

    private let control: FileDescriptor
    let process: ChildProcess
    /// Our ends of the sockets that are not in use yet; the slot is the place in the program's list.
    private var free: [(slot: UInt8, socket: Int32)]
    private var ends: [UInt8: ChildProcess.End] = [:]
    private var collected: [UInt8] = []
    private var hasEnded = false

    init(program: String) throws(LinuxError) {
        // The child of a fork could only say that it ended.
        guard try FileSystem.status(program) != nil else {
            throw LinuxError(call: "stat", code: LinuxError.Code.missing, path: program)
        }
        let (ours, its) = try UnixSocket.makePair()
        let control = FileDescriptor(owning: ours)
        var given = [its]
        defer { for raw in given { _ = FileDescriptor(owning: raw) } }
        try control.setNonblocking(true)
        var kept: [(slot: UInt8, socket: Int32)] = []
        var isStarted = false
        defer { if !isStarted { for slot in kept { _ = FileDescriptor(owning: slot.socket) } } }
        for slot in 0..<Self.slotCount {
            let (ours, its) = try UnixSocket.makePair()
            given.append(its)
            kept.append((slot, ours))
        }
        process = try ChildProcess(path: program, name: Self.name, descriptors: given)
        isStarted = true
        free = kept
        self.control = control
    }

    deinit {
        for slot in free { _ = FileDescriptor(owning: slot.socket) }
        // Its decoders go with it.
        process.kill()
    }

    /// Whether it can start another one.
    var hasFreeSlot: Bool { !free.isEmpty && !hasEnded }

    /// Starts a decoder; its socket, nonblocking, belongs to the caller.
    func start() throws(LinuxError) -> (slot: UInt8, socket: Int32) {
        guard !free.isEmpty else { throw LinuxError(call: "start", code: LinuxError.Code.again) }
        let next = free.removeFirst()
        try send(.start(next.slot))
        return next
    }

    func kill(_ slot: UInt8) { if ends[slot] == nil { try? send(.kill(slot)) } }

    /// How the slot's process ended; nil while it runs.
    func end(of slot: UInt8) throws(LinuxError) -> ChildProcess.End? {
        if ends[slot] == nil { try collect() }
        return ends[slot]
    }

    private func send(_ order: Order) throws(LinuxError) {
        let bytes = order.encoded
        guard try control.write(unsafe bytes.span.bytes) == .moved(bytes.count) else {
            throw LinuxError(call: "write", code: LinuxError.Code.brokenPipe)
        }
    }

    private func collect() throws(LinuxError) {
        let transfer = try control.read(into: &collected, room: 1 << 8)
        while collected.count >= Report.byteCount {
            guard let report = Report(Array(collected.prefix(Report.byteCount))) else { break }
            ends[report.slot] = report.end
            collected.removeFirst(Report.byteCount)
        }
        guard transfer == .closed else { return }
        // It takes all of its own along.
        hasEnded = true
        for slot in 0..<Self.slotCount where ends[slot] == nil { ends[slot] = .killed(signal: ChildProcess.killSignal) }
    }
}

extension DecoderServer {
    /// What the server is told: see specs/thumbnail-answer.md.
    package enum Order: Equatable, Sendable {
        case start(UInt8)
        case kill(UInt8)

        /// Of an order on the socket.
        package static let byteCount = 2

        /// Nil for an order that there is not, and for a slot beyond the last.
        package init?(_ bytes: [UInt8]) {
            guard bytes.count == Self.byteCount, bytes[1] < DecoderServer.slotCount else { return nil }
            switch bytes[0] {
            case 1: self = .start(bytes[1])
            case 2: self = .kill(bytes[1])
            default: return nil
            }
        }

        /// Two bytes: what to do, and the slot.
        package var encoded: [UInt8] {
            switch self {
            case .start(let slot): [1, slot]
            case .kill(let slot): [2, slot]
            }
        }
    }

    /// What the server tells: how a decoder ended.
    package struct Report: Equatable, Sendable {
        /// Of a report on the socket.
        package static let byteCount = 3
        let slot: UInt8
        let end: ChildProcess.End

        /// - Parameter end: of the decoder that worked in this slot.
        package init(slot: UInt8, end: ChildProcess.End) {
            self.slot = slot
            self.end = end
        }

        init?(_ bytes: [UInt8]) {
            guard bytes.count == Self.byteCount, bytes[0] < DecoderServer.slotCount else { return nil }
            slot = bytes[0]
            switch bytes[1] {
            case 0: end = .exited(code: Int32(bytes[2]))
            case 1: end = .killed(signal: Int32(bytes[2]))
            default: return nil
            }
        }

        /// Three bytes: the slot, whether a signal ended it, and the exit code or the signal.
        package var encoded: [UInt8] {
            switch end {
            case .exited(let code): [slot, 0, UInt8(clamping: code)]
            case .killed(let signal): [slot, 1, UInt8(clamping: signal)]
            }
        }
    }
}
