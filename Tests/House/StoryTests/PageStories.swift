import Foundation
import Glibc
import Linux
import Secrets
import Testing
import Tresor

/// Widgets on pages, by the real programs.
@Suite(.serialized) struct PageStories {
    private static let suffixes = ["", ".html", ".json", ".svg", ".png"]

    @Test func `a page shows a title while unlocked, and from the first answer after a lock on it does not`() throws {
        let title = "mrk" + Identifier.makeRandom().description.prefix(12)
        let device = try LiveDevice()
        try device.setPasscode()
        _ = try device.newNote("# \(title)")
        let path = try device.newPage("notes.recent")
        let dimmed = try device.newPage("notes.recent", "--reduced-luminance")
        let pages = try PageHost(device)
        for _ in 0..<3 {
            for suffix in Self.suffixes {
                let page = try pages.ask(path + suffix)
                #expect(page.contains("200 OK") && (suffix == ".png" || page.contains(title)), "\(suffix)")
                #expect(!(try pages.ask(dimmed + suffix).contains(title)))
            }
            #expect(try device.run("lock").code == 0)
            for suffix in Self.suffixes {
                let page = try pages.ask(path + suffix)
                #expect(page.contains("200 OK") && !page.contains(title), "\(suffix)")
            }
            try device.unlock()
            #expect(try pages.ask(path + ".json", until: String(title)))
        }
    }

    @Test func `a page whose daemon was killed shows a placeholder, and after that says nothing of its token`() throws {
        let title = "mrk" + Identifier.makeRandom().description.prefix(12)
        let device = try LiveDevice()
        try device.setPasscode()
        _ = try device.newNote("# \(title)")
        let path = try device.newPage("notes.recent")
        let pages = try PageHost(device)
        #expect(try pages.ask(path + ".json").contains(title))
        let unknown = "/w/" + String(repeating: "a", count: 26) + ".json"
        #expect(try pages.ask(unknown).contains("404"))
        device.kill()
        let locked = try pages.ask(path + ".json")
        #expect(locked.contains("Tresor, locked") && !locked.contains(title))
        #expect(try pages.ask(unknown) == locked)
        // Before first unlock nobody knows which tokens there are.
        try device.start()
        #expect(try pages.ask(path + ".json") == locked)
        try device.unlock()
        #expect(try pages.ask(path + ".json", until: String(title)))
        #expect(try pages.ask(unknown).contains("404"))
    }

    @Test func `tokens are made and removed while unlocked, and stand nowhere`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        #expect(try device.widget("token", "add", "no.such.widget").code == 3)
        #expect(try device.widget("token", "add", "device.lock", "--family", "systemLarge").code == 64)
        let path = try device.newPage("device.lock")
        let other = try device.newPage("notes.recent", "--family", "systemMedium", "--placement", "desktop")
        let pages = try PageHost(device)
        let listed = try device.widget("token", "list").text.split(separator: "\n")
        #expect(listed.count == 2)
        #expect(listed.first?.contains("device.lock, systemSmall, lockScreen, made 20") == true)
        #expect(listed.last?.contains("notes.recent, systemMedium, desktop, made 20") == true)
        let id = String(try #require(listed.first?.prefix(8)))
        #expect(try device.run("lock").code == 0)
        #expect(try device.widget("token", "add", "device.lock").code == 5)
        #expect(try device.widget("token", "remove", id).code == 5)
        #expect(try device.widget("token", "list").text.split(separator: "\n") == listed)
        try device.unlock()
        #expect(try pages.ask(path, until: "Unlocked"))
        #expect(try device.widget("token", "remove", id).code == 0)
        #expect(try device.widget("token", "remove", id).code == 3)
        #expect(try pages.ask(path) == pages.ask("/w/" + String(repeating: "a", count: 26)))
        #expect(try pages.ask(other).contains("200 OK"))
        let state = try device.state()
        for path in [path, other] { #expect(state.range(of: Data(path.dropFirst(3).utf8)) == nil) }
    }

    @Test func `pages are served by a program of their own, which a signal ends and a taken port does not let start`()
        throws
    {
        let device = try LiveDevice()
        let path = try device.newPage("device.lock")
        let pages = try PageHost(device)
        // A child of the command, and never the command itself: what tresord knows of a process it goes on knowing.
        #expect(try String(contentsOfFile: "/proc/\(pages.id)/comm", encoding: .utf8) == "tresor\n")
        let server = device.processes("tresor-pages")
        #expect(server.count == 1 && !server.contains(pages.id))
        #expect(try device.widget("serve", "--port", "\(pages.port)").code == 69)
        #expect(try device.widget("serve", "--port", "65536").code == 64)
        #expect(try device.widget("serve", "--framed-by", "https://a/b").code == 64)
        #expect(try pages.ask(path).contains("200 OK"))
        #expect(pages.end())
        #expect(device.processes("tresor-pages") == [], "it ends with the command")
        let killed = try PageHost(device)
        Glibc.kill(killed.id, SIGKILL)
        for _ in 0..<200 where !device.processes("tresor-pages").isEmpty { usleep(10_000) }
        #expect(device.processes("tresor-pages") == [], "also where that is killed")
    }
}

/// `tresor widget serve` on a free port.
final class PageHost {
    private let process = Process()
    let port: UInt16

    init(_ device: LiveDevice) throws {
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: device.programs + "/tresor")
        process.arguments = ["widget", "serve", "--port", "0"]
        process.environment = ["TRESOR_HOME": device.folder, "PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        try pipe.fileHandleForWriting.close()
        var text = ""
        while !text.contains("\n") {
            let part = pipe.fileHandleForReading.availableData
            try #require(!part.isEmpty)
            text += String(decoding: part, as: UTF8.self)
        }
        let line = try #require(text.split(separator: "\n").first)
        #expect(line.hasPrefix("http://127.0.0.1:"))
        port = try #require(UInt16(line.dropFirst("http://127.0.0.1:".count)))
    }

    deinit {
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
    }

    var id: Int32 { process.processIdentifier }

    /// - Returns: whether SIGTERM ended it well.
    func end() -> Bool {
        process.terminate()
        process.waitUntilExit()
        return process.terminationStatus == 0 && process.terminationReason == .exit
    }

    /// - Returns: whether an answer has this text in it in time: tresor-widgets hears of an unlock a little later.
    func ask(_ path: String, until text: String) throws -> Bool {
        for _ in 0..<200 {
            if try ask(path).contains(text) { return true }
            usleep(50_000)
        }
        return false
    }

    /// - Returns: the answer, head and body.
    func ask(_ path: String) throws -> String {
        let raw = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(raw) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(raw, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0)
        let request = Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n".utf8)
        try #require(send(raw, request, request.count, Int32(MSG_NOSIGNAL)) == request.count)
        var answer: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let got = recv(raw, &part, part.count, 0)
            guard got > 0 else { return String(decoding: answer, as: UTF8.self) }
            answer += part[..<got]
        }
    }
}

extension LiveDevice {
    /// - Returns: the path of a new page.
    func newPage(_ arguments: String...) throws -> String {
        let made = try run(["widget", "token", "add"] + arguments)
        #expect(made.code == 0, "\(made.errors)")
        return made.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
