import Testing

@testable import Protection

/// From what the kernel vouches for to the groups that a program reaches.
@Suite struct CallerIdentityTests {
    private let digest = [UInt8](repeating: 7, count: 32)

    private func identity(
        _ evidence: CallerEvidence, _ apps: [AppClaim] = [], granted: [String: [String]] = [:]
    ) -> CallerIdentity {
        CallerIdentity(evidence, apps: apps) { granted[$0] ?? [] }
    }

    private func running(_ path: String?, installed: Bool = false, ours: Bool = false) -> CallerEvidence {
        CallerEvidence(
            executable: CallerEvidence.Executable(path: path, digest: digest, isInstalled: installed, isOurs: ours))
    }

    private var mail: AppClaim {
        AppClaim(
            identifier: "ABCDEFGHIJKLMNOP.org.example.mail",
            keychainGroups: ["ABCDEFGHIJKLMNOP.shared", "ABCDEFGHIJKLMNOP.mail"],
            applicationGroups: ["group.org.example"], executables: [digest], sandboxes: ["flatpak:org.example.Mail"],
            unit: "mail.service", group: "mail-keys")
    }

    @Test func `an app has its keychain groups, then itself, then its application groups`() {
        let found = identity(running("/home/a/bin/mail"), [mail])
        #expect(found.name == mail.identifier && found.grade == .executable && !found.isOurs)
        #expect(
            found.accessGroups == [
                "ABCDEFGHIJKLMNOP.shared", "ABCDEFGHIJKLMNOP.mail", mail.identifier, "group.org.example",
                "sha256." + String(repeating: "07", count: 32),
            ], "and what it kept before it was registered")
    }

    @Test func `the strongest evidence gives the grade`() {
        var evidence = running("/usr/bin/mail", installed: true)
        evidence.unit = "mail.service"
        #expect(identity(evidence, [mail]).grade == .systemUnit)
        evidence.group = "mail-keys"
        #expect(identity(evidence, [mail]).grade == .isolated)
        #expect(identity(CallerEvidence(sandbox: "flatpak:org.example.Mail"), [mail]).grade == .executable)
        #expect(identity(CallerEvidence(sandbox: "snap:mail")).grade == .executable)
    }

    @Test func `what runs in another sandbox is not the app, whatever file it runs`() {
        var evidence = running("/app/bin/mail")
        evidence.sandbox = "flatpak:org.evil"
        let found = identity(evidence, [mail])
        #expect(found.name == "sandbox.flatpak:org.evil" && found.accessGroups == ["sandbox.flatpak:org.evil"])
    }

    @Test func `a program that no manifest names has a group of its own, named by what it is known by`() {
        let installed = identity(running("/usr/bin/gh", installed: true))
        #expect(installed.accessGroups == ["path./usr/bin/gh"] && installed.grade == .executable)
        let own = identity(running("/home/a/bin/gh"))
        #expect(own.accessGroups == ["sha256." + String(repeating: "07", count: 32)])
        #expect(identity(running(nil)).accessGroups == own.accessGroups, "a deleted file is known by its content")
        #expect(identity(CallerEvidence()).accessGroups.isEmpty && identity(CallerEvidence()).grade == .unknown)
    }

    @Test(arguments: ["/usr/bin/python3.11", "/bin/bash", "/usr/bin/perl", "/opt/node/bin/node", "/usr/bin/python3"])
    func `an interpreter is never an app, and all its scripts are one`(_ path: String) {
        let found = identity(running(path, installed: true), [mail])
        #expect(found.grade == .interpreter && found.accessGroups == ["interpreter.\(path)"])
    }

    @Test(arguments: ["/usr/bin/pythonista", "/usr/bin/gh", "/usr/bin/bashful", "/usr/bin/7z"])
    func `other programs are no interpreters`(_ path: String) {
        #expect(identity(running(path, installed: true)).grade == .executable)
    }

    @Test func `what the owner grants comes last, and once`() {
        let gh = running("/usr/bin/gh", installed: true)
        let granted = ["path./usr/bin/gh": ["user", "path./usr/bin/gh"]]
        #expect(identity(gh, granted: granted).accessGroups == ["path./usr/bin/gh", "user"])
    }

    @Test func `ours have groups of their own, and only where no sandbox says otherwise`() {
        let notes = identity(running("/opt/tresor/tresor-notes", ours: true), [mail])
        #expect(notes.isOurs && notes.accessGroups == ["tresor.notes", "user"])
        #expect(identity(running("/opt/tresor/tresor", ours: true)).accessGroups == ["user"])
        #expect(identity(running("/opt/tresor/tresor-other", ours: true)).accessGroups.isEmpty)
        var evidence = running("/opt/tresor/tresor", ours: true)
        evidence.sandbox = "flatpak:org.evil"
        #expect(!identity(evidence).isOurs)
    }

    @Test func `names of groups belong to whom they say`() {
        let prefix = "ABCDEFGHIJKLMNOP"
        #expect(AccessGroup.isOf(prefix: prefix, "ABCDEFGHIJKLMNOP.a"))
        for other in ["ABCDEFGHIJKLMNOP.", "ABCDEFGHIJKLMNOP", "ABCDEFGHIJKLMNOPQ.a", "user", "ABCDEFGHIJKLMNOP. a"] {
            #expect(!AccessGroup.isOf(prefix: prefix, other), "\(other)")
        }
        #expect(AccessGroup.isApplicationGroup("group.org.example"))
        for other in ["group.", "group.one", "group.a..b", "Group.a.b", "group.a.b/c"] {
            #expect(!AccessGroup.isApplicationGroup(other), "\(other)")
        }
        #expect(!AccessGroup.isBundleIdentifier("org." + String(repeating: "a", count: 160)))
    }
}
