import Linux
import Localization
import Protection
import Secrets
import Tresor
import WidgetClient

/// Widgets that are asked for by a token.
final class PageTable {
    /// Pages that may be asked for by a token.
    private static let most = 64

    private let item: PagesItem
    /// Nil where they cannot be read yet.
    private var pages: [Page]?

    init(daemon: DaemonLink) { item = PagesItem(daemon: daemon) }

    func reread() {
        do { pages = try item.read() } catch { Log.error("the pages do not open", error) }
    }

    /// - Throws: `WidgetError` with code `deviceLocked` before first unlock, where nobody knows yet.
    func summaries() throws(WidgetError) -> [PageSummary] {
        let pages = try known()
        return pages.map(\.summary)
    }

    private func known() throws(WidgetError) -> [Page] {
        guard let pages else {
            throw WidgetError(.deviceLocked, marked("which tokens there are is not known before the first unlock"))
        }
        return pages
    }

    /// What a page shows.
    ///
    /// Every digest is compared, each in constant time.
    ///
    /// - Throws: `WidgetError` with code `unknownPage` for a token that never was, and for one that is no more.
    func order(of digest: PageDigest) throws(WidgetError) -> WidgetOrder {
        var found: WidgetOrder?
        for page in try known() where constantTimeEquals(page.digest.bytes, digest.bytes) { found = page.order }
        guard let found else { throw WidgetError(.unknownPage, marked("there is no such page")) }
        return found
    }

    /// - Parameter created: microseconds since 1970.
    func add(_ order: WidgetOrder, _ digest: PageDigest, created: Int64) throws(WidgetError) -> PageSummary {
        let known = try known()
        guard known.count < Self.most else {
            throw WidgetError(.tooLarge, marked("there are \(Self.most) tokens already; remove one"))
        }
        let page = Page(digest: digest, order: order, created: created / 1_000_000)
        guard !known.contains(where: { $0.id == page.id }) else {
            throw WidgetError(.invalid, marked("there is such a page already; nothing was changed"))
        }
        try store(known + [page])
        return page.summary
    }

    func remove(_ id: String) throws(WidgetError) {
        let known = try known()
        guard known.contains(where: { $0.id == id }) else {
            throw WidgetError(.unknownPage, marked("there is no token '\(id)'; 'tresor widget token list' names them"))
        }
        try store(known.filter { $0.id != id })
    }

    private func store(_ changed: [Page]) throws(WidgetError) {
        do { try item.store(changed) } catch {
            Log.error("the pages were not stored", error)
            throw WidgetError(storing: .tokens, error)
        }
        pages = changed
    }
}
