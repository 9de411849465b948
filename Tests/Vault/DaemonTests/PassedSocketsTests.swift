import Foundation
import Glibc
import Linux
import Secrets
import Testing

/// Sockets that systemd hands over, and those that only look like it.
@Suite(.serialized) struct PassedSocketsTests {
    private static let variables = ["LISTEN_PID": "42", "LISTEN_FDS": "1", "LISTEN_FDNAMES": "keychain"]

    private func passed(_ changed: [String: String?] = [:], to process: Int32 = 42) throws -> PassedSockets? {
        let variables = Self.variables.merging(changed.compactMapValues { $0 }) { $1 }
        return try PassedSockets(
            environment: { name in changed[name] == .some(.none) ? nil : variables[name] }, process: process)
    }

    // MARK: The variables

    @Test func `what is passed is named, in the order of its descriptors`() throws {
        #expect(try passed()?.names == ["keychain"])
        #expect(try passed(["LISTEN_FDS": "2", "LISTEN_FDNAMES": "keychain:"])?.names == ["keychain", ""])
    }

    @Test func `variables of another process, or none at all, pass nothing`() throws {
        #expect(try passed(to: 43) == nil)
        #expect(try passed(["LISTEN_PID": nil]) == nil)
        // Whatever else they say: they are not for this one.
        #expect(try passed(["LISTEN_FDS": "x", "LISTEN_FDNAMES": nil], to: 43) == nil)
    }

    @Test(
        arguments: [
            ("LISTEN_PID", ""), ("LISTEN_PID", "-42"), ("LISTEN_PID", "42 "), ("LISTEN_FDS", nil), ("LISTEN_FDS", ""),
            ("LISTEN_FDS", "0"), ("LISTEN_FDS", "-1"), ("LISTEN_FDS", "+1"), ("LISTEN_FDS", "99999999999999999999"),
            ("LISTEN_FDNAMES", nil), ("LISTEN_FDNAMES", "keychain:another"),
        ] as [(String, String?)])
    func `what is not as the manual says is refused, and named`(variable: String, value: String?) {
        #expect(throws: PassedSockets.Problem.malformed(variable: variable)) {
            _ = try passed([variable: value])
        }
    }

    @Test func `another name, none, or more than one socket is refused`() throws {
        for (count, names) in [("1", "notes"), ("1", ""), ("2", "keychain:keychain"), ("2", "keychain:notes")] {
            let sockets = try #require(try passed(["LISTEN_FDS": count, "LISTEN_FDNAMES": names]))
            let wanted = PassedSockets.Problem.unexpected(sockets.names, wanted: "keychain")
            #expect(throws: wanted) { _ = try sockets.take(named: "keychain", at: "/nowhere") }
        }
    }

    @Test(arguments: ["1", "x"])
    func `the variables are taken away, whatever they say`(count: String) throws {
        let names = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]
        for (name, value) in zip(names, ["\(CurrentProcess.id)", count, "keychain"]) { setenv(name, value, 1) }
        defer { for name in names { unsetenv(name) } }
        if count == "1" {
            #expect(try PassedSockets.takeFromEnvironment()?.names == ["keychain"])
        } else {
            #expect(throws: PassedSockets.Problem.self) { _ = try PassedSockets.takeFromEnvironment() }
        }
        for name in names { #expect(CurrentProcess.environment(name) == nil, "\(name)") }
    }

    // MARK: The descriptor

    /// A folder for sockets.
    private final class Place {
        let folder = NSTemporaryDirectory() + "tresor-passed-\(Identifier.makeRandom().description.prefix(12))"
        var socket: String { folder + "/socket" }
        init() throws { try FileSystem.makeDirectories(folder) }
        deinit { try? FileSystem.removeTree(folder) }
    }

    /// A socket of a kind, bound to a path, that does not listen.
    private func bind(_ path: String, _ kind: Int32) -> Int32 {
        let raw = socket(AF_UNIX, kind, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.bind(raw, $0, size) }
        }
        #expect(raw >= 0 && result == 0)
        return raw
    }

    @Test func `the right socket is taken: it does not wait, and nobody inherits it`() throws {
        let place = try Place()
        let raw = bind(place.socket, Int32(SOCK_STREAM.rawValue))
        #expect(listen(raw, 1) == 0 && fcntl(raw, F_GETFD) & FD_CLOEXEC == 0)
        let listener = try PassedListener(descriptor: raw, at: place.socket).own()
        let number = listener.raw
        #expect(number == raw)
        #expect(fcntl(raw, F_GETFD) & FD_CLOEXEC != 0 && fcntl(raw, F_GETFL) & O_NONBLOCK != 0)
        let client = try UnixSocket.connect(place.socket)
        let peer = try PeerCredentials(of: client)
        #expect(peer.process == CurrentProcess.id)
        let accepted = try UnixSocket.accept(listener)
        #expect(accepted != nil)
        if let accepted { close(accepted) }
        _ = consume listener
        // Its name is not this process's to take away.
        #expect(try FileSystem.status(place.socket) != nil)
    }

    enum Wrong: String, CaseIterable { case file, pipe, datagram, silent, elsewhere, renamed, gone, closed }

    /// A descriptor that is not the socket of a place, and what is to be said of it.
    private func make(_ wrong: Wrong, _ place: Place) -> (raw: Int32, problem: PassedSockets.Problem) {
        let stream = Int32(SOCK_STREAM.rawValue)
        switch wrong {
        case .file: return (raw: open(place.socket, O_RDWR | O_CREAT, 0o600), problem: .noSocket)
        case .pipe:
            var ends: [Int32] = [-1, -1]
            #expect(pipe(&ends) == 0)
            close(ends[1])
            return (raw: ends[0], problem: .noSocket)
        case .datagram: return (raw: bind(place.socket, Int32(SOCK_DGRAM.rawValue)), problem: .otherKind)
        case .silent: return (raw: bind(place.socket, stream), problem: .notListening)
        case .elsewhere, .renamed, .gone:
            let raw = bind(place.socket + (wrong == .elsewhere ? "2" : ""), stream)
            #expect(listen(raw, 1) == 0)
            if wrong == .renamed { #expect(rename(place.socket, place.socket + "3") == 0) }
            if wrong == .gone { #expect(unlink(place.socket) == 0) }
            return (raw: raw, problem: .elsewhere(place.socket))
        case .closed: return (raw: 1000, problem: .failed(LinuxError(call: "listen", code: EBADF)))
        }
    }

    @Test(arguments: Wrong.allCases) func `any other descriptor is refused, and it is said why`(wrong: Wrong) throws {
        let place = try Place()
        let (raw, problem) = make(wrong, place)
        defer { if wrong != .closed { close(raw) } }
        #expect(throws: problem) { _ = try PassedListener(descriptor: raw, at: place.socket) }
    }

    // MARK: The word that it serves

    @Test(arguments: [false, true]) func `systemd hears that it serves, and why it does not`(isAbstract: Bool) throws {
        let place = try Place()
        let name = isAbstract ? "@" + place.socket : place.socket
        let raw = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(raw) }
        #expect(fcntl(raw, F_SETFL, O_NONBLOCK) == 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = isAbstract ? [0] + Array(place.socket.utf8) : Array(place.socket.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.bind(raw, $0, size) }
        }
        #expect(result == 0)
        let notice = StartNotice(address: name)
        notice.tellReady()
        notice.tellFailure("one line\nand another")
        #expect(heard(raw) == "READY=1")
        #expect(heard(raw) == "STATUS=one line and another")
        // Nobody is told, and nothing fails.
        for address in [nil, "", "socket", place.folder + "/none"] { StartNotice(address: address).tellReady() }
        #expect(heard(raw) == nil)
    }

    private func heard(_ raw: Int32) -> String? {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(raw, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }
}
