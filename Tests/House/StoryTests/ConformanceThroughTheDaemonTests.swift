import Conformance
import Secrets
import Testing
import Wire

/// The acceptance suite through the socket, the daemon and the enclave.
@Suite(.serialized) struct ConformanceThroughTheDaemon {
    @Test(arguments: ConformanceCase.all)
    func behaves(_ acceptance: ConformanceCase) throws {
        let device = try LiveDevice(lettingTestIn: false)
        let transport = try device.connect()
        let bench = Bench(
            transport: transport, defaultGroup: try #require(transport.report?.accessGroups.first),
            setPasscode: { try device.setPasscode() },
            removePasscode: { try device.removePasscode() },
            lock: { try device.perform(.lock) }, unlock: { try device.unlock() },
            restart: {
                try device.restart()
                return try device.connect()
            })
        let probe = Probe(bench)
        try acceptance.run(probe)
        #expect(probe.complaints == [])
    }
}
