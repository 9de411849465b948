import Foundation
import Testing
import WidgetClient
import WidgetServer
import Widgets

@Suite struct PageTests {
    @Test func `a token shows its widget in five forms`() throws {
        let pages = try ServedPages()
        defer { pages.stop() }
        let path = "/w/" + pages.shown.add(Frames.shown).text
        let types = [
            "": "text/html; charset=utf-8", ".html": "text/html; charset=utf-8",
            ".json": "application/json; charset=utf-8", ".svg": "image/svg+xml; charset=utf-8", ".png": "image/png",
        ]
        for (suffix, type) in types {
            let answer = try #require(try pages.ask(path + suffix))
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == type)
            #expect(answer.headers["content-length"] == String(answer.body.count))
            #expect(suffix == ".png" || answer.text.contains(Frames.secret))
        }
        #expect(try pages.ask(path)?.text.hasPrefix("<!DOCTYPE html>") == true)
        #expect(try pages.ask(path + ".html")?.text.hasPrefix("<article") == true)
        #expect(try pages.ask(path + ".html?style=1")?.text.hasPrefix("<style>") == true)
        #expect(try pages.ask(path + ".json")?.text == JSONRenderer.render(Frames.shown) + "\n")
        #expect(try pages.ask(path + ".png")?.body == [0x89, 0x50, 0x4e, 0x47, 1])
    }

    @Test func `every answer forbids to keep it, to look inside it and to pass its address on`() throws {
        let pages = try ServedPages(framers: [try #require(PageOrigin("https://home.example.org:8443"))])
        defer { pages.stop() }
        let path = "/w/" + pages.shown.add(Frames.shown).text
        let policy = HTMLRenderer.contentSecurityPolicy + "; frame-ancestors 'self' https://home.example.org:8443"
        for (path, host) in [(path, nil), (path + ".png", nil), ("/w/none", nil), (path, "evil.example")] {
            let headers = try #require(try pages.ask(path, host: host)).headers
            #expect(headers["cache-control"] == "no-store")
            #expect(headers["content-security-policy"] == policy)
            #expect(headers["cross-origin-resource-policy"] == "same-site")
            #expect(headers["referrer-policy"] == "no-referrer")
            #expect(headers["x-content-type-options"] == "nosniff")
            #expect(headers["connection"] == "close")
            #expect(headers["access-control-allow-origin"] == nil)
            #expect(headers["server"] == nil)
        }
        #expect(try pages.ask(path)?.headers["refresh"] == "10")
        #expect(try pages.ask(path + "?refresh=60")?.headers["refresh"] == "60")
        #expect(try pages.ask(path + "?refresh=0")?.headers["refresh"] == nil)
        #expect(try pages.ask(path + ".html")?.headers["refresh"] == nil)
        #expect(try pages.ask(path + ".html")?.headers["widget-content-type"] == "html")
    }

    @Test func `HEAD says what GET says, without the body`() throws {
        let pages = try ServedPages()
        defer { pages.stop() }
        let path = "/w/" + pages.shown.add(Frames.shown).text
        for suffix in ["", ".html", ".json", ".svg", ".png", ".none"] {
            let whole = try #require(try pages.ask(path + suffix))
            let head = try #require(try pages.ask(path + suffix, "HEAD"))
            #expect(head.status == whole.status && head.headers == whole.headers)
            #expect(head.body == [] && !whole.body.isEmpty)
        }
    }

    @Test func `pictures come in two sizes, two depths and two themes`() throws {
        let pages = try ServedPages()
        defer { pages.stop() }
        let path = "/w/" + pages.shown.add(Frames.shown).text
        #expect(try pages.ask(path + ".png?scale=2&depth=1&theme=dark")?.status == 200)
        #expect(try pages.ask(path + ".png")?.status == 200)
        let drawn = pages.shown.state.withLock { $0.pictures }
        #expect(drawn.map(\.0) == [.two, .one])
        #expect(drawn.map(\.1) == [.ink, .color])
        #expect(drawn.map(\.2) == [.dark, .light])
        #expect(try pages.ask(path + ".svg?theme=dark")?.text == SVGRenderer.render(Frames.shown, theme: .dark))
        pages.shown.state.withLock { $0.picture = nil }
        let failed = try #require(try pages.ask(path + ".png"))
        #expect(failed.status == 503 && !failed.text.contains(Frames.secret))
    }

    @Test(arguments: [
        "?", "?refresh", "?refresh=", "?refresh=-1", "?refresh=3601", "?refresh=010", "?refresh=1&refresh=1", "?x=1",
        ".png?scale=3", ".png?depth=2", ".png?scale=2&scale=2", ".svg?theme=grey", ".svg?scale=2", ".html?style=0",
        ".json?style=1",
    ])
    func `a question that means nothing is refused, whatever the token`(suffix: String) throws {
        let pages = try ServedPages()
        defer { pages.stop() }
        let known = try pages.ask("/w/" + pages.shown.add(Frames.shown).text + suffix)
        let unknown = try pages.ask("/w/" + PageToken.makeRandom().text + suffix)
        if suffix == "?" {
            #expect(known?.status == 200 && unknown?.status == 404)
        } else {
            #expect(known?.status == 400 && known == unknown)
            #expect(pages.shown.state.withLock { $0.questions } == 0)
        }
    }

    @Test func `an address that is none, one that was removed and a wrong token have one answer`() throws {
        let pages = try ServedPages()
        defer { pages.stop() }
        let token = pages.shown.add(Frames.shown)
        let text = token.text
        #expect(try pages.ask("/w/" + text)?.status == 200)
        pages.shown.state.withLock { $0.frames[token.digest] = nil }
        let removed = try #require(try pages.ask("/w/" + text))
        #expect(removed.status == 404)
        let others = [
            "/w/" + PageToken.makeRandom().text, "/w/" + PageToken.makeRandom().text + ".png", "/w/", "/", "/w",
            "/w/" + text.dropLast(), "/w/" + text.uppercased(), "/w/" + text + ".gif", "/w/" + text + "/",
            "/w//" + text, "/w/%61" + text.dropFirst(), "/w/" + text + "%00", "/w/../w/" + text, "*",
            "http://127.0.0.1:\(pages.port)/w/" + text, "/w/" + text + "\u{e9}",
        ]
        pages.shown.state.withLock { $0.frames[token.digest] = .frame(Frames.shown) }
        for path in others { #expect(try pages.ask(path)?.bytes == removed.bytes, "\(path)") }
    }

    @Test func `the very next answer after a lock has nothing private in it`() throws {
        let pages = try ServedPages()
        defer { pages.stop() }
        let token = pages.shown.add(Frames.shown)
        #expect(try pages.ask("/w/" + token.text)?.text.contains(Frames.secret) == true)
        pages.shown.state.withLock { $0.frames[token.digest] = .frame(Frames.redacted) }
        for suffix in ["", ".html", ".json", ".svg", ".png"] {
            let answer = try #require(try pages.ask("/w/" + token.text + suffix))
            #expect(answer.status == 200)
            #expect(!String(decoding: answer.bytes, as: UTF8.self).contains(Frames.secret))
        }
        #expect(pages.shown.state.withLock { $0.questions } == 6)
    }

    @Test func `where nobody says what may be seen every token shows the same placeholder`() throws {
        let pages = try ServedPages()
        defer { pages.stop() }
        let known = pages.shown.add(Frames.shown)
        pages.shown.state.withLock { $0.everywhere = .unavailable }
        for suffix in ["", ".html", ".json", ".svg", ".png"] {
            let answer = try #require(try pages.ask("/w/" + known.text + suffix))
            #expect(answer.status == 200)
            #expect(!answer.text.contains(Frames.secret) && !answer.text.contains("Balance"))
            #expect(try pages.ask("/w/" + PageToken.makeRandom().text + suffix)?.bytes == answer.bytes)
        }
        #expect(try pages.ask("/w/" + known.text)?.text.contains("Tresor, locked") == true)
    }
}
