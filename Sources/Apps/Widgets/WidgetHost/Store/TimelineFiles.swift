import Envelopes
import Linux
import Widgets

/// Sealed timelines on the disk, a file for each kind; specs/widget-store.md.
struct TimelineFiles {
    private let folder: String

    /// - Parameter widgets: the folder of tresor-widgets.
    init(widgets: String) { folder = widgets + "/timelines" }

    /// - Returns: nil where there is none, or none that this version reads.
    func read(_ kind: String) throws -> WidgetTimelineEnvelope? {
        guard try FileSystem.status(path(kind)) != nil else { return nil }
        return try? WidgetTimelineEnvelope(
            try FileSystem.read(path(kind), limit: WidgetTimelineEnvelope.mostBytes * 2, followsLinks: false))
    }

    func write(_ timeline: WidgetTimelineEnvelope, of kind: String) throws {
        try FileSystem.makeDirectories(folder)
        try FileSystem.replace(path(kind), with: timeline.encoded)
    }

    /// Removes it, and what a provider that was ended in the middle has left of a next one.
    func remove(_ kind: String) throws {
        try FileSystem.remove(path(kind))
        try FileSystem.remove(path(kind) + ".new")
    }

    /// Removes those of widgets that are not there any more.
    func removeAll(but kinds: Set<String>) throws {
        guard try FileSystem.status(folder) != nil else { return }
        for name in try FileSystem.names(in: folder) {
            guard let kind = kind(name), !kinds.contains(kind) else { continue }
            try FileSystem.remove(folder + "/" + name)
        }
    }

    private static let suffix = ".timeline"

    private func path(_ kind: String) -> String { folder + "/" + kind + Self.suffix }

    /// Whose a file of ours is; nil for no file of ours.
    private func kind(_ name: String) -> String? {
        let whole = name.hasSuffix(".new") ? name.dropLast(4) : name[...]
        return whole.hasSuffix(Self.suffix) ? String(whole.dropLast(Self.suffix.count)) : nil
    }
}
