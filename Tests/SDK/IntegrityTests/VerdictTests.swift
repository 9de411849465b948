import Testing
import Tresor

@Suite struct Verdicts {
    private static func verdict(
        bad: [IntegrityProbe], _ rules: IntegrityRules = IntegrityRules()
    ) -> IntegrityVerdict {
        IntegrityVerdict(
            findings: IntegrityProbe.allCases.map {
                IntegrityFinding(
                    probe: $0, state: bad.contains($0) ? .bad : .unknown, weight: rules[weightOf: $0], seen: "")
            }, threshold: rules.threshold)
    }

    static let signs = IntegrityProbe.allCases.filter { $0.kind == .sign }
    static let context = IntegrityProbe.allCases.filter { $0.kind == .context }

    @Test(arguments: signs)
    func `one sign alone is no verdict, whatever it weighs and however weak the machine`(_ sign: IntegrityProbe) {
        var rules = IntegrityRules()
        #expect(!Self.verdict(bad: [sign] + Self.context).isCompromised)
        #expect(Self.verdict(bad: [sign]).sum == 16)
        rules[weightOf: sign] = 1_000
        let verdict = Self.verdict(bad: [sign] + Self.context, rules)
        #expect(verdict.sum > verdict.threshold && !verdict.isCompromised)
    }

    @Test func `any two signs are a verdict`() {
        for first in Self.signs {
            for second in Self.signs where second != first {
                let verdict = Self.verdict(bad: [first, second])
                #expect(verdict.isCompromised && verdict.sum == 32 && verdict.badSigns.count == 2)
            }
        }
    }

    @Test func `context and surroundings alone are none, and what is unknown weighs nothing`() {
        #expect(!Self.verdict(bad: Self.context + [.virtualMachine, .container]).isCompromised)
        #expect(Self.verdict(bad: Self.context).sum == 12, "with one sign below the threshold")
        #expect(Self.verdict(bad: []).sum == 0)
    }

    @Test func `weights and threshold are the program's to choose, within bounds`() {
        var rules = IntegrityRules()
        rules[weightOf: .writableCode] = 0
        #expect(!Self.verdict(bad: [.writableCode, .debugger], rules).isCompromised)
        rules.threshold = 48
        #expect(!Self.verdict(bad: [.foreignCode, .debugger], rules).isCompromised)
        #expect(Self.verdict(bad: [.foreignCode, .debugger, .sandbox], rules).isCompromised)
        rules.threshold = 0
        #expect(!Self.verdict(bad: [.debugger], rules).isCompromised)
        rules[weightOf: .debugger] = -5
        rules[weightOf: .sandbox] = .max
        rules[weightOf: .container] = 32
        #expect(rules[weightOf: .debugger] == 0 && rules[weightOf: .sandbox] == 1_000)
        #expect(rules[weightOf: .container] == 0, "a container is never held against anybody")
    }

    @Test func `a policy decides on compromised machines alone, and one sign is written down`() {
        let clear = Self.verdict(bad: Self.context)
        let one = Self.verdict(bad: [.debugger])
        let two = Self.verdict(bad: [.debugger, .foreignCode])
        let expected: [IntegrityPolicy: IntegrityDecision] = [.refuse: .refuse, .warn: .warn, .log: .log]
        for policy in IntegrityPolicy.allCases {
            #expect(policy.decision(on: clear) == .proceed)
            #expect(policy.decision(on: one) == .log)
            #expect(policy.decision(on: two) == expected[policy])
        }
    }

    @Test func `a plain container of root's on a plain virtual machine stays below the threshold`() {
        let fixture = Fixture()
        fixture.plainMachine()
        let verdict = fixture.verdict()
        #expect(verdict.badSigns.map(\.name) == [])
        #expect(verdict.sum == 12 && !verdict.isCompromised, "all of the context is bad, as on many good machines")
        #expect(IntegrityPolicy.refuse.decision(on: verdict) == .proceed)
    }

    @Test func `an empty machine says nothing`() {
        let verdict = Fixture().verdict()
        #expect(verdict.sum == 0 && verdict.findings.count == IntegrityProbe.allCases.count)
        #expect(verdict.findings.filter { $0.state == .ok }.map(\.name) == ["system-preload"])
    }

    @Test func `the lines for a person name each finding and fit a terminal`() {
        let fixture = Fixture()
        fixture.plainMachine()
        let lines = fixture.verdict().lines
        #expect(
            lines.first == "integrity    12 of 32, 0 signs: nothing speaks against this machine, which proves nothing")
        #expect(lines.count == IntegrityProbe.allCases.count + 1)
        #expect(lines.contains("  ok       debugger            16  no process traces this one"))
        #expect(lines.contains("  info     container           0   a container"))
        #expect(lines.allSatisfy { $0.count <= 120 })
    }

    @Test(arguments: ["", "ba", String(repeating: "g", count: 64), String(repeating: "0", count: 65)])
    func `a digest that is none is refused`(_ text: String) {
        #expect(ProgramDigest(hexadecimal: text) == nil)
        #expect(ProgramDigest(sha256: Array(text.utf8)) == nil)
    }
}
