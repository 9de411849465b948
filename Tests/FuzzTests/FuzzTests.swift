import Foundation
import Fuzzing
import Testing

/// A short run of the fuzzer; `make fuzz` runs ten million.
@Suite struct FuzzTests {
    @Test func `mutated bytes are refused or canonical, and never crash a decoder`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let corpus = FuzzCorpus.read(root.appendingPathComponent("vectors").path)
        #expect(Fuzzer.Target.allCases.allSatisfy { (corpus[$0]?.count ?? 0) > 2 })
        let seed = UInt64.random(in: .min ... .max)
        var fuzzer = Fuzzer(seed: seed, corpus: corpus)
        do {
            try fuzzer.run(count: 50_000)
        } catch { Issue.record("seed \(seed): \(error)") }
        #expect(fuzzer.accepted > 100)
    }
}
