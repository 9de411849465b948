import Foundation
import Secrets
import Testing

@testable import PasswordMaking

/// The list of words, and passwords of words.
@Suite struct WordTests {
    private static func word(_ number: Int) throws -> String {
        var buffer = try SecretBuffer(capacity: 16)
        try WordList.append(number, to: &buffer)
        return buffer.withBytes { String(decoding: $0.copyToArray(), as: UTF8.self) }
    }

    private func allWords() throws -> [String] { try (0..<WordList.count).map { try Self.word($0) } }

    private func make(_ maker: PasswordMaker) throws -> String {
        let password = try maker.make()
        return password.withBytes { String(decoding: $0.copyToArray(), as: UTF8.self) }
    }

    @Test func `there are 7,776 words, short and in small letters, and none begins another`() throws {
        let words = try allWords()
        #expect(words.count == 7776 && Set(words).count == 7776)
        #expect(words.allSatisfy { $0.wholeMatch(of: #/[a-z]{3,9}/#) != nil })
        #expect(words == words.sorted() && words.first == "abacus" && words.last == "zoom")
        #expect(zip(words, words.dropFirst()).allSatisfy { !$1.hasPrefix($0) })
    }

    @Test func `a password is of as many words as are wanted, with the sign between them`() throws {
        let known = Set(try allWords())
        for (count, separator) in [(1, "-"), (6, "-"), (5, " "), (64, "7")] {
            let maker = try PasswordMaker(words: count, separator: Array(separator.utf8)[0])
            #expect(maker.count == count && maker.isOfWords)
            let parts = try make(maker).components(separatedBy: separator)
            #expect(parts.count == count && known.isSuperset(of: parts))
        }
    }

    @Test func `the first half of the list comes as often as the second`() throws {
        let maker = try PasswordMaker(words: 64)
        let middle = try Self.word(3888)
        let count = 102_400
        var first = 0
        for _ in 0..<count / 64 { first += try make(maker).components(separatedBy: "-").count { $0 < middle } }
        // Seven times what chance does as a rule.
        let (distance, deviation): (Double, Double) = (abs(Double(first - count / 2)), sqrt(Double(count)) / 2)
        #expect(distance < 7 * deviation, "\(first)")
    }

    @Test func `what makes no password of words is refused`() {
        for count in [-1, 0, 65] {
            #expect(throws: PasswordMakingError.wordsOutside(1...64)) { _ = try PasswordMaker(words: count) }
        }
        for separator: UInt8 in [0x61, 0x7A, 0x0A, 0x7F, 0xC3] {
            #expect(throws: PasswordMakingError.separator) { _ = try PasswordMaker(words: 6, separator: separator) }
        }
    }
}
