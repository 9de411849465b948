import Checkout
import Foundation
import Testing

/// All of a person's things go to another computer, as `tresor admin where` says it.
@Suite struct MovingStories {
    private static let passcode = "grey cats sleep"

    /// Somebody's computer: the folders below a home of its own, and the programs.
    private final class Computer {
        let home: String
        private let device: LiveDevice

        init() throws {
            device = try LiveDevice(starting: false)
            home = device.folder
            for name in ["", "/data", "/state", "/run"] {
                try FileManager.default.createDirectory(
                    atPath: home + name, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            }
        }

        deinit { _ = try? run("down") }

        @discardableResult
        func run(_ arguments: [String], input: String = "") throws -> LiveDevice.Outcome {
            try device.run(
                arguments, input: Data(input.utf8),
                environment: [
                    "TRESOR_HOME": "", "HOME": home, "XDG_DATA_HOME": home + "/data", "XDG_STATE_HOME": home + "/state",
                    "XDG_RUNTIME_DIR": home + "/run",
                ])
        }

        @discardableResult
        func run(_ arguments: String..., input: String = "") throws -> LiveDevice.Outcome {
            try run(arguments, input: input)
        }

        @discardableResult
        func succeed(_ arguments: String..., input: String = "") throws -> String {
            let outcome = try run(arguments, input: input)
            guard outcome.code == 0 else { throw LiveDevice.Refused(message: "\(arguments): \(outcome.errors)") }
            return outcome.text
        }

        /// What `admin where` names as going along.
        func foldersToMove() throws -> [String] {
            let json = try JSONSerialization.jsonObject(with: Data(succeed("admin", "where", "--json").utf8))
            return try #require((json as? [String: Any])?["move"] as? [String])
        }
    }

    /// As somebody does it by hand: owner, modes and times stay.
    private func copy(_ folders: [String], from old: Computer, to new: Computer) throws {
        for folder in folders {
            let place = new.home + folder.dropFirst(old.home.count)
            try FileManager.default.createDirectory(
                atPath: (place as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            let copy = Process()
            copy.executableURL = URL(fileURLWithPath: "/bin/cp")
            copy.arguments = ["-aT", folder, place]
            try copy.run()
            copy.waitUntilExit()
            #expect(copy.terminationStatus == 0)
        }
    }

    /// A computer with an item, a locked note and a page of a diary, at rest.
    private func filled() throws -> Computer {
        let computer = try Computer()
        try computer.succeed("up", "--detach")
        try computer.succeed("passcode", "set", input: "\(Self.passcode)\n\(Self.passcode)\n")
        try computer.succeed("add", "mail.example", "--account", "anna", input: "correct horse")
        try computer.succeed("notes", "passphrase", "set", input: "quince\nquince\n")
        let note = try computer.succeed("notes", "new", input: "# Garden\n\nprune the pear\n")
        try computer.succeed("notes", "lock", note.trimmingCharacters(in: .whitespacesAndNewlines))
        try computer.succeed("diary", "register", input: "a blue door\na blue door\n")
        try computer.succeed("diary", "sign-in", input: "a blue door\n")
        try computer.succeed("diary", "add", input: "A day at the sea.\n")
        return computer
    }

    @Test func `everything opens on another computer, once the folders that are named were copied`() throws {
        let old = try filled()
        let folders = try old.foldersToMove()
        let told = try old.succeed("admin", "where")
        #expect(folders.count == 2)
        for folder in folders {
            #expect(told.split(separator: "\n").contains { $0.hasSuffix(" " + folder) }, "\(told)")
        }
        #expect(told.contains("'tresor down'") && told.contains("Never go on with both"))
        try old.succeed("down")
        let new = try Computer()
        try copy(folders, from: old, to: new)
        try new.succeed("up", "--detach")
        #expect(try new.run("get", "mail.example").code == 5, "it is as before its first unlock")
        try new.succeed("unlock", input: Self.passcode + "\n")
        #expect(try new.succeed("get", "mail.example").hasPrefix("correct horse"))
        #expect(try new.run("notes", "show", "Garden").code == 5)
        try new.succeed("notes", "unlock", input: "quince\n")
        #expect(try new.succeed("notes", "show", "Garden").contains("prune the pear"))
        try new.succeed("diary", "sign-in", input: "a blue door\n")
        #expect(try new.succeed("diary", "list").contains("A day at the sea"))
        #expect(try new.run("admin", "doctor", "--data").code == 0)
    }

    @Test func `one folder of them alone does not start, and all opens once the other is there`() throws {
        let old = try filled()
        let folders = try old.foldersToMove()
        try old.succeed("down")
        for folder in folders {
            let new = try Computer()
            try copy([folder], from: old, to: new)
            let started = try new.run("up", "--detach")
            #expect(started.code == 8, "\(folder): \(started)")
            try copy(folders.filter { $0 != folder }, from: old, to: new)
            try new.succeed("up", "--detach")
            try new.succeed("unlock", input: Self.passcode + "\n")
            #expect(try new.succeed("get", "mail.example").hasPrefix("correct horse"), "the other came later")
        }
    }

    @Test func `exports and imports name the way that loses nothing`() throws {
        let device = try LiveDevice(starting: false)
        for command in [["vault", "export"], ["vault", "import"], ["notes", "export"], ["diary", "export"]] {
            let help = try device.run(command + ["--help"]).text
            #expect(help.contains("'tresor admin where'"), "\(command): \(help)")
        }
    }
}
