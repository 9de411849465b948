import Foundation
import Linux
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
}
