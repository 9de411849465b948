import Foundation
import Testing

/// What shells offer for a word that is being typed.
@Suite(.serialized) struct CompletionStories {
    private let device: LiveDevice

    init() throws { device = try LiveDevice() }

    private func add(_ arguments: String..., secret: String = "x") throws {
        let added = try device.run(["add"] + arguments, input: Data(secret.utf8))
        #expect(added.code == 0, "\(added)")
    }

    /// What is asked as shells ask it: for the last of these words.
    private func asked(
        _ command: [String], _ argument: String, _ words: [String], shell: String = "fish"
    ) throws -> LiveDevice.Outcome {
        let line = ["tresor"] + words
        let last = line[line.count - 1]
        return try device.run(
            ["---completion"] + command + ["--", argument, "\(line.count - 1)", "\(last.count)"] + line,
            environment: ["SAP_SHELL": shell])
    }

    private func offered(
        _ command: [String], _ argument: String, _ words: [String], shell: String = "fish"
    ) throws -> [String] {
        let answer = try asked(command, argument, words, shell: shell)
        #expect(answer.code == 0 && answer.errors.isEmpty, "\(answer)")
        return answer.text.split(separator: "\n").map(String.init)
    }

    /// What bash puts on the line, by the script that is installed.
    private func offeredByBash(_ words: [String]) throws -> [String] {
        let script = device.folder + "/completion.bash"
        try device.run("--generate-completion-script", "bash").output.write(to: URL(fileURLWithPath: script))
        let quoted = words.map { "'" + $0.replacingOccurrences(of: "'", with: "'\\''") + "'" }.joined(separator: " ")
        let text = """
            source '\(script)'
            COMP_WORDS=('\(device.programs)/tresor' \(quoted))
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
            COMPREPLY=()
            _tresor tresor "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
            printf '%s\\0' "${COMPREPLY[@]}"
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["--norc", "-c", text]
        process.currentDirectoryURL = URL(fileURLWithPath: device.folder)
        process.environment = ["TRESOR_HOME": device.folder, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self).split(separator: "\0").map(String.init)
    }

    @Test func `names, accounts, hosts, codes, keychains and references are offered, and no secret`() throws {
        try add("github.com", "--account", "anna", secret: "a secret")
        try add("git tools", "--account", "bob", secret: "a secret")
        try add("wifi")
        #expect(try device.run("vault", "keychains", "create", "Work").code == 0)
        let seed = Data("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ".utf8)
        #expect(try device.run(["vault", "code", "add", "--service", "Mail"], input: seed).code == 0)

        #expect(try Set(offered(["get"], "positional@0", ["get", "git"])) == ["github.com", "git tools"])
        #expect(try offered(["get"], "positional@0", ["get", "GITHUB"]) == ["github.com"])
        #expect(try Set(offered(["rm"], "positional@0", ["rm", ""])) == ["github.com", "git tools", "wifi"])
        #expect(try offered(["get"], "--account", ["get", "--account", "b"]) == ["bob"])
        #expect(try Set(offered(["ls"], "--keychain", ["ls", "--keychain", ""])) == ["login", "Work"])
        #expect(try offered(["keychain", "get"], "--server", ["keychain", "get", "--server", ""]) == ["github.com"])
        #expect(try offered(["code"], "positional@0", ["code", ""]) == ["Mail"])
        let references = try offered(["keychain", "delete"], "--reference", ["keychain", "delete", "--reference", ""])
        #expect(references.count == 4 && references.allSatisfy { $0.count == 40 })
    }

    @Test func `a locked device offers what it may show, one that does not run nothing, and neither says a word`()
        throws
    {
        try device.setPasscode()
        try add("bank")
        try add("radio", "--class", "afterFirstUnlock")
        #expect(try device.run("lock").code == 0)
        #expect(try offered(["get"], "positional@0", ["get", ""]) == ["radio"])
        try device.restart()
        #expect(try offered(["get"], "positional@0", ["get", ""]) == [])
        try device.stop()
        #expect(try offered(["get"], "positional@0", ["get", ""]) == [])
        #expect(try device.run("status").code == 69, "nobody has started it")
        // A line on which nonsense stands, or what is refused elsewhere.
        for words in [["get", "--password", "x"], ["nonsense", ""], []] {
            let answer = try asked(words.prefix(1).map { $0 }, "positional@0", words)
            #expect(answer.code == 0 && answer.output.isEmpty && answer.errors.isEmpty, "\(words): \(answer)")
        }
        try device.start()
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/bin/bash"), "bash is not installed"))
    func `bash executes nothing of a name, and takes it whole`() throws {
        let mark = device.folder + "/executed"
        let names = [
            "two words", "it's", "say \"so\"", "$(touch '\(mark)')", "`touch \(mark)`", "a;touch b", "$HOME", "*", "~",
            "back\\slash", "{a,b}", "käse",
        ]
        for name in names { try add(name) }
        for name in ["bell\u{7}", "line\nfeed", "tab\tulator", "--yes"] { try add("--", name) }
        let offered = try offeredByBash(["get", ""])
        #expect(Set(offered) == Set(names), "\(offered)")
        #expect(!FileManager.default.fileExists(atPath: mark))
        #expect(try offeredByBash(["get", "two\\ w"]) == ["two words"])
        #expect(try offeredByBash(["get", "--kind", "key", "tw"]) == ["two words"])
        #expect(try offeredByBash(["ls", "--kind", "int"]) == ["internet"])
    }

    @Test func `zsh and fish get names in their own spelling`() throws {
        try add("a:b\\c")
        #expect(try offered(["get"], "positional@0", ["get", "a"], shell: "zsh").contains("a\\:b\\\\c"))
        #expect(try offered(["get"], "positional@0", ["get", "a"], shell: "fish") == ["a:b\\c"])
    }
}
