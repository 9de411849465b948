import Linux
import Localization
import NotesClient
import ResidentClient
import Tresor
import WidgetClient
import Widgets
import Wire

extension TourChapter {
    private static let list = "# Gate code 4711\n\n- [x] oil the hinge\n- [ ] paint it\n"

    static let widgets = TourChapter(title: localized("6. Widgets")) { device in
        try NotesConnection(home: device.home).ask(.create(NewNote(isPinned: true)), body: Array(list.utf8))
        try Output.words(localized("   A note is pinned. The same widget, as a bar and as a tile show it:"))
        try show(localized("unlocked"), device)
        try await Keychain().lock()
        try show(localized("locked"), device)
        try await device.end()
        try await device.start()
        try show(localized("before the first unlock"), device)
        try Output.line("   \(pad(localized("as a program reads it"), 29)) \(try state(device))")
        try await Keychain().unlock(passcode: secret("tour"))
        try show(localized("unlocked again"), device)
        let file = try FileSystem.read(device.home.widgetsFolder + "/timelines/notes.pinned.timeline")
        try search(file, for: ["Gate code", "4711"])
    }

    private static func frame(_ family: WidgetFamily, _ device: TourDevice) throws -> WidgetFrame {
        try WidgetConnection(home: device.home).frame(
            WidgetOrder(kind: "notes.pinned", family: family.name, placement: "lockScreen"))
    }

    private static func show(_ name: String, _ device: TourDevice) throws {
        let bar = PlainTextRenderer.render(try frame(.accessoryInline, device))
        let tile = PlainTextRenderer.render(try frame(.systemSmall, device))
            .split(separator: "\n", omittingEmptySubsequences: true).joined(separator: " | ")
        try Output.line("   \(pad(name, 29)) \(bar)")
        try Output.line("   \(pad("", 29)) \(tile)")
    }

    private static func state(_ device: TourDevice) throws -> String {
        WaybarRenderer.render(try frame(.accessoryInline, device))
    }
}
