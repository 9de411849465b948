import Checkout
import Foundation
import Fuzzing
import Testing
import Thoroughness

/// A short run of the fuzzer; `make fuzz` runs twenty million.
@Suite struct FuzzTests {
    private static let corpus = FuzzCorpus.read(
        Checkout.root.appendingPathComponent("vectors").path)

    @Test func `mutated bytes are refused or canonical, and never crash a decoder`() throws {
        let seed = UInt64.random(in: .min ... .max)
        var fuzzer = Fuzzer(seed: seed, corpus: Self.corpus)
        let each = Thoroughness.count(200, soak: 1000)
        do {
            try fuzzer.run(count: each * Fuzzer.Target.allCases.count)
        } catch { Issue.record("seed \(seed): \(error)") }
        for target in Fuzzer.Target.allCases { #expect((fuzzer.tallies[target]?.inputs ?? 0) >= each, "\(target)") }
        #expect(fuzzer.accepted > each / 10)
    }

    @Test(arguments: Fuzzer.Target.allCases)
    func `each target has first inputs, and takes some of them as they are`(_ target: Fuzzer.Target) throws {
        let inputs = Self.corpus[target] ?? []
        #expect(inputs.count > 2)
        #expect(try inputs.contains { try Fuzzer.decodes(target, $0) })
    }

    /// The vectors of our own formats have what is refused, too.
    @Test(arguments: [
        Fuzzer.Target.xmlPropertyList, .binaryPropertyList, .profile, .csv, .pkcs12, .pkcs12Contents, .pkcs12Entries,
        .certificate, .certificateFile, .privateKey, .publicKey, .encryptedKey, .signedMessage, .bitwardenJSON,
        .keePassXML,
    ])
    func `the formats of others begin with what is read`(_ target: Fuzzer.Target) throws {
        for (index, input) in (Self.corpus[target] ?? []).enumerated() {
            #expect(try Fuzzer.decodes(target, input), "number \(index)")
        }
    }

    @Test func `a seed repeats a run`() throws {
        let targets = [Fuzzer.Target.certificate, .privateKey, .profile, .xmlPropertyList]
        let runs = try (0..<2).map { _ in
            var inputs: [[UInt8]] = []
            var fuzzer = Fuzzer(seed: 7, corpus: Self.corpus, targets: targets)
            try fuzzer.run(count: 200) { inputs.append($0) }
            return inputs
        }
        #expect(runs[0] == runs[1] && runs[0].count == 200)
    }
}
