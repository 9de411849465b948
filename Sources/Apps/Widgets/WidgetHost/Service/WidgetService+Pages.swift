import Linux
import Protection
import Resident
import Secrets
import WidgetClient

// Widgets that are asked for by a token.
extension WidgetService {
    /// - Throws: `WidgetError` with code `deviceLocked` before first unlock, where nobody knows yet.
    func readPages() throws(WidgetError) -> [Page] {
        guard let pages else {
            throw WidgetError(.deviceLocked, "which tokens there are is not known before the first unlock")
        }
        return pages
    }

    /// What a page shows.
    ///
    /// Every digest is compared, each in constant time.
    ///
    /// - Throws: `WidgetError` with code `unknownPage` for a token that never was, and for one that is no more.
    func order(ofPage digest: PageDigest) throws(WidgetError) -> WidgetOrder {
        var found: WidgetOrder?
        for page in try readPages() where constantTimeEquals(page.digest.bytes, digest.bytes) { found = page.order }
        guard let found else { throw WidgetError(.unknownPage, "there is no such page") }
        return found
    }

    /// Somebody who finds a device locked must not leave with an address of what it shows.
    func addPage(_ order: WidgetOrder, _ digest: PageDigest) throws(WidgetError) -> PageSummary {
        try requireUnlocked()
        _ = try parse(order)
        let known = try readPages()
        guard known.count < Limit.pages else {
            throw WidgetError(.tooLarge, "there are \(Limit.pages) tokens already; remove one")
        }
        let page = Page(digest: digest, order: order, created: clocks.wall / 1_000_000)
        guard !known.contains(where: { $0.id == page.id }) else {
            throw WidgetError(.invalid, "there is such a page already; nothing was changed")
        }
        try store(known + [page])
        return page.summary
    }

    func removePage(_ id: String) throws(WidgetError) {
        try requireUnlocked()
        let known = try readPages()
        guard known.contains(where: { $0.id == id }) else {
            throw WidgetError(.unknownPage, "there is no token '\(id)'; 'tresor widget token list' names them")
        }
        try store(known.filter { $0.id != id })
    }

    private func requireUnlocked() throws(WidgetError) {
        guard deviceState == .unlocked else {
            throw WidgetError(.deviceLocked, "the device is locked; unlock it to change who may ask for widgets")
        }
    }

    private func store(_ changed: [Page]) throws(WidgetError) {
        do { try PagesItem(daemon: daemon).store(changed) } catch {
            Log.error("the pages were not stored", error)
            throw WidgetError(storing: "the tokens", error)
        }
        pages = changed
    }
}
