import Foundation
import Glibc
import Synchronization
import WidgetClient
import WidgetDrawing
import WidgetServer
import Widgets

/// What a test's server shows, and what it was asked.
final class Shown: Sendable {
    struct State {
        var frames: [PageDigest: PageFrame] = [:]
        /// For every token, where it is there.
        var everywhere: PageFrame?
        var picture: [UInt8]? = [0x89, 0x50, 0x4e, 0x47, 1]
        var questions = 0
        var pictures: [(DrawScale, DrawDepth, WidgetTheme)] = []
    }

    let state = Mutex(State())

    var sources: PageSources {
        PageSources { digest in
            self.state.withLock { state in
                state.questions += 1
                return state.everywhere ?? state.frames[digest] ?? .unknown
            }
        } picture: { _, scale, depth, theme in
            self.state.withLock { state in
                state.pictures.append((scale, depth, theme))
                return state.picture
            }
        }
    }

    /// - Returns: the token under which a frame is shown.
    func add(_ frame: WidgetFrame) -> PageToken {
        let token = PageToken.makeRandom()
        state.withLock { $0.frames[token.digest] = .frame(frame) }
        return token
    }
}

enum Frames {
    static let secret = "8431.77-private"

    private static let configuration = WidgetConfiguration(
        kind: "test.balance", displayName: "Balance", summary: "", symbol: .lock, families: [.systemSmall],
        protection: .completeUntilFirstUserAuthentication)

    static let shown = WidgetFrame(
        configuration, family: .systemSmall, state: .shown, root: .text(TextRun(secret), isDimmed: false))
    static let redacted = WidgetFrame(
        configuration, family: .systemSmall, state: .redacted,
        root: .mask(.text(.body, columns: Mask.privateColumns)))
}

/// A real server on a free port, in a thread of the test's process.
final class ServedPages: Sendable {
    let shown = Shown()
    let port: UInt16
    /// Whether this machine has ::1.
    let hasVersion6: Bool
    private let isStopping = Atomic(false)
    private let hasEnded = DispatchSemaphore(value: 0)

    init(limits: PageLimits = PageLimits(), framers: [PageOrigin] = PageOrigin.ownMachine) throws {
        let server = try PageServer(port: 0, framers: framers, sources: shown.sources, limits: limits)
        port = server.port
        hasVersion6 = server.addresses.count == 2
        let carried = Carried(server)
        Thread.detachNewThread { [self] in
            while !isStopping.load(ordering: .relaxed) { try? carried.server?.serveOnce(milliseconds: 20) }
            carried.server = nil
            hasEnded.signal()
        }
    }

    func stop() {
        isStopping.store(true, ordering: .relaxed)
        hasEnded.wait()
    }

    /// A server that one thread made and another one serves with, from then on alone.
    private final class Carried: @unchecked Sendable {
        var server: PageServer?
        init(_ server: PageServer) { self.server = server }
    }

    // MARK: Asking

    struct Answer: Equatable {
        var status: Int
        var headers: [String: String]
        var body: [UInt8]
        var text: String { String(decoding: body, as: UTF8.self) }
        /// Every byte that came.
        var bytes: [UInt8]
    }

    func ask(
        _ path: String, _ method: String = "GET", host: String? = nil, headers: [String] = []
    ) throws -> Answer? {
        let lines = ["\(method) \(path) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")"] + headers
        return Self.parse(try send(lines.joined(separator: "\r\n") + "\r\n\r\n"))
    }

    /// - Returns: what came until the server ended the connection.
    func send(_ text: String, isVersion6: Bool = false) throws -> [UInt8] {
        let client = try Client(port, isVersion6: isVersion6)
        client.write(Array(text.utf8))
        return client.readAll()
    }

    static func parse(_ bytes: [UInt8]) -> Answer? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count > 1, let status = Int(words[1]) else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(
                in: .whitespaces)
        }
        return Answer(status: status, headers: headers, body: Array(bytes[end.upperBound...]), bytes: bytes)
    }
}

/// A connection, byte by byte.
final class Client {
    struct Refused: Error {}

    let socket: Int32

    init(_ port: UInt16, isVersion6: Bool = false) throws {
        socket = Glibc.socket(isVersion6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var timeout = timeval(tv_sec: 8, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        let result: Int32
        if isVersion6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = in6addr_loopback
            result = Self.connect(socket, &address)
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            result = Self.connect(socket, &address)
        }
        guard result == 0 else { throw Refused() }
    }

    deinit { close(socket) }

    private static func connect<Address>(_ socket: Int32, _ address: inout Address) -> Int32 {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }

    /// - Returns: whether the other end still takes it.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let put = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard put > 0 else { return false }
            rest = rest.dropFirst(put)
        }
        return true
    }

    func endWriting() { shutdown(socket, Int32(SHUT_WR)) }

    func readAll() -> [UInt8] {
        var all: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let got = recv(socket, &part, part.count, 0)
            guard got > 0 else { return all }
            all += part[..<got]
        }
    }
}
