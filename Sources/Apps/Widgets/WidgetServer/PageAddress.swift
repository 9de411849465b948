import WidgetClient
import WidgetDrawing
import Widgets

/// What a page is asked for as.
enum PageFormat: Equatable, Sendable {
    /// A page of its own, which a browser loads anew after so many seconds; 0 for never.
    case page(refresh: Int)
    /// An element for a page of somebody's, behind its stylesheet where that is wanted.
    case fragment(hasStyle: Bool)
    case json
    case svg(WidgetTheme)
    case png(DrawScale, DrawDepth, WidgetTheme)
}

/// An address below `/w/`: `TOKEN`, `TOKEN.html`, `.json`, `.svg` or `.png`, and what stands behind the question mark.
struct PageAddress: Equatable, Sendable {
    /// Why an address is none.
    enum Refusal: Error {
        /// There is nothing there.
        case unknown
        /// A question that has no answer: of a name or a value that there is none of, or asked twice.
        case badQuery
    }

    /// Seconds after which a page is loaded anew where it does not say: what it showed before a lock is gone then.
    static let refresh = 10
    private static let mostSeconds = 3600

    let token: PageToken
    let format: PageFormat

    /// - Parameters:
    ///   - path: as it was sent.
    ///   - query: names and values, in their order.
    init(_ path: String, query: [(name: String, value: String)]) throws(Refusal) {
        guard path.hasPrefix("/w/") else { throw .unknown }
        let name = path.utf8.dropFirst(3)
        guard let token = PageToken(Substring(name.prefix(PageToken.characterCount))) else { throw .unknown }
        self.token = token
        var query = PageQuery(query)
        switch String(Substring(name.dropFirst(PageToken.characterCount))) {
        case "":
            let seconds = try query.take("refresh") { Self.seconds($0) }
            format = .page(refresh: seconds ?? Self.refresh)
        case ".html": format = .fragment(hasStyle: try query.take("style") { $0 == "1" ? true : nil } ?? false)
        case ".json": format = .json
        case ".svg": format = .svg(try query.takeTheme())
        case ".png":
            let scale = try query.take("scale") { UInt8($0).flatMap { DrawScale(rawValue: $0) } }
            let depth = try query.take("depth") { UInt8($0).flatMap { DrawDepth(rawValue: $0) } }
            format = .png(scale ?? .one, depth ?? .color, try query.takeTheme())
        default: throw .unknown
        }
        try query.end()
    }

    private static func seconds(_ text: String) -> Int? {
        guard let seconds = Int(text), (0...mostSeconds).contains(seconds), String(seconds) == text else { return nil }
        return seconds
    }
}

/// What stands behind the question mark of an address; each name once.
private struct PageQuery {
    private var rest: [(name: String, value: String)]

    init(_ query: [(name: String, value: String)]) { rest = query }

    mutating func take<Value>(
        _ name: String, _ read: (String) -> Value?
    ) throws(PageAddress.Refusal) -> Value? {
        guard let index = rest.firstIndex(where: { $0.name == name }) else { return nil }
        guard let value = read(rest.remove(at: index).value) else { throw .badQuery }
        return value
    }

    mutating func takeTheme() throws(PageAddress.Refusal) -> WidgetTheme {
        try take("theme") { ["light": WidgetTheme.light, "dark": .dark][$0] } ?? .light
    }

    func end() throws(PageAddress.Refusal) { if !rest.isEmpty { throw .badQuery } }
}
