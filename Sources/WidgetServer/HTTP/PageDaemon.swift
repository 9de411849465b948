// The one file of this target that touches raw pointers: libmicrohttpd, which speaks HTTP.
// docs/decisions/0027 says why.
import CMicrohttpd

/// One address that is listened on: requests come in as values, and answers go out.
///
/// It has no thread; whoever owns it polls ``descriptor`` and calls ``work()``.
@safe final class PageDaemon {
    enum Address { case version4, version6 }

    /// Milliseconds between two looks for connections that are too old.
    private static let look = 250

    private var daemon: OpaquePointer?
    /// When connections began, in milliseconds since the machine started, by their sockets.
    private var connections: [Int32: UInt64] = [:]
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
        self.clock = clock
        let head = cmicrohttpd_limits(
            connections: limits.connections, idle_seconds: limits.idleSeconds, head_bytes: limits.headBytes)
        let this = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe daemon = cmicrohttpd_listen(
            address == .version6 ? 1 : 0, port, head,
            { unsafe PageDaemon.takeRequest($0, $1, $2, $3, $6, $7) },
            { unsafe PageDaemon.noticeConnection($0, $1, $3) }, this)
        guard unsafe daemon != nil else {
            let code = cmicrohttpd_error()
            throw cmicrohttpd_is_taken(code) != 0 ? .portTaken(port) : .refused(code: code)
        }
    }

    deinit { unsafe MHD_stop_daemon(daemon) }

    /// That is listened on.
    var port: UInt16 { unsafe cmicrohttpd_port(daemon) }

    /// Can be read when there is something to do.
    var descriptor: Int32 { unsafe cmicrohttpd_descriptor(daemon) }

    /// Milliseconds after which ``work()`` is due; nil for not by the clock.
    var patience: Int? {
        guard !connections.isEmpty else { return nil }
        var milliseconds: CUnsignedLongLong = 0
        guard unsafe MHD_get_timeout(daemon, &milliseconds) == .YES else { return Self.look }
        return min(Int(clamping: milliseconds), Self.look)
    }

    /// Takes what has come, and sends what can be sent.
    func work() { _ = unsafe MHD_run(daemon) }

    /// - Parameter moment: in milliseconds since the machine started.
    func breakConnections(olderThan moment: UInt64) {
        for (socket, start) in connections where start < moment { cmicrohttpd_break(socket) }
    }

    // MARK: What the library calls

    private static func noticeConnection(
        _ this: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ event: MHD_ConnectionNotificationCode
    ) {
        guard let this = unsafe this else { return }
        let daemon = unsafe Unmanaged<PageDaemon>.fromOpaque(this).takeUnretainedValue()
        let socket = unsafe cmicrohttpd_socket(connection)
        daemon.connections[socket] = event == .CONNECTION_NOTIFY_STARTED ? daemon.clock() : nil
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
