import Foundation
import Testing

/// How much commands say: with `--quiet` nothing but data and errors, with `--verbose` more of an error.
@Suite(.serialized) struct MannerStories {
    private let device: LiveDevice

    init() throws { device = try LiveDevice() }

    @Test(arguments: ["--quiet", "-q"]) func `with the option for silence what a command did is not told`(
        _ option: String
    ) throws {
        for (words, input) in [
            (["passcode", "set"], "1234\n1234\n"), (["lock"], ""), (["unlock"], "1234\n"),
            (["passcode", "change"], "1234\n5678\n5678\n"), (["add", "mail", "--generate"], ""),
            (["notes", "passphrase", "set"], "cat\ncat\n"), (["notes", "lock-now"], ""),
            (["edit", "mail", "--class", "always"], ""), (["passcode", "remove"], "5678\n"),
        ] {
            // It may stand in front of the command, and behind it.
            var count = 0
            for line in [[option] + words, words + [option]] {
                let outcome = try device.run(line, input: Data(input.utf8))
                guard outcome.code == 0 else { continue }
                count += 1
                #expect(outcome.output.isEmpty && outcome.errors.isEmpty, "\(line): \(outcome)")
            }
            #expect(count > 0, "\(words) did nothing of which to be silent")
        }
        #expect(try device.run("get", "mail", option).output.count == 20)
        #expect(try device.run(option, "ls").text.split(separator: "\n").contains("mail"))
        let absent = try device.run("get", "absent", option)
        #expect(absent.code == 3 && absent.output.isEmpty && absent.errors.contains("nothing has this name"))
    }

    @Test func `what a command did is told where nobody asked for silence`() throws {
        let set = try device.run("passcode", "set", input: Data("1234\n1234\n".utf8))
        #expect(set.code == 0 && set.text.hasPrefix("passcode set\n") && set.errors.contains("warning"))
        #expect(try device.run("lock").text == "locked\n")
        #expect(try device.run("unlock", input: Data("1234\n".utf8)).text == "unlocked\n")
    }

    @Test func `the keychain's status number stands in an error where it is asked for, and else not`() throws {
        try device.setPasscode()
        #expect(try device.run("add", "mail", input: Data("x".utf8)).code == 0)
        #expect(try device.run("lock").code == 0)
        for words in [
            ["get", "mail"], ["keychain", "get", "--service", "mail"], ["keychain", "get", "--service", "no"],
        ] {
            let plain = try device.run(words)
            #expect(plain.code == 5 || plain.code == 3, "\(plain)")
            #expect(!plain.errors.contains("(-25"), "\(plain)")
            let verbose = try device.run(words + ["--verbose"])
            #expect(verbose.code == plain.code && verbose.errors.contains("(-25"), "\(verbose)")
            #expect(try device.run(["--verbose"] + words).errors == verbose.errors)
        }
    }
}
