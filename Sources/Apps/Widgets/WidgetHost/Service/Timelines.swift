import Envelopes
import Linux
import Secrets
import Tresor
import WidgetClient
import Widgets
import Wire

/// What every widget shows, as far as it may be opened; the rest stays sealed.
///
/// What was opened is in the memory of this image of the program and goes with it at a lock.
final class Timelines {
    /// How a widget stands.
    struct Slot {
        let widget: HostedWidget
        fileprivate var envelope: WidgetTimelineEnvelope?
        fileprivate var isRead = false
        /// Without its secrets.
        fileprivate(set) var open: TimelineArchive?
        /// With them.
        fileprivate var full: TimelineArchive?
        var worker: ChildProcess?
        /// When the worker was started, in microseconds since 1970; of the last one where none runs.
        var attempt: Int64?
        /// Whether what is shown is known to be old.
        var isDirty = false
        /// Why the last worker had nothing.
        var failure: ProviderRun.Outcome?
        /// Whether the worker was started because something changed.
        var isUpdating = false

        fileprivate init(_ widget: HostedWidget) { self.widget = widget }
    }

    private final class Key {
        let bytes: SecretBytes
        init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
    }

    private let keys: WidgetKeys
    private let files: TimelineFiles
    private var opened: [WidgetProtection: Key] = [:]
    private(set) var slots: [String: Slot] = [:]
    /// Whether a frame may have changed since clients heard last.
    private var isStale = true

    init(home: Home, daemon: DaemonLink, catalog: Catalog?, settings: WidgetSettings?) {
        keys = WidgetKeys(daemon: daemon)
        files = TimelineFiles(widgets: home.widgetsFolder)
        take(Gallery(home: home, catalog: catalog, settings: settings), isWhole: catalog?.isWhole == true)
    }

    /// Takes what widgets there are; those that were there before stay as they are, and of those that are gone nothing
    /// does.
    ///
    /// - Parameter isWhole: whether widgets that it lacks are gone for good.
    func take(_ gallery: Gallery, isWhole: Bool) {
        let widgets = gallery.all
        let configurations = Dictionary(
            widgets.map { ($0.kind, $0.configuration) }, uniquingKeysWith: { first, _ in first })
        for (kind, slot) in slots where slot.widget.configuration != configurations[kind] {
            slot.worker?.terminate(milliseconds: 100)
            if configurations[kind] != nil { drop(kind) }
            slots[kind] = nil
        }
        for widget in widgets where slots[widget.kind] == nil { slots[widget.kind] = Slot(widget) }
        guard isWhole else { return }
        do { try files.removeAll(but: Set(configurations.keys)) } catch {
            Log.error("timelines of widgets that are gone were not removed", error)
        }
    }

    var widgets: [HostedWidget] { slots.values.map(\.widget).sorted { $0.kind < $1.kind } }

    func change<Result>(_ kind: String, _ body: (inout Slot) -> Result) -> Result? {
        guard var slot = slots[kind] else { return nil }
        defer { slots[kind] = slot }
        return body(&slot)
    }

    /// A frame may have changed.
    func markStale() { isStale = true }

    /// Whether a frame may have changed since this was asked last.
    func takeStale() -> Bool {
        defer { isStale = false }
        return isStale
    }

    /// What widgets of these sources show is known to be old.
    func markDirty(_ isMeant: (WidgetSource) -> Bool) {
        for (kind, slot) in slots where isMeant(slot.widget.source) { markDirty(kind) }
    }

    /// What a widget shows is known to be old, and its provider is asked anew, whatever became of it the last time.
    func markDirty(_ kind: String) {
        _ = change(kind) { slot in
            slot.isDirty = true
            slot.failure = nil
        }
    }

    /// Whether a provider is being asked because something changed, and not by the clock.
    func isUpdating(_ kind: String) -> Bool { slots[kind].map { $0.worker != nil && $0.isUpdating } ?? false }

    /// The view of a widget now, without what is sealed or with it.
    ///
    /// - Returns: nil where there is none, it does not open, or none of it is good yet.
    func view(_ kind: String, _ family: WidgetFamily, at now: Moment, withSecrets: Bool) -> Node? {
        isAhead(kind, of: now) ? nil : archive(kind, withSecrets: withSecrets)?.view(family, at: now)
    }

    /// Whether the clock was set back behind all that a momentary widget shows: a code is good at its time alone.
    func isAhead(_ kind: String, of now: Moment) -> Bool {
        guard slots[kind]?.widget.isMomentary == true, let archive = archive(kind, withSecrets: false),
            let first = archive.entries.first
        else { return false }
        return first.date > now
    }

    /// Whether a widget has a timeline that opens.
    func has(_ kind: String) -> Bool { archive(kind, withSecrets: false) != nil }

    private func archive(_ kind: String, withSecrets: Bool) -> TimelineArchive? {
        guard var slot = slots[kind] else { return nil }
        defer { slots[kind] = slot }
        if let archive = withSecrets ? slot.full : slot.open { return archive }
        if !slot.isRead {
            slot.isRead = true
            slot.envelope = (try? files.read(kind)) ?? nil
        }
        guard let envelope = slot.envelope else { return nil }
        do {
            let archive = try open(envelope, of: slot.widget, withSecrets: withSecrets)
            if withSecrets { slot.full = archive } else { slot.open = archive }
            return archive
        } catch let error as TresorError where error.code == .locked { return nil } catch {
            // Of another version, another device, or altered: the provider makes a new one.
            Log.error("a timeline does not open", error)
            slot.envelope = nil
            // Not at once: what makes it may have failed for good.
            slot.failure = .failed
            return nil
        }
    }

    private func open(
        _ envelope: WidgetTimelineEnvelope, of widget: HostedWidget, withSecrets: Bool
    ) throws -> TimelineArchive {
        let protection = widget.configuration.protection
        guard envelope.protection == protection.rawValue else { throw WidgetCodingError.invalid }
        let key = try key(protection)
        let open = try envelope.openPublicPart(kind: widget.kind, key: key.bytes)
        guard withSecrets else {
            return try TimelineArchive(open: open.withBytes { $0.copyToArray() }, secrets: nil)
        }
        let secrets = try envelope.openSecrets(kind: widget.kind, key: key.bytes)
        return try TimelineArchive(
            open: open.withBytes { $0.copyToArray() }, secrets: secrets.withBytes { $0.copyToArray() })
    }

    private func key(_ protection: WidgetProtection) throws -> Key {
        if let key = opened[protection] { return key }
        let key = Key(try keys.openingKey(protection))
        opened[protection] = key
        return key
    }

    /// What a provider has left on the disk takes the place of what was there.
    func reread(_ kind: String) {
        _ = change(kind) { slot in
            slot.isRead = false
            (slot.envelope, slot.open, slot.full) = (nil, nil, nil)
        }
    }

    /// Forgets what these widgets show, also on the disk.
    func dropAll(_ isMeant: (HostedWidget) -> Bool) {
        for widget in widgets where isMeant(widget) { drop(widget.kind) }
    }

    /// Forgets what a widget shows, also on the disk.
    func drop(_ kind: String) {
        _ = change(kind) { slot in
            slot.isRead = true
            (slot.envelope, slot.open, slot.full) = (nil, nil, nil)
        }
        do { try files.remove(kind) } catch { Log.error("a timeline was not removed", error) }
    }

    /// The device's lock state, as a widget that nobody has to be asked for.
    func setDevice(_ widget: LockStateWidget, at now: Moment) {
        _ = change(widget.configuration.kind) { slot in
            guard let archive = try? widget.archive(at: now) else { return }
            (slot.isRead, slot.open, slot.full) = (true, archive, archive)
        }
    }
}
