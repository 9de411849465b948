import Linux
import MessageBus

/// Hears from the desktop's screen saver that it has begun.
///
/// It lives on the session's bus, where every program of the user may say so. A false word locks the device, which
/// those programs may do anyway; there is no word that unlocks it. Source: the interfaces org.freedesktop.ScreenSaver
/// and org.gnome.ScreenSaver, `ActiveChanged`.
final class ScreenSaverWatch {
    private static let interfaces = [
        "org.freedesktop.ScreenSaver", "org.gnome.ScreenSaver", "org.cinnamon.ScreenSaver", "org.mate.ScreenSaver",
        "org.xfce.ScreenSaver",
    ]
    private static let pause: UInt64 = 30_000
    private static let messagesPerStep = 32

    private let address: String
    private var bus: SystemBus?
    /// When the bus is tried again, in milliseconds of the boot clock; nil while it is heard.
    private(set) var nextTry: UInt64? = 0

    init(address: String) { self.address = address }

    func interest() -> BusInterest? { try? bus?.interest() }

    /// Takes what has arrived, and never waits.
    ///
    /// - Returns: whether a screen saver has begun.
    func process(at now: UInt64) -> Bool {
        var hasBegun = false
        do throws(BusError) {
            if let nextTry, now >= nextTry { try connect() }
            var steps = Self.messagesPerStep
            while let message = try bus?.nextMessage(from: nil, steps: &steps) {
                if case .signal(let interface, "ActiveChanged", _, let values) = message.content,
                    Self.interfaces.contains(interface), values.first == .flag(true)
                {
                    hasBegun = true
                }
            }
        } catch {
            bus = nil
            nextTry = now + Self.pause
        }
        return hasBegun
    }

    private func connect() throws(BusError) {
        let made = try SystemBus(address: address)
        for interface in Self.interfaces {
            let rule = "type='signal',interface='\(interface)',member='ActiveChanged'"
            _ = try made.send(.toBus("AddMatch", [.text(rule)]))
        }
        bus = made
        nextTry = nil
    }
}
