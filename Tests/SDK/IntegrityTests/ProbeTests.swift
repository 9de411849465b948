import Foundation
import Glibc
import Testing
import Tresor

/// Each probe on folders that stand for a machine.
@Suite struct Probes {
    struct Case: Sendable, CustomTestStringConvertible {
        let probe: IntegrityProbe
        let state: IntegrityFinding.State
        let given: String
        let rules: IntegrityRules
        let prepare: @Sendable (Fixture) -> Void

        init(
            _ probe: IntegrityProbe, _ state: IntegrityFinding.State, _ given: String,
            _ rules: IntegrityRules = IntegrityRules(), prepare: @escaping @Sendable (Fixture) -> Void = { _ in }
        ) {
            (self.probe, self.state, self.given, self.rules, self.prepare) = (probe, state, given, rules, prepare)
        }

        var testDescription: String { "\(probe.rawValue): \(given)" }
    }

    @Test(arguments: cases)
    func `what lies there decides`(_ one: Case) {
        let fixture = Fixture()
        one.prepare(fixture)
        let finding = fixture.finding(one.probe, one.rules)
        #expect(finding.state == one.state, "\(finding.seen)")
        #expect(finding.name == one.probe.rawValue && finding.weight == one.probe.defaultWeight)
        #expect(!finding.seen.contains("anna") && !finding.threat.isEmpty, "nothing of the user's is in it")
    }

    @Test func `every probe is seen in every state that it has`() {
        for probe in IntegrityProbe.allCases where probe != .sandbox {
            let states = Set(Self.cases.filter { $0.probe == probe }.map(\.state))
            #expect(states == (probe.kind == .surroundings ? [.ok, .unknown] : [.ok, .bad, .unknown]), "\(probe)")
        }
    }

    @Test(arguments: [(true, .ok), (false, .bad), (nil, .unknown)] as [(Bool?, IntegrityFinding.State)])
    func `a sandbox that does not hold is a sign`(_ holds: Bool?, _ state: IntegrityFinding.State) {
        let process = MachineView.OwnProcess(sandboxHolds: { holds })
        #expect(Fixture().finding(.sandbox, ownProcess: process).state == state)
    }

    @Test func `where the start's variables are root's alone, they are read from memory`() {
        let bytes = Array("HOME=/\0LD_AUDIT=/x.so\0".utf8)
        let process = MachineView.OwnProcess(startEnvironment: { bytes })
        let finding = Fixture().finding(.injectedVariables, ownProcess: process)
        #expect(finding.state == .bad && finding.seen == "started with LD_AUDIT")
    }

    @Test func `a folder and a library of somebody else's are not the system's`() {
        let fixture = Fixture()
        fixture.plainMachine()
        fixture.file("/usr/bin/bash", "bash", mode: 0o4755)
        let owners: Set<UInt32> = [getuid() + 1]
        #expect(fixture.finding(.writableSystem, owners: owners).state == .bad)
        #expect(fixture.finding(.foreignCode, owners: owners).state == .bad)
        #expect(
            fixture.finding(.setuidShell, owners: owners).state == .ok,
            "a program of somebody's that is set to them gives no rights")
    }

    @Test func `in a user namespace root's files appear as the overflow user's`() {
        let fixture = Fixture()
        #expect(fixture.rootsNumbers() == [0])
        fixture.file("/proc/self/uid_map", "         0          0 4294967295\n")
        #expect(fixture.rootsNumbers() == [0])
        fixture.file("/proc/self/uid_map", "         0       1000          1\n")
        #expect(fixture.rootsNumbers() == [0, 65_534])
        fixture.file("/proc/sys/kernel/overflowuid", "99\n")
        #expect(fixture.rootsNumbers() == [0, 99])
    }

    @Test func `surroundings are said and weigh nothing`() {
        let fixture = Fixture()
        fixture.plainMachine()
        for probe in [IntegrityProbe.virtualMachine, .container] {
            let finding = fixture.finding(probe)
            #expect(finding.state == .ok && finding.weight == 0)
        }
        #expect(fixture.finding(.virtualMachine).seen == "a virtual machine")
        #expect(fixture.finding(.container).seen == "a container")
        #expect(IntegrityProbe.allCases.prefix(2) == [.virtualMachine, .container], "they are told first")
    }
}
