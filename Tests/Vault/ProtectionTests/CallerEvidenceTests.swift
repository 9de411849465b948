import Testing

@testable import Protection

/// What files of the kernel and of sandboxes say of a process.
@Suite struct CallerEvidenceTests {
    @Test func `a flatpak is named by the section Application`() {
        #expect(
            CallerEvidence.flatpak("[Application]\nname=org.example.Mail\nruntime=a\n\n[Instance]\nname=org.b\n")
                == "flatpak:org.example.Mail")
        #expect(CallerEvidence.flatpak("[Instance]\nname=org.example.Mail\n") == nil)
        #expect(CallerEvidence.flatpak("[Instance]\n[Application]\nname=a.b\n") == "flatpak:a.b")
        for name in ["", "mail", "org example.Mail", "org..Mail", "org.example.Mail\u{e9}"] {
            #expect(CallerEvidence.flatpak("[Application]\nname=\(name)\n") == nil)
        }
        #expect(CallerEvidence.flatpak("") == nil)
    }

    @Test func `a snap is named by a label that is enforced`() {
        #expect(CallerEvidence.snap("snap.mail.app (enforce)") == "snap:mail")
        for label in [
            "snap.mail.app (complain)", "snap.mail.app", "unconfined", "snap..app (enforce)", "snap.mail (enforce)",
            "/usr/bin/snap.mail.app (enforce)", "",
        ] {
            #expect(CallerEvidence.snap(label) == nil)
        }
    }

    @Test func `a system unit is one that the system's manager runs, and nothing below it`() {
        #expect(CallerEvidence.systemUnit(["0::/system.slice/backup.service"]) == "backup.service")
        #expect(
            CallerEvidence.systemUnit(["1:name=x:/", "0::/system.slice/system-a.slice/a@1.service"]) == "a@1.service")
        for path in [
            "/user.slice/user-1000.slice/user@1000.service/app.slice/a.service", "/", "", "/system.slice/a.scope",
            "/system.slice/docker.service/a.service", "/system.slice/containerd.service/pod", "/a.service",
        ] {
            #expect(CallerEvidence.systemUnit(["0::" + path]) == nil)
        }
        #expect(CallerEvidence.systemUnit(["1:name=systemd:/system.slice/a.service"]) == nil)
    }
}
