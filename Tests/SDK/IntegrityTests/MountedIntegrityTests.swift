import Foundation
import Glibc
import Testing

enum Mounts {
    static let arePermitted: Bool = {
        guard getuid() == 0, TestedProgram.isThere("/usr/bin/unshare") else { return false }
        let script = "mount -t tmpfs none /usr/local/sbin"
        return (try? TestedProgram.run("/usr/bin/unshare", ["-m", "/bin/sh", "-c", script]).code) == 0
    }()
}

/// Things done to the whole system, in mounts that this machine's other processes don't see.
@Suite(.enabled(if: Mounts.arePermitted, "needs root, and a machine that lets it make mounts of its own"))
struct MountedIntegrity {
    private func report(_ script: String) throws -> TestedProgram.Report {
        try #require(try TestedProgram.report(inMounts: script))
    }

    @Test func `a folder of the system that all may write to is found`() throws {
        let report = try report("mount -t tmpfs -o mode=0777 none /usr/local/lib")
        #expect(report.bad(of: "writable-system", "setuid-shell", "system-preload") == ["writable-system"])
        #expect(!report.isCompromised, "one sign alone")
        let closed = try self.report("mount -t tmpfs -o mode=0755 none /usr/local/lib")
        #expect(closed.states["writable-system"] == "ok", "\(closed.text)")
    }

    @Test(arguments: ["cp /bin/sh /usr/local/sbin/sh", "cp \"$(readlink -f /bin/sh)\" /usr/local/sbin/cleanup"])
    func `a setuid shell is found, by its name or by its content`(_ copy: String) throws {
        let name = copy.split(separator: " ").last ?? ""
        let report = try report("mount -t tmpfs -o mode=0755 none /usr/local/sbin\n\(copy)\nchmod 4755 \(name)")
        #expect(report.bad(of: "writable-system", "setuid-shell", "system-preload") == ["setuid-shell"])
        let plain = try self.report("mount -t tmpfs -o mode=0755 none /usr/local/sbin\n\(copy)")
        #expect(plain.states["setuid-shell"] == "ok", "\(plain.text)")
    }

    @Test(.enabled(if: TestedProgram.isThere("/usr/bin/cc")))
    func `a library that every program loads is found twice`() throws {
        try Workshop.use { workshop in
            let library = try workshop.library(.plain)
            let report = try report("mount -t tmpfs -o mode=0755 none /etc\necho \(library) > /etc/ld.so.preload")
            #expect(report.bad(of: "system-preload", "foreign-code", "injected-variables").count == 2)
            #expect(report.isCompromised, "\(report.text)")
        }
    }
}
