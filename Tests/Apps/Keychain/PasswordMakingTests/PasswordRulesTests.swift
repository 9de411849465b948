import PasswordMaking
import Secrets
import Testing

/// The language in which sites say what they demand of passwords.
@Suite struct PasswordRulesTests {
    struct Reading: Sendable, CustomTestStringConvertible {
        let text: String
        let canonical: String
        var testDescription: String { text }

        init(_ text: String, _ canonical: String) { (self.text, self.canonical) = (text, canonical) }
    }

    static let readings = [
        Reading("", ""), Reading(" \n", ""), Reading("minlength: 8", "minlength: 8;"),
        Reading(" minlength:8 ;\n maxlength:\t20; ", "minlength: 8; maxlength: 20;"),
        Reading("minlength: 08;", "minlength: 8;"), Reading("maxlength: 9999;", "maxlength: 9999;"),
        Reading("required: UPPER , Lower;", "required: lower, upper;"),
        Reading(
            "minlength: 6; minlength: 9; maxlength: 20; maxlength: 12; max-consecutive: 2; max-consecutive: 3",
            "minlength: 9; maxlength: 12; max-consecutive: 2;"),
        Reading("required: [abcdefghijklmnopqrstuvwxyz]; required: lower", "required: lower;"),
        Reading("required: digit; required: lower; required: digit;", "required: digit; required: lower;"),
        Reading("allowed: [b]; allowed: [a], digit", "allowed: digit, [ab];"),
        Reading("required: [-a]]", "required: [-a]];"), Reading("allowed: []]", "allowed: []];"),
        Reading("allowed: [[]]", "allowed: [[]];"), Reading("allowed: [-]", "allowed: [-];"),
        Reading("allowed: [;,: ]; required: [a]", "required: [a]; allowed: [ ,:;];"),
        Reading("allowed: lower, upper, digit, special", "allowed: ascii-printable;"),
        Reading("allowed: unicode, lower", "allowed: unicode;"),
    ]

    @Test(arguments: readings) func `rules are read, and written in one form`(_ reading: Reading) throws {
        let rules = try PasswordRules(reading.text)
        #expect("\(rules)" == reading.canonical)
        #expect(try PasswordRules(reading.canonical) == rules)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let text: String
        let problem: PasswordRulesError.Problem
        let offset: Int
        var testDescription: String { text }

        init(_ text: String, _ problem: PasswordRulesError.Problem, _ offset: Int) {
            (self.text, self.problem, self.offset) = (text, problem, offset)
        }
    }

    static let refusals = [
        Refusal("8", .propertyExpected, 0), Refusal("minlength: 8;; ", .propertyExpected, 13),
        Refusal("minlen: 8", .unknownProperty, 0), Refusal("Minlength: 8", .unknownProperty, 0),
        Refusal("maxlength: 8; min: 3", .unknownProperty, 14), Refusal("minlength 8", .colonExpected, 9),
        Refusal("minlength", .colonExpected, 9), Refusal("required : lower", .colonExpected, 8),
        Refusal("minlength: ", .numberExpected, 11), Refusal("minlength: x", .numberExpected, 11),
        Refusal("minlength: -1", .numberExpected, 11), Refusal("minlength: 0", .numberOutOfRange, 11),
        Refusal("maxlength: 10000", .numberOutOfRange, 11),
        Refusal("maxlength: 99999999999999999999999", .numberOutOfRange, 11),
        Refusal("minlength: 8 maxlength: 9", .semicolonExpected, 13),
        Refusal("minlength: 8a", .semicolonExpected, 12), Refusal("required: lower upper", .semicolonExpected, 16),
        Refusal("allowed: [a]b]", .semicolonExpected, 12), Refusal("required: ;", .valueExpected, 10),
        Refusal("required:", .valueExpected, 9), Refusal("required: lower,", .valueExpected, 16),
        Refusal("required: letters", .unknownClass, 10), Refusal("required: lower, symbol", .unknownClass, 17),
        Refusal("allowed: [", .bracketNotClosed, 10), Refusal("allowed: [abc", .bracketNotClosed, 13),
        Refusal("allowed: []", .emptyList, 9), Refusal("allowed: [a-z]", .hyphenNotFirst, 11),
        Refusal("allowed: [a§]", .notPrintable, 11), Refusal("allowed: [a\n]", .notPrintable, 11),
    ]

    @Test(arguments: refusals) func `what is no rule is refused at its byte`(_ refusal: Refusal) throws {
        let error = #expect(throws: PasswordRulesError.self) { _ = try PasswordRules(refusal.text) }
        #expect(error?.problem == refusal.problem)
        #expect(error?.offset == refusal.offset)
    }

    @Test func `each refusal is met by one of these texts, and says the byte as people count`() throws {
        #expect(Set(Self.refusals.map(\.problem)) == Set(PasswordRulesError.Problem.allCases))
        let error = #expect(throws: PasswordRulesError.self) { _ = try PasswordRules("minlength: 0") }
        #expect(error?.description == "password rules, byte 12: a number is from 1 to 9999")
    }

    private func isMet(_ rules: String, by password: String) throws -> Bool {
        let rules = try PasswordRules(rules)
        return Array(password.utf8).withSpan { rules.areMet(by: $0) }
    }

    @Test func `a password is judged by all rules at once`() throws {
        let rules = "minlength: 4; maxlength: 6; max-consecutive: 2; required: lower; required: digit; allowed: [-]"
        for good in ["abc1", "a1-1-1", "aab1", "1122-a"] { #expect(try isMet(rules, by: good), "\(good)") }
        for bad in ["ab1", "abcdef1", "aaab1", "1111", "abcd", "abC1", "ab_1", "ab1 ", ""] {
            #expect(try !isMet(rules, by: bad), "\(bad)")
        }
        // Of what nothing is said, all that is printable ASCII is permitted, and more only by its name.
        #expect(try isMet("", by: "aB1 ~"))
        #expect(try isMet("allowed: unicode", by: "grün"))
        #expect(try !isMet("", by: "grün"))
        #expect(try !isMet("allowed: ascii-printable", by: "a\tb"))
    }
}
