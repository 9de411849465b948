import Checkout
import CTestSupport
import Foundation
import Linux
import Logging
import Protection
import Secrets
import Testing
import Wire

@testable import Daemon

/// What a request leaves on the daemon's stack, with a real enclave behind it.
@Suite struct KeychainServiceTests {
    private static let filler: UInt8 = 0xa7
    /// How far below the test's frame, in bytes: beyond the frame of `answer` itself, which is not wiped.
    private static let near = 2048
    private static let far = 200 * 1024

    private static let programs = Checkout.programs

    /// Gives `body` a service to a new device in a folder of its own, at which a lock does nothing.
    private func withService(_ body: (KeychainService, Connection) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "tresor-service-\(Identifier.makeRandom().description.prefix(12))"
        defer { try? FileSystem.removeTree(folder) }
        let home = try Home(environment: { $0 == "TRESOR_HOME" ? folder : nil }, user: CurrentProcess.user)
        let log = Logger(label: "service")
        try HomeFolders.prepare(home, log)
        let device = try DeviceOwner(
            home: home, enclaveProgram: Self.programs + "/tresor-enclave", clock: SystemClock.bootMilliseconds, log: log
        )
        defer { device.end() }
        let fingers = FingerprintVerification(device: device, source: FingerprintSource())
        let service = KeychainService(device: device, fingers: fingers, quiet: QuietLog(log, path: home.log))
        let (ours, theirs) = try UnixSocket.makePair()
        let client = FileDescriptor(owning: theirs)
        try body(service, Connection(id: 1, socket: FileDescriptor(owning: ours)))
        _ = consume client
    }

    /// How many words of what earlier requests had on the stack are there after this one.
    @inline(never)
    private func left(
        by request: consuming KeychainRequest, at service: KeychainService, _ connection: Connection,
        into output: inout SecretBuffer
    ) throws -> (consequence: KeychainService.Consequence, words: Int) {
        var frame = try SecretBuffer(capacity: 256)
        try request.encode(id: 1, into: &frame)
        let payload = frame.bytes.extracting(StreamFrame.headerByteCount..<frame.count)
        ct_fill_stack(Self.near, Self.far, Self.filler)
        let consequence = try service.answer(payload, on: connection, into: &output)
        return (consequence, ct_count_stack(Self.near, Self.far, Self.filler))
    }

    @Test func `a request that locks leaves nothing of earlier ones on the stack, wherever the lock itself wiped`()
        throws
    {
        try withService { service, connection in
            var output = try SecretBuffer(capacity: 4096)
            var locks = 0
            service.lock = { locks += 1 }
            let status = try left(by: .status, at: service, connection, into: &output)
            #expect(status.consequence == .none)
            #expect(status.words > 0, "the test sees what is left")
            let lock = try left(by: .lock, at: service, connection, into: &output)
            #expect(lock.consequence == .locked && locks == 1)
            #expect(lock.words == 0)
        }
    }
}
