import Conformance
import Foundation
import Glibc
import Linux
import Secrets
import Testing
import Thoroughness
import Tresor
import Wire

/// The power fails at any moment: what was acknowledged is there, and nothing is there by half.
@Suite(.serialized) struct Kills {
    /// `TRESOR_KILLS` asks for another number.
    private static let rounds = Thoroughness.count(20, soak: 300, orBy: "TRESOR_KILLS")

    /// What a value may be: as acknowledged, or as the request under way would make it.
    private struct Expected {
        var acknowledged: [Int: Int] = [:]
        var underWay: (key: Int, value: Int?)?
    }

    private final class Writer: @unchecked Sendable {
        private let lock = NSLock()
        private var expected: Expected
        private let device: LiveDevice
        private var random: Seeded

        init(_ device: LiveDevice, _ expected: Expected, seed: UInt64) {
            self.device = device
            self.expected = expected
            random = Seeded(seed)
        }

        /// Writes until the daemon is gone.
        func run() {
            guard let transport = try? device.connect() else { return }
            while write(transport) {}
        }

        func result() -> Expected { lock.withLock { expected } }

        private func write(_ transport: SocketTransport) -> Bool {
            let key = Int(random.next() % 40)
            let current = lock.withLock { expected.acknowledged[key] }
            let value = Int(random.next() % 1_000_000)
            let isRemoval = current != nil && random.next() % 4 == 0
            lock.withLock { expected.underWay = (key: key, value: isRemoval ? nil : value) }
            var query = KeychainQuery(kind: .password)
            query.attributes[.service] = .string("s\(key)")
            do {
                let secret = try SecretBytes(text: "\(value)")
                if isRemoval {
                    try acknowledged(transport, .remove(query))
                } else if current == nil {
                    try acknowledged(
                        transport,
                        .add(ItemAddition(kind: ItemKind.password.code, attributes: query.attributes, secret: secret)))
                } else {
                    var changes = Attributes()
                    changes[.comment] = .string("\(value)")
                    try acknowledged(transport, .update(ItemUpdate(query: query, changes: changes, secret: secret)))
                }
            } catch { return false }
            lock.withLock {
                expected.acknowledged[key] = isRemoval ? nil : value
                expected.underWay = nil
            }
            return true
        }

        private func acknowledged(_ transport: SocketTransport, _ request: consuming KeychainRequest) throws {
            try transport.exchange(request) { payload in
                var reader = ByteReader(payload)
                if try KeychainReply.header(&reader).tag == .error { throw try KeychainError(from: &reader) }
            }
        }
    }

    private func read(_ device: LiveDevice) throws -> [Int: Int] {
        var query = KeychainQuery(kind: .password)
        query.limit = nil
        query.returns = [.data, .attributes]
        var found: [Int: Int] = [:]
        try device.connect().exchange(.find(query)) { payload in
            var reader = ByteReader(payload)
            guard try KeychainReply.header(&reader).tag == .page else { return }
            let page = try Page(from: &reader) { _, attributes, data in
                let service = attributes?.string(.service) ?? ""
                let value = String(decoding: data?.copyToArray() ?? [], as: UTF8.self)
                if let key = Int(service.dropFirst()), let value = Int(value) { found[key] = value }
            }
            #expect(page.end.damaged == 0 && page.end.next == 0)
        }
        return found
    }

    @Test func `random kills of daemon or enclave lose nothing acknowledged`() throws {
        let seed = UInt64(ProcessInfo.processInfo.environment["TRESOR_SEED"] ?? "") ?? SystemRandom.makeUInt64()
        var random = Seeded(seed)
        let device = try LiveDevice()
        var expected = Expected()
        for round in 0..<Self.rounds {
            let writer = Writer(device, expected, seed: random.next())
            let thread = Thread { writer.run() }
            let enclave = Int32(try device.status().enclaveProcess)
            thread.start()
            usleep(UInt32(1000 + random.next() % 25_000))
            if random.next() % 4 == 0 {
                Glibc.kill(enclave, SIGKILL)
                usleep(UInt32(random.next() % 8000))
            }
            device.kill()
            while !thread.isFinished { usleep(500) }
            #expect(try device.start() == nil)
            expected = writer.result()
            let found = try read(device)
            for key in 0..<40 where found[key] != expected.acknowledged[key] {
                let isUnderWay = expected.underWay?.key == key && found[key] == expected.underWay?.value
                #expect(isUnderWay, "round \(round), seed \(seed): item \(key)")
            }
            expected = Expected(acknowledged: found)
        }
        #expect(try device.status().quarantined.isEmpty && device.status().rollback == .none)
        #expect(!expected.acknowledged.isEmpty)
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014): repeats from its seed.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
