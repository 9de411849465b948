import Localization
package import WidgetClient
package import WidgetDrawing
package import Widgets

/// What stands under a token.
package enum PageFrame: Equatable, Sendable {
    /// This, now.
    case frame(WidgetFrame)
    /// Nothing, or nothing any more.
    case unknown
    /// Nobody says what may be seen.
    case unavailable
}

/// Where frames come from and who draws them; both are asked for each request anew, and nothing of them is kept.
package struct PageSources {
    /// What stands under the token of this digest.
    package var frame: (PageDigest) -> PageFrame
    /// A PNG; nil where there is none.
    package var picture: (WidgetFrame, DrawScale, DrawDepth, WidgetTheme) -> [UInt8]?

    /// - Parameters:
    ///   - frame: what stands under the token of a digest.
    ///   - picture: draws a PNG; nil where that fails.
    package init(
        frame: @escaping (PageDigest) -> PageFrame,
        picture: @escaping (WidgetFrame, DrawScale, DrawDepth, WidgetTheme) -> [UInt8]?
    ) {
        self.frame = frame
        self.picture = picture
    }
}

/// Answers requests: a value between the request's bytes and the widget's, without I/O of its own.
struct PageSite {
    private let entrance: PageGuard
    private let sources: PageSources
    /// Of every answer.
    private let headers: [PageAnswer.Header]

    /// - Parameters:
    ///   - port: that is listened on.
    ///   - framers: whose pages may show ours in a frame.
    init(port: UInt16, framers: [PageOrigin], sources: PageSources) {
        entrance = PageGuard(port: port)
        self.sources = sources
        let ancestors = "frame-ancestors " + (["'self'"] + framers.map(\.text)).joined(separator: " ")
        headers = [
            PageAnswer.Header(name: "Cache-Control", value: "no-store"),
            PageAnswer.Header(
                name: "Content-Security-Policy", value: HTMLRenderer.contentSecurityPolicy + "; " + ancestors),
            PageAnswer.Header(name: "Cross-Origin-Resource-Policy", value: "same-site"),
            PageAnswer.Header(name: "Referrer-Policy", value: "no-referrer"),
            PageAnswer.Header(name: "X-Content-Type-Options", value: "nosniff"),
            // Nothing of an answer waits in memory for a next request.
            PageAnswer.Header(name: "Connection", value: "close"),
        ]
    }

    func answer(to request: PageRequest) -> PageAnswer {
        var answer = entrance.refusal(of: request) ?? page(request)
        answer.headers += headers
        return answer
    }

    private func page(_ request: PageRequest) -> PageAnswer {
        let address: PageAddress
        do { address = try PageAddress(request.path, query: request.query) } catch {
            switch error {
            case .unknown: return Self.nothing
            case .badQuery:
                return PageAnswer(
                    .badRequest, localized("What stands behind the question mark has no meaning here."))
            }
        }
        switch sources.frame(address.token.digest) {
        case .frame(let frame): return draw(frame, address.format)
        case .unknown: return Self.nothing
        // The same for every token: whether there is such a one, nobody says.
        case .unavailable: return draw(Self.locked, address.format)
        }
    }

    /// One answer for a token that never was, one that is no more, and every other address.
    private static let nothing = PageAnswer(.notFound, localized("There is nothing here."))

    /// Nobody's data.
    private static var locked: WidgetFrame {
        let configuration = WidgetConfiguration(
            kind: "tresor", displayName: "Tresor", summary: "", symbol: .lock, families: [], protection: .complete)
        return WidgetFrame(
            configuration, family: .systemSmall, state: .placeholder,
            root: .mask(.text(.body, columns: Mask.privateColumns))
        ).spoken
    }

    private func draw(_ frame: WidgetFrame, _ format: PageFormat) -> PageAnswer {
        switch format {
        case .page(let refresh):
            let page = HTMLRenderer.page(
                [frame], title: frame.displayName,
                // The code of the language that its words are in.
                language: localized("en"))
            let seconds = PageAnswer.Header(name: "Refresh", value: "\(refresh)")
            return Self.text(page, "text/html", headers: refresh > 0 ? [seconds] : [])
        case .fragment(let hasStyle):
            let style = hasStyle ? "<style>" + HTMLRenderer.stylesheet + "</style>\n" : ""
            // What glance asks of an extension, in its docs/extensions.md.
            let isHTML = PageAnswer.Header(name: "Widget-Content-Type", value: "html")
            return Self.text(style + HTMLRenderer.render(frame) + "\n", "text/html", headers: [isHTML])
        case .json: return Self.text(JSONRenderer.render(frame) + "\n", "application/json")
        case .svg(let theme): return Self.text(SVGRenderer.render(frame, theme: theme), "image/svg+xml")
        case .png(let scale, let depth, let theme):
            guard let picture = sources.picture(frame, scale, depth, theme) else {
                return PageAnswer(.unavailable, localized("The picture could not be drawn."))
            }
            return PageAnswer(.ok, type: "image/png", body: picture)
        }
    }

    private static func text(_ text: String, _ type: String, headers: [PageAnswer.Header] = []) -> PageAnswer {
        PageAnswer(.ok, type: type + "; charset=utf-8", body: Array(text.utf8), headers: headers)
    }
}
