import Conformance
import Testing
import Tresor

@testable import TresorTesting

/// The acceptance suite in one process, on the mock keystore.
///
/// StoryTests runs the same through the daemon.
@Suite struct ConformanceOnTheMockKeystore {
    @Test(arguments: ConformanceCase.all)
    func behaves(_ acceptance: ConformanceCase) throws {
        let device = try TestDevice()
        let bench = Bench(
            transport: device.transport, setPasscode: { try device.setPasscode("1234") },
            removePasscode: { try device.removePasscode("1234") }, lock: { try device.lock() },
            unlock: { try device.unlock("1234") },
            restart: {
                device.restart()
                return device.transport
            })
        let probe = Probe(bench)
        try acceptance.run(probe)
        #expect(probe.complaints == [])
    }
}
