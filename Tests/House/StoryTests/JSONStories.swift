import Foundation
import Glibc
import Linux
import Testing

/// What `--json` prints is what docs/guides/json.md says, field by field.
@Suite(.serialized) struct JSONStories {
    /// A command, what it gets, and the exit codes with which it prints its document.
    struct Run {
        let command: String
        var arguments: [String] = []
        var input = ""
        var codes: Set<Int32> = [0]

        init(_ command: String, _ arguments: String..., input: String = "", codes: Set<Int32> = [0]) {
            self.command = "tresor " + command
            self.arguments = arguments
            self.input = input
            self.codes = codes
        }
    }

    /// Words in braces are values that the test knows.
    private static let keychain = [
        Run("get", "github.com"), Run("ls"), Run("find", "hub"), Run("generate"),
        Run("generate", "--count", "2", "--words", "6"), Run("code", "Bank"), Run("status"),
        Run("vault keychains list"), Run("vault keychains default"), Run("vault trash"), Run("vault import", "{csv}"),
        Run("vault import", "{csv}", codes: [4]), Run("vault import", "{p12}", input: "correct horse\n"),
        Run("vault health"), Run("vault health", "--list", "weak"), Run("vault code show", "--service", "Bank"),
        Run("vault code list"), Run("admin settings device"), Run("admin settings integrity"),
        Run("admin trust verify", "{pem}", codes: [0, 7]), Run("admin trust roots"),
        Run("admin security-key list"), Run("admin classes"), Run("admin presets"), Run("admin doctor", codes: [0, 8]),
        Run("admin doctor", "--orphans"), Run("admin doctor", "--data"), Run("admin where"),
    ]

    private static let programs = [
        Run("admin app requests"), Run("admin app keygen"),
        Run("admin app sign", "{description}", "--output", "{manifest}", "--prefix", "{prefix}"),
        Run("admin app register", "{manifest}"), Run("admin app show", "{app}"), Run("admin app update", "{newer}"),
        Run("admin app allow", "{stranger}"), Run("admin app list"), Run("admin app advertising"),
        Run("admin app remove", "{app}"), Run("admin profile show", "{profile}"),
        Run("admin profile install", "{profile}"), Run("admin profile list"),
        Run("admin profile remove", "org.example"), Run("widget list"), Run("widget settings"),
        Run("admin settings widgets"), Run("widget status"), Run("widget check", "{widget}", codes: [0, 8]),
        Run("widget token add", "notes.pinned"), Run("widget token list"),
    ]

    private static let notes = [
        Run("notes passphrase set", input: "cat\ncat\n"), Run("notes new", input: "# New\n"), Run("notes list"),
        Run("notes edit", "{note}", input: "# Shopping\n\ntwo quinces\n"), Run("notes show", "{note}"),
        Run("notes search", "quinces"), Run("notes move", "{note}", "Work"), Run("notes tag", "{note}", "home"),
        Run("notes pin", "{note}"), Run("notes versions", "{note}"), Run("notes resolve", "{note}"),
        Run("notes place", "{note}", "63.4,10.4", "--name", "Trondheim"), Run("notes map", "{note}"),
        Run("notes attach", "{note}", "{file}"), Run("notes attachments", "{note}"),
        Run("notes detach", "{note}", "list.csv"), Run("notes lock", "{locked}", input: "cat\n"),
        Run("notes unlock", input: "cat\n"), Run("notes remove-lock", "{locked}", input: "cat\n"),
        Run("notes lock-now"), Run("notes status"), Run("notes settings"), Run("admin settings notes"),
        Run("notes passphrase change", input: "cat\ndog\ndog\n"), Run("notes import markdown", "{folder}"),
        Run("notes import from", "{page}"), Run("notes import sources"), Run("notes restore", "{trashed}"),
        Run("notes export", "{out}", codes: [0, 5]),
    ]

    private static let diary = [
        Run("diary sign-in", input: "a blue door\n"), Run("diary add", "--tag", "winter", input: "Snow.\n"),
        Run("diary edit", "{entry}", "--mood", "good", "--place", "59.9,10.7"), Run("diary list"),
        Run("diary show", "{entry}"), Run("diary search", "quiet"), Run("diary on-this-day"), Run("diary tags"),
        Run("diary template list"), Run("diary template show", "daily"), Run("diary restore", "{gone}"),
        Run("diary calendar"), Run("diary map"), Run("diary statistics"), Run("diary import jrnl", "{journal}"),
        Run("diary export", "--format", "markdown", "{out}"), Run("diary status"), Run("diary settings"),
        Run("admin settings diary"),
    ]

    /// Those that no test here runs, and why.
    private static let elsewhere = [
        "tresor admin service status": "it needs systemd: ServiceStories",
        "tresor notes passphrase reset": "what 'change' prints; it needs a passcode",
        "tresor notes passphrase remember": "what 'unlock' prints; it needs a finger",
        "tresor notes hint": "it is refused before the third wrong passphrase",
        "tresor notes import apple": "what 'import markdown' prints",
        "tresor diary import day-one": "what 'import jrnl' prints",
        "tresor diary import photos": "what 'import jrnl' prints",
    ]

    /// Lists that may have nothing in them here, so that no field of theirs is compared.
    private static let mayBeEmpty: Set<String> = [
        "tresor admin security-key list", "tresor admin trust roots", "tresor admin app remove", "tresor admin doctor",
        "tresor notes import sources", "tresor diary on-this-day",
    ]

    private let device: LiveDevice
    private let page: JSONPage
    private let papers: String

    init() throws {
        device = try LiveDevice()
        page = try JSONPage()
        papers = device.folder + "/papers"
        try FileManager.default.createDirectory(atPath: papers + "/md", withIntermediateDirectories: true)
    }

    private func file(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: papers + "/" + name))
        return papers + "/" + name
    }

    private func check(_ runs: [Run], _ values: [String: String]) throws {
        for run in runs {
            let arguments = run.arguments.map { word in
                word.hasPrefix("{") ? values[word.trimmingCharacters(in: ["{", "}"])] ?? word : word
            }
            let words = run.command.split(separator: " ").dropFirst().map(String.init)
            let outcome = try device.run(
                words + ["--json"] + arguments, input: Data(run.input.utf8), environment: ["TZ": "Europe/Oslo"])
            #expect(run.codes.contains(outcome.code), "\(run.command): \(outcome)")
            guard let value = try? JSONDecoder().decode(JSONValue.self, from: outcome.output) else {
                Issue.record("\(run.command) prints no JSON: \(outcome)")
                continue
            }
            if case .list(let elements) = value, elements.isEmpty {
                #expect(Self.mayBeEmpty.contains(run.command), "\(run.command) prints nothing to compare")
            }
            let problems = page.problems(value, as: page.commands[run.command] ?? [])
            #expect(problems.isEmpty, "\(run.command): \(outcome.text)")
        }
    }

    @Test func `every command stands on the page, with what it prints or why it prints no JSON`() throws {
        let dump = try device.run("--experimental-dump-help")
        var (with, without): (Set<String>, Set<String>) = ([], [])
        for (words, command) in try JSONDecoder().decode(KnownCommands.self, from: dump.output).shown {
            let prints = command.arguments?.contains { $0.isCalled("--json") } == true
            if prints { with.insert(words) } else { without.insert(words) }
        }
        #expect(with.union(without).count > 120)
        let named = Set(page.commands.keys)
        #expect(named.subtracting(with) == [] && named.intersection(page.commandsWithout) == [])
        // A few take the option of their group, and have nothing to print.
        #expect(with.subtracting(named).subtracting(page.commandsWithout) == [])
        #expect(without.subtracting(page.commandsWithout) == [])
        #expect(page.commandsWithout.subtracting(with.union(without)) == [])
        let run = (Self.keychain + Self.programs + Self.notes + Self.diary).map(\.command)
        #expect(Set(run).union(Self.elsewhere.keys) == named)
    }

    @Test func `what the keychain's commands print`() throws {
        let seed = Data("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ".utf8)
        try device.succeed("vault", "code", "add", "--service", "Bank", "--account", "anna", input: seed)
        try device.succeed("add", "github.com", "--account", "anna", "--comment", "for work", input: Data("weak".utf8))
        try device.succeed("add", "old.example", input: Data("gone".utf8))
        try device.succeed("rm", "old.example", "--yes")
        let vectors = LiveDevice.root.appendingPathComponent("Tests/SDK/CertificateTests/Vectors").path
        let csv = try file(
            "chrome.csv", "name,url,username,password,note\nShop,https://shop.example/login,bob,four,a note\n")
        try check(
            Self.keychain,
            ["csv": csv, "p12": vectors + "/p384.p12", "pem": vectors + "/p384-certificate.pem"])
    }

    @Test func `what commands about programs, profiles and widgets print`() throws {
        let cast = try Cast(device)
        try cast.make("mail")
        let stranger = try cast.make("stranger")
        let prefix = try cast.makeDeveloper()
        #expect(try cast.run("stranger", "find", "s", "user") == "-34018")
        let description = try file(
            "mail.json",
            #"{"bundleIdentifier":"org.example.mail","name":"Mail","executables":["\#(cast.folder)/mail"]}"#)
        let newer = try cast.sign("org.example.mail", by: prefix, version: 2, executables: ["mail"])
        let profile = try file(
            "a.mobileconfig",
            """
            <plist version="1.0"><dict>
            <key>PayloadType</key><string>Configuration</string><key>PayloadIdentifier</key><string>org.example</string>
            <key>PayloadUUID</key><string>P</string><key>PayloadVersion</key><integer>1</integer>
            <key>PayloadContent</key><array><dict><key>PayloadType</key><string>com.apple.wifi.managed</string>
            <key>PayloadIdentifier</key><string>a.W</string><key>PayloadUUID</key><string>W</string>
            <key>PayloadVersion</key><integer>1</integer><key>SSID_STR</key><string>Office</string>
            <key>Password</key><string>a secret</string></dict></array></dict></plist>
            """)
        let widget = try file("widget", "#!/bin/sh\nread -r line\nprintf '{}\\n'\n")
        #expect(chmod(widget, 0o755) == 0)
        try check(
            Self.programs,
            [
                "description": description, "manifest": papers + "/mail.tam", "prefix": prefix, "newer": newer,
                "app": prefix + ".org.example.mail", "stranger": stranger, "profile": profile, "widget": widget,
            ])
    }

    @Test func `what commands about notes print`() throws {
        let note = try device.newNote("# Shopping\n")
        let locked = try device.newNote("# To be locked\n")
        let trashed = try device.newNote("# Gone\n")
        try device.succeed("notes", "delete", trashed)
        _ = try file("md/one.md", "# One\n\nfrom a folder\n")
        try check(
            Self.notes,
            [
                "note": note, "locked": locked, "trashed": trashed, "file": try file("list.csv", "a,b\n"),
                "folder": papers + "/md", "page": try file("page.html", "<html><body><h1>Page</h1></body></html>"),
                "out": papers + "/out",
            ])
    }

    @Test func `what the diary's commands print`() throws {
        try device.openDiary()
        let entry = try device.newEntry("A quiet day.\n", "--tag", "home")
        let gone = try device.newEntry("Gone.\n")
        try device.succeed("diary", "delete", gone)
        try device.succeed("diary", "template", "set", "daily", input: Data("{{date}}\n".utf8))
        try device.succeed("diary", "lock")
        let journal = try file("journal.txt", "[2026-01-02 10:00] A walk.\nBy the sea.\n")
        try check(Self.diary, ["entry": entry, "gone": gone, "journal": journal, "out": papers + "/diary"])
    }
}
