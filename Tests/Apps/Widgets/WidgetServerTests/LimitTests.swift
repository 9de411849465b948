import Foundation
import Testing
import Thoroughness
import WidgetClient
import WidgetServer
import Widgets

@Suite(.serialized) struct LimitTests {
    private func seconds(_ work: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        try work()
        return Double((ContinuousClock.now - start).components.seconds)
            + Double((ContinuousClock.now - start).components.attoseconds) / 1e18
    }

    @Test func `a head that is too long is refused, and nobody is asked`() throws {
        let pages = try ServedPages()
        defer { pages.stop() }
        let path = "/w/" + pages.shown.add(Frames.shown).text
        let long = String(repeating: "a", count: 32 << 10)
        for headers in [["X: " + long], (0..<2000).map { "X\($0): y" }] {
            let status = try pages.ask(path, headers: headers)?.status
            #expect(status == nil || (400..<500).contains(status ?? 0))
        }
        let status = try pages.ask(path + "?refresh=" + long)?.status
        #expect(status == nil || (400..<500).contains(status ?? 0))
        #expect(pages.shown.state.withLock { $0.questions } == 0)
        #expect(try pages.ask(path)?.status == 200)
    }

    @Test func `a client that says nothing is left, and others are served meanwhile`() throws {
        let pages = try ServedPages(limits: PageLimits(idleSeconds: 1))
        defer { pages.stop() }
        let path = "/w/" + pages.shown.add(Frames.shown).text
        let silent = try Client(pages.port)
        let slow = try Client(pages.port)
        slow.write(Array("GET \(path) HTTP/1.1\r\nHost: 127.0".utf8))
        #expect(try pages.ask(path)?.status == 200)
        let waited = seconds {
            #expect(silent.readAll() == [])
            #expect(!String(decoding: slow.readAll(), as: UTF8.self).contains(Frames.secret))
        }
        #expect(waited < 5)
        #expect(try pages.ask(path)?.status == 200)
    }

    @Test func `a client that sends a byte now and then is left as well`() throws {
        let pages = try ServedPages(limits: PageLimits(idleSeconds: 5, milliseconds: 1500))
        defer { pages.stop() }
        let client = try Client(pages.port)
        client.write(Array("GET / HTTP/1.1\r\n".utf8))
        let waited = seconds {
            for _ in 0..<60 {
                guard client.write(Array("X: y\r\n".utf8)) else { break }
                Thread.sleep(forTimeInterval: 0.1)
            }
        }
        #expect(waited > 1 && waited < 4)
    }

    @Test func `a client that does not read its answer is left`() throws {
        let pages = try ServedPages(limits: PageLimits(idleSeconds: 1, milliseconds: 2000))
        defer { pages.stop() }
        // More than the kernel buffers.
        let count = 24 << 20
        pages.shown.state.withLock { $0.picture = [UInt8](repeating: 7, count: count) }
        let path = "/w/" + pages.shown.add(Frames.shown).text + ".png"
        let client = try Client(pages.port)
        client.write(Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(pages.port)\r\n\r\n".utf8))
        Thread.sleep(forTimeInterval: 3.5)
        #expect(client.readAll().count < count)
        #expect(try pages.ask(path)?.body.count == count)
    }

    @Test func `more clients than there is room for do not keep others out for long`() throws {
        let pages = try ServedPages(limits: PageLimits(connections: 4, idleSeconds: 1))
        defer { pages.stop() }
        let path = "/w/" + pages.shown.add(Frames.shown).text
        let crowd = try (0..<12).map { _ in try Client(pages.port) }
        // The test's own patience is eight seconds.
        #expect(try pages.ask(path)?.status == 200)
        withExtendedLifetime(crowd) {}
    }

    @Test func `clients that send a byte a second take all places, and pages are answered at once, also afterwards`()
        throws
    {
        // Whoever waits for one of them to be left waits for eight seconds.
        let pages = try ServedPages(limits: PageLimits(connections: 32, idleSeconds: 8, milliseconds: 9000))
        defer { pages.stop() }
        let path = "/w/" + pages.shown.add(Frames.shown).text
        let crowd = try (0..<100).map { _ in try Client(pages.port) }
        for client in crowd { client.write(Array("GET / HT".utf8)) }
        for _ in 0..<5 {
            for client in crowd { client.write([UInt8(ascii: "T")]) }
            let start = ContinuousClock.now
            let status = try pages.ask(path)?.status
            #expect(status == 200 && ContinuousClock.now - start < .seconds(6))
            Thread.sleep(forTimeInterval: 1)
        }
        // All of them were left by now: the server listens as on its first day.
        Thread.sleep(forTimeInterval: 6)
        #expect(try pages.ask(path)?.status == 200)
        withExtendedLifetime(crowd) {}
    }

    @Test func `bytes at random end no server, and each has an answer or none`() throws {
        let pages = try ServedPages(limits: PageLimits(idleSeconds: 1))
        defer { pages.stop() }
        let path = "/w/" + pages.shown.add(Frames.shown).text
        let whole = Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(pages.port)\r\nOrigin: x\r\n\r\n".utf8)
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<Thoroughness.count(60, soak: 300) {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            let client = try Client(pages.port)
            client.write(bytes + Array("\r\n\r\n".utf8))
            client.endWriting()
            let answer = client.readAll()
            #expect(answer.isEmpty || answer.starts(with: Array("HTTP/1.".utf8)))
        }
        #expect(try pages.ask(path)?.status == 200)
    }
}
