// The one file of this target that touches raw pointers: libmicrohttpd, which speaks HTTP.
// docs/decisions/0027 says why.
import CMicrohttpd
import Linux

/// One address that is listened on: requests come in as values, and answers go out.
///
/// It has no thread; whoever owns it polls ``descriptors`` and calls ``work()``. Who connects is let in here and not by
/// the library, which forgets to listen again after it was full.
@safe final class PageDaemon {
    enum Address { case version4, version6 }

    /// Milliseconds between two looks for connections that are too old.
    private static let look = 250
    /// Who is let in before requests are looked at again: what came in with them is answered before they make room.
    private static let atOnce = 8
    /// How many may wait to be let in.
    private static let waiting: Int32 = 1024

    private var daemon: OpaquePointer?
    private let listener: FileDescriptor
    /// That is listened on.
    let port: UInt16
    private var crowd: PageCrowd
    /// Until when nobody is let in, for want of descriptors; in milliseconds since the machine started.
    private var pausesUntil: UInt64 = 0
    private let clock: () -> UInt64
    /// Answers a request.
    var answer: ((PageRequest) -> PageAnswer)?

    /// - Parameters:
    ///   - port: 0 for one that is free.
    ///   - clock: milliseconds since the machine started.
    /// - Throws: `portTaken`, `refused`.
    init(
        _ address: Address, port: UInt16, limits: PageLimits, clock: @escaping () -> UInt64
    ) throws(PageServerError) {
        let raw = cmicrohttpd_listen(address == .version6 ? 1 : 0, port, Self.waiting)
        guard raw >= 0 else { throw cmicrohttpd_is_taken(-raw) != 0 ? .portTaken(port) : .refused(code: -raw) }
        listener = FileDescriptor(owning: raw)
        self.clock = clock
        self.port = cmicrohttpd_port(raw)
        crowd = PageCrowd(most: Int(limits.connections), owner: CurrentProcess.user)
        // Who makes room is gone only when the library has looked.
        let head = cmicrohttpd_limits(
            connections: limits.connections + UInt32(Self.atOnce) + 1, idle_seconds: limits.idleSeconds,
            head_bytes: limits.headBytes)
        let this = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe daemon = cmicrohttpd_start(
            head, { unsafe PageDaemon.takeRequest($0, $1, $2, $3, $6, $7) },
            { unsafe PageDaemon.noticeConnection($0, $1, $3) }, this)
        guard unsafe daemon != nil else { throw .refused(code: LinuxError.noMemory.code) }
    }

    deinit { unsafe MHD_stop_daemon(daemon) }

    /// Can be read when there is something to do: who connects, and who is connected.
    var descriptors: [Int32] {
        [clock() >= pausesUntil ? listener.raw : -1, unsafe cmicrohttpd_descriptor(daemon)]
    }

    /// Milliseconds after which ``work()`` is due; nil for not by the clock.
    var patience: Int? {
        let now = clock()
        let pause = pausesUntil > now ? Int(pausesUntil - now) : nil
        guard !crowd.guests.isEmpty else { return pause }
        var milliseconds: CUnsignedLongLong = 0
        guard unsafe MHD_get_timeout(daemon, &milliseconds) == .YES else { return min(pause ?? .max, Self.look) }
        return min(Int(clamping: milliseconds), pause ?? .max, Self.look)
    }

    /// Lets in who waits, takes what has come, and sends what can be sent.
    ///
    /// - Parameter moment: connections from before it end; in milliseconds since the machine started.
    func work(endingThoseBefore moment: UInt64) {
        for socket in crowd.guests(before: moment) { cmicrohttpd_break(socket) }
        run()
        letIn()
    }

    private func run() { _ = unsafe MHD_run(daemon) }

    private func letIn() {
        guard clock() >= pausesUntil else { return }
        var count = 0
        while count < Self.atOnce {
            guard let raw = nextWaiting() else { break }
            if crowd.isFull { makeRoom() }
            // The library tells of it by `noticeConnection`.
            _ = unsafe cmicrohttpd_add(daemon, raw)
            count += 1
        }
        if count > 0 { run() }
    }

    /// nil where nobody waits; or descriptors are short, and whoever waits goes on waiting.
    private func nextWaiting() -> Int32? {
        do {
            return try UnixSocket.accept(listener)
        } catch {
            if error.isShortOfDescriptors { pausesUntil = clock() + 1000 }
            return nil
        }
    }

    private func makeRoom() {
        learnUsers()
        guard let socket = crowd.whoMakesRoom else { return }
        cmicrohttpd_break(socket)
        crowd.leave(socket)
        // It closes what was broken.
        run()
    }

    /// Whose connections these are: asked only where they are too many.
    private func learnUsers() {
        for (socket, guest) in crowd.guests where guest.user == nil {
            crowd.learn(TCPPeer.user(of: socket), of: socket)
        }
    }

    // MARK: What the library calls

    private static func noticeConnection(
        _ this: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ event: MHD_ConnectionNotificationCode
    ) {
        guard let this = unsafe this else { return }
        let daemon = unsafe Unmanaged<PageDaemon>.fromOpaque(this).takeUnretainedValue()
        let socket = unsafe cmicrohttpd_socket(connection)
        if event == .CONNECTION_NOTIFY_STARTED {
            daemon.crowd.enter(socket, at: daemon.clock())
        } else {
            daemon.crowd.leave(socket)
        }
    }

    /// Called when a request's head is there, before its body.
    ///
    /// An answer is given then, and whatever follows is not read.
    private static func takeRequest(
        _ this: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ path: UnsafePointer<CChar>?,
        _ method: UnsafePointer<CChar>?, _ uploadCount: UnsafeMutablePointer<Int>?,
        _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> MHD_Result {
        guard let this = unsafe this, let path = unsafe path, let method = unsafe method else { return .NO }
        let daemon = unsafe Unmanaged<PageDaemon>.fromOpaque(this).takeUnretainedValue()
        let request = unsafe PageRequest(
            method: String(cString: method), path: String(cString: path),
            query: values(connection, .GET_ARGUMENT_KIND), headers: values(connection, .HEADER_KIND))
        guard let answer = daemon.answer?(request) else { return .NO }
        daemon.crowd.markAnswered(unsafe cmicrohttpd_socket(connection))
        return unsafe send(answer, to: connection)
    }

    /// The library copies the body, and frees that copy when it is sent or the connection is lost.
    private static func send(_ answer: PageAnswer, to connection: OpaquePointer?) -> MHD_Result {
        var body = answer.body
        let response = unsafe body.withUnsafeMutableBytes { bytes in
            unsafe MHD_create_response_from_buffer(bytes.count, bytes.baseAddress, .RESPMEM_MUST_COPY)
        }
        guard let response = unsafe response else { return .NO }
        defer { unsafe MHD_destroy_response(response) }
        for header in answer.headers {
            guard unsafe MHD_add_response_header(response, header.name, header.value) == .YES else { return .NO }
        }
        return unsafe MHD_queue_response(connection, answer.status.rawValue, response)
    }

    private static func values(
        _ connection: OpaquePointer?, _ kind: MHD_ValueKind
    ) -> [(name: String, value: String)] {
        var values: [(name: String, value: String)] = []
        _ = unsafe withUnsafeMutablePointer(to: &values) { pointer in
            unsafe MHD_get_connection_values(
                connection, kind,
                { list, _, name, value in
                    guard let list = unsafe list, let name = unsafe name else { return .YES }
                    let text = unsafe value.map { unsafe String(cString: $0) } ?? ""
                    unsafe list.assumingMemoryBound(to: [(name: String, value: String)].self).pointee
                        .append((name: String(cString: name), value: text))
                    return .YES
                }, pointer)
        }
        return values
    }
}
