import Foundation
import Glibc
import Testing
import Wire

@testable import Tresor

/// What our own programs look at as they start, what of it they tell, and what it costs.
@Suite struct StartChecks {
    private func sign(_ probe: IntegrityProbe, _ seen: String = "seen") -> IntegrityFinding {
        IntegrityFinding(probe: probe, state: .bad, weight: 16, seen: seen)
    }

    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "tresor-start-" + UUID().uuidString.prefix(13)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    @Test func `a start looks at every sign but those that cost much, and takes 20 milliseconds at most`() throws {
        let check = IntegrityCheck()
        let names = Set(check.startVerdict().findings.map(\.probe))
        let left: Set<IntegrityProbe> = [.setuidShell, .programDigest, .sandbox, .virtualMachine, .container]
        #expect(names == Set(IntegrityProbe.allCases).subtracting(left))
        // In a process of its own: what has hundreds of files mapped, as this one has, takes longer.
        let said = try TestedProgram.run(TestedProgram.path, ["--start"]).text
        let cost = try #require(Double(said.trimmingCharacters(in: .whitespacesAndNewlines)), "\(said)")
        #expect(cost <= 20, "milliseconds")
    }

    @Test func `each sign is new once, and again when it had gone`() throws {
        try withFolder { (folder: String) throws in
            let notes = IntegrityNotes("tresor-notes", folder: folder)
            #expect(try notes.take([], isToBeTold: true).isEmpty && notes.takeUntold().isEmpty)
            #expect(try notes.take([sign(.debugger)], isToBeTold: true).map(\.name) == ["debugger"])
            #expect(try notes.take([sign(.debugger)], isToBeTold: true).isEmpty, "a second start")
            let both = [sign(.debugger), sign(.foreignCode, "code of a file")]
            #expect(try notes.take(both, isToBeTold: true).map(\.name) == ["foreign-code"])
            let told = notes.takeUntold()
            #expect(told.map(\.name) == ["debugger", "foreign-code"] && told.last?.seen == "code of a file")
            #expect(notes.takeUntold().isEmpty, "told once")
            let moved = sign(.foreignCode, "code of another file in process 12")
            #expect(try notes.take([moved], isToBeTold: true).map(\.name) == ["foreign-code"], "another finding")
            #expect(notes.takeUntold().map(\.seen) == ["code of another file in process 12"])
            let again = sign(.foreignCode, "code of another file in process 345")
            #expect(try notes.take([again], isToBeTold: true).isEmpty, "the same in another process")
            let back = try notes.take([sign(.debugger), again], isToBeTold: false)
            #expect(back.map(\.name) == ["debugger"], "it had gone, and is back")
            #expect(notes.takeUntold().isEmpty, "for the log alone")
        }
    }

    @Test func `settings come back as they were written, and are the standard where they cannot be read`() throws {
        try withFolder { (folder: String) throws in
            let home = try Home(environment: { $0 == "TRESOR_HOME" ? folder : nil }, user: 0)
            try FileManager.default.createDirectory(atPath: home.data, withIntermediateDirectories: true)
            #expect(IntegritySettings(home: home) == IntegritySettings())
            #expect(IntegritySettings().policy == .warn && IntegritySettings().threshold == 32)
            var settings = IntegritySettings()
            settings.policy = .refuse
            settings.threshold = 48
            settings.weights = ["writable-code": 0, "no-such": 7]
            settings.allowedCode = ["/opt/app"]
            try settings.save(home)
            #expect(IntegritySettings(home: home) == settings)
            let rules = settings.rules
            #expect(rules.threshold == 48 && rules[weightOf: .writableCode] == 0 && rules[weightOf: .debugger] == 16)
            for text in ["", "{", "[]", #"{"policy":"never"}"#, #"{"threshold":"x"}"#] {
                try Data(text.utf8).write(to: URL(fileURLWithPath: home.integritySettings))
                #expect(IntegritySettings(home: home) == IntegritySettings(), "\(text)")
            }
            try Data(#"{"policy":"off"}"#.utf8).write(to: URL(fileURLWithPath: home.integritySettings))
            #expect(IntegritySettings(home: home).policy == .off)
        }
    }
}
