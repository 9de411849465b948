import Linux
@testable import Pinentry
import Secrets
import Testing
import Thoroughness

/// Lines that nobody meant well with, as values.
@Suite struct AnswerTests {
    private func decode(_ line: [UInt8]) throws -> [UInt8]? {
        try line.withSpan { span in
            guard try AssuanAnswer(span) == .data else { return nil }
            var passcode = try LockedBuffer(capacity: 16)
            try AssuanAnswer.decode(span, into: &passcode)
            return passcode.bytes.copyToArray()
        }
    }

    @Test func `every byte comes back from its escape`() throws {
        for byte in UInt8.min...UInt8.max {
            let digits = String(byte, radix: 16, uppercase: true)
            let line = "D %" + (digits.count == 1 ? "0" : "") + digits
            #expect(try decode(Array(line.utf8)) == [byte])
        }
    }

    @Test func `changed lines are read or refused, and nothing else`() {
        var random = SeededGenerator(state: 20_261_122)
        let seeds = ["D a%25b%0Ac", "OK Pleased to meet you", "ERR 83886179 Operation cancelled", "S STATUS a", "# a"]
        var (read, refused) = (0, 0)
        let count = Thoroughness.count(2000, soak: 20_000)
        for _ in 0..<count {
            var line = Array(seeds.randomElement(using: &random)?.utf8 ?? "".utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: 0..<line.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: line[index] = UInt8.random(in: 0...255, using: &random)
                case 1: line.insert(UInt8(ascii: "%"), at: index)
                default: line.removeLast(line.count - index - 1)
                }
            }
            do {
                _ = try decode(line)
                read += 1
            } catch {
                #expect(error as? PinentryError == .malformed)
                refused += 1
            }
        }
        #expect(read > count / 20)
        #expect(refused > count / 20)
    }
}

/// The same numbers in each run (Steele and Vigna's SplitMix64).
private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
