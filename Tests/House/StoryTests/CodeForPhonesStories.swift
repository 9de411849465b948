import Foundation
import Testing

/// The password of a Wi-Fi, and the code by which a phone joins it, by the real programs.
@Suite(.serialized, .enabled(if: TmuxScreen.isInstalled, "tmux is not installed"))
struct CodeForPhonesStories {
    private let device: LiveDevice

    init() throws {
        device = try LiveDevice()
        #expect(try device.run(["add", "--wifi", "Home"], input: Data("correct horse".utf8)).code == 0)
    }

    private func told(_ command: String, rows: Int = 30, _ environment: [String: String] = [:]) throws -> String {
        let screen = try TmuxScreen(device, columns: 100, rows: rows, command: command, environment: environment)
        #expect(try screen.waits(for: "after the screen"))
        return try screen.everything()
    }

    @Test func `a Wi-Fi is an item of its own kind, known by its name`() throws {
        #expect(try device.run("ls").text.hasPrefix("wifi\tHome\tHome\tHome\t"))
        #expect(try device.run("ls", "--kind", "wifi", "-q").text == "Home\n")
        #expect(try device.run("ls", "--kind", "password").text.isEmpty)
        #expect(try device.run("get", "Home").text == "correct horse")
        #expect(try device.run("get", "home", "--json").text.contains("\"kind\" : \"wifi\""))
        // What an import of Apple's keychain brings is the same.
        #expect(try device.run("get", "Home", "--json").text.contains("\"service\" : \"AirPort\""))
        #expect(try device.run(["add", "Home", "--kind", "wifi"], input: Data("x".utf8)).code == 4)
        let other = try device.run(["add", "Work", "--wifi", "--server", "x.example"], input: Data("x".utf8))
        #expect(try other.code == 64 && device.run("get", "Work").code == 3)
    }

    @Test func `its code is drawn whole at a terminal, in colours and without them`() throws {
        let drawn = try told("get Home --qr")
        let rows = drawn.split(separator: "\n").filter { $0.contains("▀") || $0.contains("▄") || $0.contains("█") }
        #expect(rows.count == 15 && drawn.contains("the camera of a phone joins the Wi-Fi Home"), "\(drawn)")
        #expect(!drawn.contains("correct horse"))
        let plain = try told("get Home --qr", rows: 45, ["NO_COLOR": "1"])
        #expect(plain.contains("drawn for dark letters on a light ground") && !plain.contains("▀"))
        let inverted = try told("get Home --qr --invert", rows: 45, ["NO_COLOR": "1"])
        #expect(inverted.contains(String(repeating: "█", count: 74)))
    }

    @Test func `where there is no room or no terminal nothing is drawn`() throws {
        let small = try told("get Home --qr", rows: 15)
        #expect(small.contains("the QR code takes 37 columns and 21 rows, and this terminal has 100 and 15"))
        #expect(!small.contains("▀") && !small.contains("correct horse"))
        let piped = try device.run("get", "Home", "--qr")
        #expect(piped.code == 64 && piped.output.isEmpty && piped.errors.contains("this is no terminal"))
        let long = String(repeating: "x", count: 3000)
        #expect(try device.run(["add", "Long"], input: Data(long.utf8)).code == 0)
        #expect(try told("get Long --qr").contains("a QR code has at most 2953 bytes"))
        #expect(try device.run("get", "Home", "--qr", "--json").code == 64)
        #expect(try device.run("get", "Home", "--invert").code == 64)
    }
}
