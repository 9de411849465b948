import Foundation
import Glibc
import Linux
import Secrets
import Testing
import Wire

@testable import Tresor

/// Whether anybody answers for the device: a daemon that is silent is there.
@Suite(.serialized) struct DaemonPresenceTests {
    private static let time = Duration.milliseconds(300)

    /// A home of its own.
    private final class Place {
        let folder = NSTemporaryDirectory() + "tresor-presence-" + UUID().uuidString.prefix(12)
        let home: Home

        init() throws {
            let folder = folder
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            home = try Home(environment: { $0 == "TRESOR_HOME" ? folder : nil }, user: 0)
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }
    }

    @Test func `without a socket it is gone`() throws {
        #expect(DeviceUnlock.isDaemonGone(try Place().home, within: Self.time))
    }

    @Test func `a socket at which nobody listens any more is as good as none`() throws {
        let place = try Place()
        do { _ = try UnixSocket.listen(place.home.socket) }
        #expect(DeviceUnlock.isDaemonGone(place.home, within: Self.time))
    }

    @Test func `who takes the connection and says nothing is there`() throws {
        let place = try Place()
        let listener = try UnixSocket.listen(place.home.socket)
        #expect(!DeviceUnlock.isDaemonGone(place.home, within: Self.time))
        withExtendedLifetime(place) {}
        _ = listener
    }

    @Test func `who refuses each request at once is there, and is nothing to be started`() throws {
        let place = try Place()
        let listener = try UnixSocket.listen(place.home.socket)
        let ender = ConnectionEnder(listener)
        let refusing = Thread { [raw = listener.raw] in Self.refuseEachRequest(raw) }
        refusing.start()
        #expect(!DeviceUnlock.isDaemonGone(place.home, within: .seconds(20)))
        ender.end()
        while !refusing.isFinished { usleep(1000) }
        _ = listener
    }

    /// Serves one client until it ends.
    private static func refuseEachRequest(_ listener: Int32) {
        var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        poll(&waiting, 1, 20_000)
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        defer { close(client) }
        var request = [UInt8](repeating: 0, count: 4096)
        while read(client, &request, request.count) > 8 {
            // Behind the length and the version stands the number that the answer repeats.
            let id = request[5..<9].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            guard var answer = try? SecretBuffer(capacity: 64),
                (try? KeychainReply.append(KeychainError(.missingEntitlement), id: id, to: &answer)) != nil
            else { return }
            let bytes = answer.withBytes { $0.copyToArray() }
            guard write(client, bytes, bytes.count) == bytes.count else { return }
        }
    }
}
