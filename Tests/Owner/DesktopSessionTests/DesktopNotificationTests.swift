import DesktopBus
import DesktopSession
import MessageBus
import Testing

@Suite(.serialized, .enabled(if: DesktopService.missing.isEmpty, "needs dbus-daemon and python3-dbusmock"))
struct DesktopNotificationTests {
    @Test func `a notification is shown as it is, and what is no markup stays none`() throws {
        let desktop = try DesktopService(hasLogind: false, hasNotifications: true)
        try DesktopNotification(title: "2 objects are damaged", text: "'tresor doctor' names them").show(
            at: desktop.sessionAddress)
        #expect(try desktop.notifications() == ["2 objects are damaged | 'tresor doctor' names them"])
    }

    @Test func `where nobody shows notifications that is an error, and no wait without end`() throws {
        let desktop = try DesktopService(hasLogind: false, hasScreenSaver: true)
        let notification = DesktopNotification(title: "a", text: "b")
        #expect(throws: BusError.unavailable) { try notification.show(at: desktop.sessionAddress) }
        #expect(throws: BusError.unavailable) {
            try notification.show(at: "unix:path=/nonexistent/bus", within: 300)
        }
    }
}
