import Foundation
import Glibc
import Linux
import Testing
import Tresor

/// Things done to a real program, each found by its name.
@Suite
struct LiveIntegrity {
    @Test func `a program that nothing was done to stays below the threshold`() throws {
        let report = try TestedProgram.report()
        #expect(
            report.bad(
                of: "debugger", "injected-variables", "foreign-code", "writable-code", "system-preload",
                "writable-system", "setuid-shell", "sandbox") == [], "\(report.text)")
        #expect(report.states["debugger"] == "ok" && report.states["foreign-code"] == "ok")
        #expect(!report.isCompromised)
    }

    @Test func `a trial of the sandbox binds nobody but its own thread`() throws {
        #expect(Sandbox.holds() != false)
        #expect(try FileSystem.status("/")?.isDirectory == true)
        #expect(throws: Never.self) { _ = try FileDescriptor.open("/", FileFlags.directory) }
        #expect(IntegrityCheck().finding(.sandbox).state != .bad)
    }

    @Test func `the variables at the start read the same from memory as from proc`() throws {
        let file = try FileSystem.read("/proc/self/environ")
        #expect(try CurrentProcess.startEnvironment() == file)
        #expect(throws: LinuxError.self) { try CurrentProcess.startEnvironment(limit: 0) }
    }

    // MARK: Tracing

    /// Yama may keep a process from tracing one that is not its child; from 3 on, everybody.
    private static let mayTrace: Bool = {
        let bytes = try? FileSystem.read("/proc/sys/kernel/yama/ptrace_scope")
        let scope = bytes.flatMap { Int(String(decoding: $0.prefix(1), as: UTF8.self)) } ?? 0
        return scope == 0 || (getuid() == 0 && scope < 3)
    }()

    @Test(
        .enabled(if: mayTrace && TestedProgram.isThere("/usr/bin/strace"), "needs strace, and a kernel that permits it")
    )
    func `strace is found, and is one sign`() throws {
        let report = try TestedProgram.report(tracedBy: "/usr/bin/strace") { ["-f", "-o", "/dev/null", "-p", $0] }
        #expect(report.states["debugger"] == "bad", "\(report.text)")
        #expect(!report.isCompromised)
    }

    @Test(.enabled(if: mayTrace && TestedProgram.isThere("/usr/bin/gdb"), "needs gdb, and a kernel that permits it"))
    func `gdb is found, and is one sign`() throws {
        let report = try TestedProgram.report(tracedBy: "/usr/bin/gdb") {
            ["-nx", "-batch", "-p", $0, "-ex", "continue"]
        }
        #expect(report.states["debugger"] == "bad", "\(report.text)")
        #expect(!report.isCompromised)
    }

    // MARK: Libraries

    private static let hasCompiler = TestedProgram.isThere("/usr/bin/cc")

    @Test(.enabled(if: hasCompiler), arguments: [Workshop.Library.plain, .unsetting])
    func `a preloaded library is found twice, also when it unsets its variable`(_ kind: Workshop.Library) throws {
        try Workshop.use { workshop in
            let report = try TestedProgram.report(environment: ["LD_PRELOAD": workshop.library(kind)])
            #expect(report.bad(of: "injected-variables", "foreign-code").count == 2, "\(report.text)")
            #expect(report.isCompromised)
        }
    }

    @Test(.enabled(if: hasCompiler))
    func `a preloaded library that has overwritten its variable is found by its code`() throws {
        try Workshop.use { workshop in
            let report = try TestedProgram.report(environment: ["LD_PRELOAD": workshop.library(.hidden)])
            #expect(
                report.states["injected-variables"] == "ok" && report.states["foreign-code"] == "bad", "\(report.text)")
            #expect(!report.isCompromised, "one sign alone")
        }
    }

    @Test(.enabled(if: hasCompiler))
    func `an auditing library is found twice`() throws {
        try Workshop.use { workshop in
            let report = try TestedProgram.report(environment: ["LD_AUDIT": workshop.library(.auditing)])
            #expect(report.bad(of: "injected-variables", "foreign-code").count == 2, "\(report.text)")
        }
    }

    @Test func `tunables are found, and are one sign`() throws {
        let report = try TestedProgram.report(environment: ["GLIBC_TUNABLES": "glibc.malloc.perturb=1"])
        #expect(report.states["injected-variables"] == "bad" && !report.isCompromised, "\(report.text)")
    }

    @Test(.enabled(if: hasCompiler))
    func `code that is made at run time, and code of a file without a name, are found`() throws {
        try Workshop.use { workshop in
            let library = try workshop.library(.compiling)
            let report = try TestedProgram.report(["--allow", library], environment: ["LD_PRELOAD": library])
            #expect(report.bad(of: "foreign-code", "writable-code").count == 2, "\(report.text)")
            let allowed = try TestedProgram.report(
                ["--allow", library, "--allow", "/memfd:code"], environment: ["LD_PRELOAD": library])
            #expect(allowed.bad(of: "foreign-code", "writable-code") == ["writable-code"], "\(allowed.text)")
        }
    }

    /// A program that hides can read neither its variables at the start nor be asked for them, unless it is root.
    @Test(.enabled(if: getuid() == 0 && hasCompiler && TestedProgram.isThere("/usr/bin/setpriv")))
    func `a program of another user's that hides from others finds the same`() throws {
        try Workshop.use { workshop in
            let program = try workshop.copy()
            let library = try workshop.library(.plain)
            let identity = ["--reuid", "65534", "--regid", "65534", "--clear-groups"]
            let rest = [program] + TestedProgram.allowed + ["--hide"]
            let report = try TestedProgram.Report(
                TestedProgram.run("/usr/bin/setpriv", identity + ["/usr/bin/env", "LD_PRELOAD=\(library)"] + rest).text)
            #expect(report.bad(of: "injected-variables", "foreign-code").count == 2, "\(report.text)")
            let plain = try TestedProgram.Report(TestedProgram.run("/usr/bin/setpriv", identity + rest).text)
            #expect(plain.states["injected-variables"] == "ok" && plain.states["foreign-code"] == "ok", "\(plain.text)")
            #expect(plain.states["sandbox"] != "bad" && !plain.isCompromised)
        }
    }

    // MARK: The program's file

    @Test func `a flipped byte of the program is found`() throws {
        try Workshop.use { workshop in
            let program = try workshop.copy()
            let digits = try String(TestedProgram.run("/usr/bin/sha256sum", [program]).text.prefix(64))
            let whole = try TestedProgram.report(["--sha256", digits], program: program)
            #expect(whole.states["program-digest"] == "ok", "\(whole.text)")
            let changed = try TestedProgram.report(
                ["--sha256", digits], program: workshop.copy(flippingLastByte: true))
            #expect(changed.states["program-digest"] == "bad" && !changed.isCompromised, "\(changed.text)")
        }
    }
}
