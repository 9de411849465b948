import Foundation
import Glibc
import Linux
import Testing
import WidgetClient
import WidgetServer
import Widgets

@Suite struct EntranceTests {
    @Test func `only this machine's own names are answered to`() throws {
        let pages = try ServedPages()
        defer { pages.stop() }
        let path = "/w/" + pages.shown.add(Frames.shown).text
        let port = pages.port
        for host in ["127.0.0.1:\(port)", "localhost:\(port)", "LocalHost:\(port)", "[::1]:\(port)"] {
            #expect(try pages.ask(path, host: host)?.status == 200, "\(host)")
        }
        let asked = pages.shown.state.withLock { $0.questions }
        let others = [
            "evil.example", "evil.example:\(port)", "127.0.0.1", "localhost", "127.0.0.1:1", "127.0.0.2:\(port)",
            "0.0.0.0:\(port)", "localhost.evil.example:\(port)", "localhost:\(port).evil.example", "::1:\(port)",
            "[::ffff:127.0.0.1]:\(port)", "127.0.0.1:\(port)\r\nHost: evil.example", "127.0.0.1:0\(port)",
            "evil.example\r\nHost: 127.0.0.1:\(port)", "user@127.0.0.1:\(port)", "127.1:\(port)", "localhost.:\(port)",
        ]
        for host in others {
            let answer = try #require(try pages.ask(path, host: host))
            #expect([421, 400].contains(answer.status), "\(host)")
            #expect(!answer.text.contains(Frames.secret))
        }
        let without = ServedPages.parse(try pages.send("GET \(path) HTTP/1.1\r\n\r\n"))
        #expect(without?.status == 400)
        #expect(ServedPages.parse(try pages.send("GET \(path) HTTP/1.0\r\n\r\n"))?.status == 421)
        #expect(pages.shown.state.withLock { $0.questions } == asked)
    }

    @Test func `scripts of other pages are not answered`() throws {
        let pages = try ServedPages()
        defer { pages.stop() }
        let path = "/w/" + pages.shown.add(Frames.shown).text
        let own = "http://localhost:\(pages.port)"
        #expect(try pages.ask(path, headers: ["Origin: \(own)"])?.status == 200)
        for origin in ["null", "https://evil.example", "http://localhost", "https://localhost:\(pages.port)", ""] {
            #expect(try pages.ask(path, headers: ["Origin: \(origin)"])?.status == 403, "\(origin)")
        }
        #expect(try pages.ask(path, headers: ["Origin: \(own)", "Origin: null"])?.status == 403)
        #expect(try pages.ask(path, headers: ["oRiGiN: null"])?.status == 403)
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "get", "PROPFIND"])
    func `pages are only read`(method: String) throws {
        let pages = try ServedPages()
        defer { pages.stop() }
        let path = "/w/" + pages.shown.add(Frames.shown).text
        let answer = try #require(try pages.ask(path, method))
        #expect(answer.status == 405 && answer.headers["allow"] == "GET, HEAD")
        let withBody = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(pages.port)\r\nContent-Length: 9\r\n\r\n123"
        #expect(ServedPages.parse(try pages.send(withBody))?.status == 405)
        #expect(pages.shown.state.withLock { $0.questions } == 0)
    }

    @Test func `one connection has one answer`() throws {
        let pages = try ServedPages()
        defer { pages.stop() }
        let path = "/w/" + pages.shown.add(Frames.shown).text
        let request = "GET \(path).json HTTP/1.1\r\nHost: 127.0.0.1:\(pages.port)\r\n"
        for tail in ["\r\n" + request + "\r\n", "Content-Length: 5\r\n\r\n12345" + request + "\r\n"] {
            let answer = try #require(ServedPages.parse(try pages.send(request + tail)))
            #expect(answer.text == JSONRenderer.render(Frames.shown) + "\n")
        }
        #expect(pages.shown.state.withLock { $0.questions } == 2)
    }

    @Test func `both of this machine's own addresses are listened on, and no other`() throws {
        let pages = try ServedPages()
        defer { pages.stop() }
        let hex = String(format: ":%04X ", Int(pages.port))
        let version4 = try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)
        let version6 = (try? String(contentsOfFile: "/proc/net/tcp6", encoding: .utf8)) ?? ""
        // Local address, then the other end, then 0A for a socket that listens: proc(5).
        let listening = (version4 + version6).split(separator: "\n").filter {
            let words = $0.split(separator: " ")
            return words.count > 3 && words[3] == "0A" && (words[1] + " ").hasSuffix(hex)
        }
        let places = Set(listening.map { String($0.split(separator: " ")[1].prefix { $0 != ":" }) })
        #expect(places.contains("0100007F"))
        #expect(places.subtracting(["0100007F", "00000000000000000000000001000000"]) == [])
        if places.count == 2 {
            let path = "/w/" + pages.shown.add(Frames.shown).text
            let request = "GET \(path) HTTP/1.1\r\nHost: [::1]:\(pages.port)\r\n\r\n"
            #expect(ServedPages.parse(try pages.send(request, isVersion6: true))?.status == 200)
        }
    }

    @Test(arguments: [false, true]) func `the kernel says whose the other end of a connection is`(isVersion6: Bool)
        throws
    {
        let pages = try ServedPages()
        defer { pages.stop() }
        guard !isVersion6 || pages.hasVersion6 else { return }
        let client = try Client(pages.port, isVersion6: isVersion6)
        client.write(Array("GET / HTTP/1.0\r\n".utf8))
        // Until it is let in, the other end is nobody's.
        var user: UInt32?
        for _ in 0..<200 where user == nil {
            user = TCPPeer.user(of: client.socket)
            usleep(10_000)
        }
        #expect(user == getuid())
        #expect(TCPPeer.user(of: -1) == nil)
        client.write(Array("\r\n".utf8))
        _ = client.readAll()
        // It ends its side first, and lets go of it then.
        for _ in 0..<1000 where TCPPeer.user(of: client.socket) != nil { usleep(10_000) }
        #expect(TCPPeer.user(of: client.socket) == nil, "what is closed is nobody's, and not root's")
    }

    @Test func `a port that is taken is said to be`() throws {
        let pages = try ServedPages()
        defer { pages.stop() }
        #expect(throws: PageServerError.portTaken(pages.port)) {
            _ = try PageServer(port: pages.port, framers: [], sources: pages.shown.sources)
        }
    }

    @Test func `origins that may show pages in frames are those that a policy can name`() {
        for text in ["http://localhost:*", "https://home.example.org", "https://h:8443", "http://10.0.0.2:80"] {
            #expect(PageOrigin(text)?.text == text)
        }
        let wrong = [
            "", "*", "https:", "https://", "https://*", "https://a:", "https://a:0", "https://a:65536", "https://a:+1",
            "https://a:080", "https://a/", "https://a b", "https://a;script-src *", "https://[::1]", "ftp://a",
            "'none'",
            "https://a..b", "https://-a", "https://a,b", "https://a\r\nX: y",
        ]
        for text in wrong { #expect(PageOrigin(text) == nil, "\(text)") }
    }
}
