import Foundation
import Linux
import Testing

/// `tresor service`, and what other commands say of it: a script plays systemctl.
@Suite struct ServiceStories {
    /// A systemd that knows one unit, as far as `tresor` asks.
    private struct Systemd {
        private static let script = """
            #!/bin/sh
            here=$(dirname "$0")
            echo "$*" >> "$here/asked"
            if [ "$2" = show ]; then
              if [ "$3" = tresord.service ]; then cat "$here/service" 2> /dev/null; exit 0; fi
              cat "$here/properties" 2> /dev/null && exit
              echo 'Failed to connect to bus: No medium found'; exit 1
            fi
            if [ -e "$here/broken" ]; then echo 'Failed to enable unit: Access denied' >&2; exit 1; fi
            if [ "$2" = enable ]; then state=on; else state=off; fi
            cp "$here/$state" "$here/properties"

            """

        let folder: String
        let device: LiveDevice

        /// - Parameter socket: where the unit listens; nil where systemd has no instance for this user.
        init(_ device: LiveDevice, socket: String?, isOn: Bool = false, load: String = "loaded") throws {
            self.device = device
            folder = device.folder + "/systemd"
            try FileSystem.makeDirectories(folder)
            for (name, active, enabled) in [("off", "inactive", "disabled"), ("on", "active", "enabled")] {
                let text = """
                    Listen=\(socket ?? "") (Stream)
                    LoadState=\(load)
                    ActiveState=\(active)
                    UnitFileState=\(enabled)

                    """
                try write(name, text)
                if socket != nil, isOn == (name == "on") { try write("properties", text) }
            }
            try write("systemctl", Self.script)
            try FileSystem.setMode(folder + "/systemctl", 0o700)
        }

        func write(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
        }

        /// What systemctl was asked to change.
        var changes: [String] {
            ((try? String(contentsOfFile: folder + "/asked", encoding: .utf8)) ?? "").split(separator: "\n")
                .map(String.init).filter { !$0.contains(" show ") }
        }

        func run(_ arguments: String...) throws -> LiveDevice.Outcome {
            try device.run(
                arguments, environment: ["PATH": folder + ":/usr/bin:/bin", "XDG_RUNTIME_DIR": folder])
        }
    }

    @Test func `it is enabled and disabled by systemctl alone, and its status starts nothing`() throws {
        let device = try LiveDevice(starting: false)
        let systemd = try Systemd(device, socket: device.home.socket)
        #expect(try systemd.run("service", "status").text.contains("'tresor service enable'"))
        let enabled = try systemd.run("service", "enable")
        #expect(enabled.code == 0 && enabled.text.contains("by itself from now on"), "\(enabled)")
        #expect(systemd.changes == ["--user enable --now tresord.socket"])
        #expect(try systemd.run("service", "enable").text.contains("already"))
        let status = try systemd.run("service", "status")
        #expect(status.text.contains("starts       by itself\n") && status.text.contains("does not run"), "\(status)")
        let json = try systemd.run("service", "status", "--json").text
        #expect(json.contains("\"startsByItself\" : true") && json.contains("\"runs\" : false"), "\(json)")
        #expect(json.contains("\"socket\" : \"\(device.home.socket)\""), "\(json)")
        #expect(try systemd.run("service", "disable").code == 0)
        #expect(systemd.changes.last == "--user disable --now tresord.socket" && systemd.changes.count == 2)
        #expect(try systemd.run("service", "disable").text.contains("does not start by itself"))
        #expect(systemd.changes.count == 2)
        #expect(try FileSystem.status(device.home.lock) == nil, "nothing was started")
    }

    @Test func `without systemd's instance for this user it says how to start by hand`() throws {
        let device = try LiveDevice(starting: false)
        try FileSystem.makeDirectories(device.folder)
        for command in ["enable", "disable", "status"] {
            // No session at all; and one whose systemd does not answer.
            for outcome in [
                try device.run("service", command), try Systemd(device, socket: nil).run("service", command),
            ] {
                #expect(outcome.code == 69 && outcome.errors.contains("'tresor up --detach'"), "\(command): \(outcome)")
            }
        }
    }

    @Test func `a unit that is missing, or is another home's, is not enabled`() throws {
        let device = try LiveDevice(starting: false)
        let missing = try Systemd(device, socket: device.home.socket, load: "not-found")
        let unknown = try missing.run("service", "enable")
        #expect(unknown.code == 69 && unknown.errors.contains("make install"), "\(unknown)")
        let elsewhere = try Systemd(device, socket: "/run/user/1000/tresor/tresord.sock")
        let refused = try elsewhere.run("service", "enable")
        #expect(refused.code == 64 && refused.errors.contains("/run/user/1000/tresor/tresord.sock"), "\(refused)")
        #expect(elsewhere.changes.isEmpty)
    }

    @Test func `one that was started by hand is ended first`() throws {
        let device = try LiveDevice(lettingTestIn: false)
        let systemd = try Systemd(device, socket: device.home.socket)
        let refused = try systemd.run("service", "enable")
        #expect(refused.code == 7 && refused.errors.contains("'tresor down'"), "\(refused)")
        #expect(systemd.changes.isEmpty)
        try device.stop()
        #expect(try systemd.run("service", "enable").code == 0)
    }

    @Test func `what systemctl complains of is shown`() throws {
        let device = try LiveDevice(starting: false)
        let systemd = try Systemd(device, socket: device.home.socket)
        try systemd.write("broken", "")
        let outcome = try systemd.run("service", "enable")
        #expect(outcome.code == 69 && outcome.errors.contains("Access denied"), "\(outcome)")
    }

    @Test func `where systemd listens, 'up' says that it is not needed, and starts none beside it`() throws {
        let device = try LiveDevice(lettingTestIn: false)
        let systemd = try Systemd(device, socket: device.home.socket, isOn: true)
        let up = try systemd.run("up", "--detach")
        #expect(up.code == 0 && up.text.contains("nobody has to say 'tresor up'"), "\(up)")
        #expect(try !device.run("up", "--detach").text.contains("systemd"), "the control")
        try device.stop()
        // Nobody listens here, as behind a start that failed.
        try systemd.write("service", "ActiveState=failed\nStatusText=the disk failed\n")
        let failed = try systemd.run("up", "--detach")
        #expect(failed.code == 69 && failed.errors.contains("journalctl"), "\(failed)")
        #expect(failed.errors.contains("did not start: the disk failed"), "\(failed)")
        #expect(try systemd.run("service", "status").text.contains("failed       the disk failed\n"))
        try systemd.write("service", "ActiveState=active\nStatusText=the disk failed\n")
        #expect(try !systemd.run("service", "status").text.contains("the disk failed"))
        #expect(try device.run("status").code == 69, "none was started")
    }

    @Test func `doctor names the command for what is not set up, and no other`() throws {
        let device = try LiveDevice(lettingTestIn: false)
        let systemd = try Systemd(device, socket: device.home.socket)
        let before = try systemd.run("doctor")
        #expect(before.text.contains("'tresor service enable'") && before.text.contains("'tresor passcode set'"))
        let missing = try systemd.run("doctor", "--data", "--json").text
        #expect(
            missing.contains("\"startsByItself\" : false") && missing.contains("\"passcodeSet\" : false"), "\(missing)")
        #expect(missing.contains("\"setup\" : {") && missing.contains("\"records\" :"), "\(missing)")
        try device.setPasscode()
        try systemd.write("properties", String(contentsOfFile: systemd.folder + "/on", encoding: .utf8))
        let after = try systemd.run("doctor")
        #expect(after.text.contains("starts       by itself\n") && after.text.contains("passcode     set\n"))
        #expect(!after.text.contains("service enable") && !after.text.contains("passcode set'"))
        let done = try systemd.run("doctor", "--data", "--json").text
        #expect(done.contains("\"startsByItself\" : true") && done.contains("\"passcodeSet\" : true"), "\(done)")
        #expect(try device.run("doctor").text.contains("systemd has no instance for this user"))
    }
}
