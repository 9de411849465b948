import Foundation
import Secrets
import Testing

@testable import PasswordMaking

/// Passwords as they are made: what is in them, and how likely each is.
@Suite struct PasswordMakerTests {
    private func make(_ maker: PasswordMaker) throws -> [UInt8] {
        let password = try maker.make()
        return password.withBytes { $0.copyToArray() }
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// How far counts are from being even, Pearson's chi-square, and a bound that chance hardly ever passes.
    ///
    /// Its mean is the number of the degrees of freedom, its variance twice that.
    private func unevenness(_ counts: [Int]) -> (found: Double, bound: Double) {
        let expected = Double(counts.reduce(0, +)) / Double(counts.count)
        var found = 0.0
        for count in counts {
            let distance = Double(count) - expected
            found += distance * distance / expected
        }
        let freedom = Double(counts.count - 1)
        let deviation: Double = sqrt(2 * freedom)
        return (found: found, bound: freedom + 7 * deviation + 15)
    }

    private func longestRun(_ bytes: [UInt8]) -> Int {
        var (longest, run) = (0, 0)
        for (place, byte) in bytes.enumerated() {
            run = place > 0 && bytes[place - 1] == byte ? run + 1 : 1
            longest = max(longest, run)
        }
        return longest
    }

    @Test func `where nothing is demanded it is three groups with one capital and one digit`() throws {
        let syllable = "(?:[b-df-hjkmnp-tv-xz][aeiouy][b-df-hjkmnp-tv-xz])"
        let form = try Regex("(?:\(syllable){2}-){2}\(syllable){2}")
        var (digits, capitals, digitPlaces) = (Set<Character>(), Set<Character>(), [Int](repeating: 0, count: 20))
        for _ in 0..<10_000 {
            let password = text(try make(.grouped))
            let digit = try #require(password.first { $0.isNumber })
            let capital = try #require(password.first { $0.isUppercase })
            #expect(password.count { $0.isNumber } == 1 && password.count { $0.isUppercase } == 1)
            // A digit stands where a consonant would.
            let letters = password.replacing(String(digit), with: "b").lowercased()
            #expect(letters.wholeMatch(of: form) != nil && password.count == 20, "\(password)")
            digits.insert(digit)
            capitals.insert(capital)
            let digitPlace = try #require(Array(password).firstIndex(of: digit))
            digitPlaces[digitPlace] += 1
        }
        #expect(digits.count == 10 && capitals.count == 25)
        let used = digitPlaces.enumerated().filter { $0.element > 0 }
        #expect(used.map(\.offset) == [5, 7, 12, 14, 19])
        let places = unevenness(used.map(\.element))
        #expect(places.found < places.bound)
    }

    @Test func `each class is in each of 10,000, and nothing else`() throws {
        let rules = try PasswordRules(
            "minlength: 8; maxlength: 10; required: lower; required: upper; required: digit; required: [-_!];")
        let maker = try PasswordMaker(rules)
        #expect(maker.count == 10 && !maker.isOfWords)
        let permitted = Set(rules.permitted.characters)
        for _ in 0..<10_000 {
            let password = try make(maker)
            #expect(password.count == 10 && permitted.isSuperset(of: password))
            for one in rules.required { #expect(!Set(one.characters).isDisjoint(with: password), "\(text(password))") }
        }
    }

    @Test(arguments: CharacterKind.allCases) func `kinds that are named are there, and no others`(
        _ kind: CharacterKind
    ) throws {
        let maker = try PasswordMaker(PasswordRules([kind]), length: 12)
        var seen = Set<UInt8>()
        for _ in 0..<500 {
            let password = try make(maker)
            #expect(password.count == 12)
            for one in kind.classes { #expect(!Set(one.characters).isDisjoint(with: password)) }
            seen.formUnion(password)
        }
        #expect(seen == Set(kind.classes.flatMap(\.characters)) && !seen.contains(UInt8(ascii: " ")))
    }

    @Test func `each character is as likely as any other`() throws {
        let rules = try PasswordRules("minlength: 512; allowed: ascii-printable;")
        let maker = try PasswordMaker(rules)
        var counts = [Int](repeating: 0, count: 128)
        for _ in 0..<200 { for byte in try make(maker) { counts[Int(byte)] += 1 } }
        // All but the space, which gets lost at ends.
        #expect(counts[..<0x21].allSatisfy { $0 == 0 } && counts[0x7F] == 0)
        let characters = unevenness(Array(counts[0x21...0x7E]))
        #expect(characters.found < characters.bound)
    }

    @Test func `each password that rules permit is as likely as any other`() throws {
        let maker = try PasswordMaker(PasswordRules("required: [a]; required: [b]; allowed: [c];"), length: 4)
        var counts: [[UInt8]: Int] = [:]
        for _ in 0..<20_000 { counts[try make(maker), default: 0] += 1 }
        // Of 81, those without an a and those without a b are left out.
        #expect(counts.count == 81 - 16 - 16 + 1)
        let passwords = unevenness(Array(counts.values))
        #expect(passwords.found < passwords.bound)
    }

    @Test func `no character stands in a row more often than the rules permit`() throws {
        for run in 1...3 {
            let maker = try PasswordMaker(PasswordRules("max-consecutive: \(run); allowed: [abcde];"), length: 12)
            let longest = try (0..<2_000).map { _ in try longestRun(make(maker)) }
            #expect(longest.max() == run)
        }
    }

    /// Counted by going through all texts of the length.
    @Test(arguments: [
        ("required: [ab]; required: [12]; allowed: [x];", 4), ("max-consecutive: 1; allowed: [abc];", 5),
        ("max-consecutive: 2; required: [a]; required: [b]; allowed: [c];", 6),
        ("required: [ab]; required: [bc]; required: [-]; max-consecutive: 3;", 5),
        ("required: digit; max-consecutive: 2;", 4), ("required: [abcd]; required: [ab];", 3), ("required: [a]", 1),
    ]) func `bits are the logarithm of how many passwords there are`(_ text: String, _ length: Int) throws {
        let rules = try PasswordRules(text)
        let characters = rules.permitted.characters
        let demands = rules.required.map { Set($0.characters) }
        var count = 0
        for number in 0..<Int(pow(Double(characters.count), Double(length))) {
            var (rest, password) = (number, [UInt8]())
            for _ in 0..<length {
                password.append(characters[rest % characters.count])
                rest /= characters.count
            }
            let isFitting = demands.allSatisfy { !$0.isDisjoint(with: password) }
            if isFitting && longestRun(password) <= rules.maximumRun ?? length { count += 1 }
        }
        let bits = try PasswordMaker(rules, length: length).bits
        #expect(count > 0 && abs(bits - log2(Double(count))) < 1e-9, "\(count)")
    }

    @Test func `bits of the usual forms`() throws {
        let (words, digits) = (try PasswordMaker(words: 6), try PasswordMaker(PasswordRules([.digits]), length: 4))
        // Letters, digits and the hyphen, since nothing is said of characters.
        let silent = try PasswordMaker(PasswordRules("maxlength: 16;"))
        for (maker, bits) in [(PasswordMaker.grouped, 71.968), (words, 77.549), (digits, 13.288), (silent, 95.636)] {
            #expect(abs(maker.bits - bits) < 0.001, "\(maker.bits)")
        }
    }

    @Test func `the length is 20, or what comes nearest, or what is said`() throws {
        #expect(try PasswordMaker(PasswordRules("minlength: 6;")).count == 20)
        #expect(try PasswordMaker(PasswordRules("maxlength: 12;")).count == 12)
        #expect(try PasswordMaker(PasswordRules("minlength: 30; maxlength: 40;")).count == 30)
        let maker = try PasswordMaker(PasswordRules("minlength: 6; maxlength: 12;"), length: 7)
        #expect(maker.count == 7)
        #expect(try make(maker).count == 7)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let rules: String
        var length: Int?
        let error: PasswordMakingError
        var testDescription: String { rules }
    }

    @Test(arguments: [
        Refusal(rules: "minlength: 9; maxlength: 8;", error: .noLength),
        Refusal(rules: "minlength: 513;", error: .noLength),
        Refusal(rules: "minlength: 6; maxlength: 12;", length: 13, error: .lengthOutside(6...12)),
        Refusal(rules: "", length: 0, error: .lengthOutside(1...512)),
        Refusal(rules: "", length: 513, error: .lengthOutside(1...512)),
        Refusal(rules: "maxlength: 1; required: lower; required: digit;", error: .unmeetable(length: 1)),
        Refusal(rules: "max-consecutive: 1; allowed: [a];", error: .unmeetable(length: 20)),
        Refusal(rules: "allowed: [ ];", error: .unmeetable(length: 20)),
        // One of millions.
        Refusal(
            rules:
                "maxlength: 5; required: [a]; required: [b]; required: [c]; required: [d]; allowed: ascii-printable;",
            error: .unmeetable(length: 5)),
        Refusal(
            rules: "abcdefghijklm".map { "required: [\($0)];" }.joined(separator: " "),
            error: .tooManyClasses(limit: 12)),
    ]) func `rules that no password meets, or hardly any, are refused before any is made`(_ refusal: Refusal) throws {
        let rules = try PasswordRules(refusal.rules)
        #expect(throws: refusal.error) { _ = try PasswordMaker(rules, length: refusal.length) }
    }

    @Test func `the space is used where rules demand it, and nowhere else`() throws {
        let demanding = try PasswordMaker(PasswordRules("required: [ ]; allowed: [a];"), length: 8)
        #expect(try make(demanding).contains(0x20))
        let permitting = try PasswordMaker(PasswordRules("required: [ !];"), length: 8)
        #expect(try text(make(permitting)) == "!!!!!!!!")
    }
}
