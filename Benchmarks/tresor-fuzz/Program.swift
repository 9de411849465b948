import Foundation
import Fuzzing

/// `tresor-fuzz COUNT VECTORS [SEED]`: COUNT mutated inputs through every decoder, beginning with the vectors.
@main
enum Program {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3, let count = Int(arguments[1]) else {
            print("usage: tresor-fuzz COUNT VECTORS [SEED]")
            exit(64)
        }
        let seed = arguments.count > 3 ? UInt64(arguments[3]) ?? 1 : UInt64.random(in: .min ... .max)
        print("seed \(seed), \(count) inputs")
        let corpus = FuzzCorpus.read(arguments[2])
        for target in Fuzzer.Target.allCases { print("  \(target): \(corpus[target]?.count ?? 0) seeds") }
        var fuzzer = Fuzzer(seed: seed, corpus: corpus)
        try fuzzer.run(count: count)
        print("no crash; \(fuzzer.accepted) inputs decoded, and encoded to themselves")
    }
}
