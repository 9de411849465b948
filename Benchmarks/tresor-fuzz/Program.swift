import Foundation
import Fuzzing

/// `tresor-fuzz COUNT VECTORS [SEED [TARGET …]]`: COUNT mutated inputs through every decoder in turn, or through those
/// that are named, beginning with the vectors.
///
/// A seed of `-` is a random one. The last input lies in the file that TRESOR_FUZZ_LAST names, for when it ends the
/// program.
@main
enum Program {
    static func main() throws {
        let arguments = CommandLine.arguments
        let names = arguments.dropFirst(4)
        let targets = names.compactMap { Fuzzer.Target($0) }
        guard arguments.count >= 3, let count = Int(arguments[1]), targets.count == names.count else {
            print("usage: tresor-fuzz COUNT VECTORS [SEED [TARGET ...]]")
            print("targets: \(Fuzzer.Target.allCases.map { "\($0)" }.joined(separator: " "))")
            exit(64)
        }
        let seed = arguments.count > 3 ? UInt64(arguments[3]) : nil
        try run(count, arguments[2], seed ?? .random(in: .min ... .max), targets)
    }

    private static func run(_ count: Int, _ vectors: String, _ seed: UInt64, _ chosen: [Fuzzer.Target]) throws {
        let targets = chosen.isEmpty ? Fuzzer.Target.allCases : chosen
        print("seed \(seed), \(count) inputs for \(targets.count) targets")
        let corpus = FuzzCorpus.read(vectors)
        for target in targets where corpus[target, default: []].isEmpty {
            print("no first input for \(target)")
            exit(66)
        }
        let last = ProcessInfo.processInfo.environment["TRESOR_FUZZ_LAST"].map { open($0, O_CREAT | O_RDWR, 0o600) }
        var fuzzer = Fuzzer(seed: seed, corpus: corpus, targets: targets)
        do {
            try fuzzer.run(count: count) { bytes in
                guard let last else { return }
                pwrite(last, bytes, bytes.count, 0)
                ftruncate(last, off_t(bytes.count))
            }
        } catch let error as Fuzzer.NotCanonical {
            report(targets, corpus, fuzzer)
            print("\(error.target): decoded, and not to be: \(hexadecimal(error.bytes))")
            exit(1)
        }
        report(targets, corpus, fuzzer)
        print("no crash; \(fuzzer.accepted) inputs decoded, and encoded to themselves")
    }

    private static func report(
        _ targets: [Fuzzer.Target], _ corpus: [Fuzzer.Target: [[UInt8]]], _ fuzzer: Fuzzer
    ) {
        for target in targets {
            guard let tally = fuzzer.tallies[target] else { continue }
            let each = Int(tally.spent / .microseconds(1)) / max(tally.inputs, 1)
            let slowest = Int(tally.slowest / .milliseconds(1))
            print(
                "  \(target): \(corpus[target]?.count ?? 0) seeds, \(tally.inputs) inputs, \(tally.accepted) decoded;",
                "\(each) µs each, the slowest \(slowest) ms")
            if tally.slowest > .seconds(2) { print("    \(hexadecimal(tally.slowestInput))") }
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
