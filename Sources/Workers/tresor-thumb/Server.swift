import CVips
import Glibc
import ImageSandbox
import Linux

/// Starts a process for each image by fork(2), when libvips is loaded.
///
/// It sees no image: those go through sockets that it hands on unread. So what a hostile one has done to its process is
/// gone with that. All of them have one layout of memory, which is why ``DecoderServer`` starts a fresh server after a
/// few.
struct Server: ~Copyable {
    private let signals: SignalDescriptor
    /// The processes that run, by slot.
    private var children: [Int32: UInt8] = [:]

    init() throws {
        // What is said of hostile input is not passed on.
        let null = try FileDescriptor.open("/dev/null", FileFlags.readWriteOrCreate)
        for standard in [STDOUT_FILENO, STDERR_FILENO] { dup2(null.raw, standard) }
        try Decoder.start(for: nil)
        signals = try SignalDescriptor()
    }

    /// Until the program that started it is gone.
    mutating func run() throws -> Never {
        while true {
            var poll = Poll()
            let control = poll.add(DecoderServer.controlDescriptor, reading: true, writing: false)
            poll.add(signals.descriptor.raw, reading: true, writing: false)
            try poll.wait(milliseconds: nil)
            while signals.next() != nil {}
            try reportEnds()
            if poll.isReadable(control) { try obey() }
        }
    }

    private mutating func obey() throws {
        let control = FileDescriptor(owning: DecoderServer.controlDescriptor)
        var bytes: [UInt8] = []
        let transfer = try? control.read(into: &bytes, room: DecoderServer.Order.byteCount)
        _ = control.release()
        guard case .moved = transfer, let order = DecoderServer.Order(bytes) else { _exit(DecoderExit.noRequest) }
        switch order {
        case .start(let slot): try start(slot)
        case .kill(let slot): for child in children where child.value == slot { _ = kill(child.key, SIGKILL) }
        }
    }

    private mutating func start(_ slot: UInt8) throws {
        let child = cvips_fork()
        if child == 0 { Self.becomeDecoder(slot) }
        // The other end hears of it by the end of its connection.
        close(DecoderServer.descriptor(of: slot))
        if child > 0 { children[child] = slot } else { try report(slot, .exited(code: DecoderExit.noSandbox)) }
    }

    /// Keeps its own image's socket, and none of the others.
    private static func becomeDecoder(_ slot: UInt8) -> Never {
        for signal in [SIGTERM, SIGINT, SIGHUP, SIGCHLD] { cvips_default_signal(signal) }
        let socket = DecoderServer.descriptor(of: slot)
        dup2(socket, STDIN_FILENO)
        dup2(socket, STDOUT_FILENO)
        cvips_close_from(DecoderServer.controlDescriptor)
        guard (try? Sandbox.endWithParent()) != nil, getppid() > 1 else { _exit(DecoderExit.noSandbox) }
        Program.serveOne { request in try Decoder.allowOnly(request.kind) }
    }

    private mutating func reportEnds() throws {
        while true {
            let end = cvips_next_end()
            guard end.process > 0 else { return }
            guard let slot = children.removeValue(forKey: end.process) else { continue }
            let isKilled = end.status & 0x7f != 0
            try report(
                slot, isKilled ? .killed(signal: end.status & 0x7f) : .exited(code: (end.status >> 8) & 0xff))
        }
    }

    private func report(_ slot: UInt8, _ end: ChildProcess.End) throws {
        let control = FileDescriptor(owning: DecoderServer.controlDescriptor)
        let bytes = DecoderServer.Report(slot: slot, end: end).encoded
        let isHeard = try? control.writeAll(unsafe bytes.span.bytes)
        _ = control.release()
        guard isHeard == true else { _exit(DecoderExit.noSandbox) }
    }
}
