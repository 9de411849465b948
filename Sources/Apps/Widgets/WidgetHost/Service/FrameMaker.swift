import Localization
import Protection
import WidgetClient
import Widgets

/// An order whose words are known.
struct ParsedOrder {
    let widget: HostedWidget
    let family: WidgetFamily
    let placement: WidgetPlacement
    let isLuminanceReduced: Bool
}

/// What clients see: the frame of an order as things stand.
struct FrameMaker {
    let timelines: Timelines
    let conditions: WidgetConditions
    let settings: ChosenSettings
    let clock: WidgetClock

    /// A frame's bytes; the placeholder's where it is too large to be shown.
    func encoded(_ order: ParsedOrder) throws -> [UInt8] {
        do { return try frame(order).encode() } catch WidgetCodingError.tooLarge {
            Log.note("a widget is too large to be shown")
            return try placeholder(order).encode()
        }
    }

    /// What stands for an order whose content cannot be had: made of no one's data.
    func placeholder(_ order: ParsedOrder, _ state: WidgetFrame.State = .placeholder) -> WidgetFrame {
        let environment = ViewEnvironment(
            family: order.family, placement: order.placement, isLuminanceReduced: order.isLuminanceReduced,
            redactionReasons: .placeholder)
        return WidgetFrame(
            order.widget.configuration, family: order.family, state: state,
            isLuminanceReduced: order.isLuminanceReduced,
            root: Redaction.resolve(order.widget.placeholder(order.family), in: environment))
    }

    /// - Throws: `WidgetError` that names what is not known.
    func parse(_ order: WidgetOrder) throws(WidgetError) -> ParsedOrder {
        guard let widget = timelines.slots[order.kind]?.widget else { throw WidgetError(unknownKind: order.kind) }
        guard let family = WidgetFamily(name: order.family) else {
            let names = WidgetFamily.allCases.map(\.name).joined(separator: ", ")
            throw WidgetError(.unknownFamily, marked("there is no family '\(order.family)'; there are: \(names)"))
        }
        guard widget.configuration.families.contains(family) else {
            let names = widget.configuration.families.map(\.name).joined(separator: ", ")
            throw WidgetError(
                .unknownFamily, marked("\(order.kind) does not come as \(order.family); it comes as: \(names)"))
        }
        guard let placement = WidgetPlacement(name: order.placement) else {
            throw WidgetError(unknownPlacement: order.placement)
        }
        return ParsedOrder(
            widget: widget, family: family, placement: placement, isLuminanceReduced: order.isLuminanceReduced)
    }

    private func frame(_ order: ParsedOrder) -> WidgetFrame {
        let configuration = order.widget.configuration
        var input = Resolution.Input(kind: configuration.kind, protection: configuration.protection)
        input.lock = conditions.deviceState
        input.showingLock = conditions.deviceState
        input.hasPasscode = conditions.isBehindPasscode
        input.placement = order.placement
        input.isLuminanceReduced = order.isLuminanceReduced
        input.settings = settings.current
        input.isUpdating = timelines.isUpdating(configuration.kind)
        // A class that is shut is not even tried.
        let isOpen = Resolution(input).showsEntry
        // The diary's door is a second fence: its timelines are dropped when it shuts.
        let isBehindDoor = order.widget.source == .diary && conditions.isDiaryOpen != true
        input.hasTimeline = isOpen && !isBehindDoor && timelines.has(configuration.kind)
        let isWaiting = isOpen && !isBehindDoor && timelines.slots[configuration.kind]?.failure != .locked
        let resolution = Resolution(input)
        let environment = ViewEnvironment(
            family: order.family, placement: order.placement, isLuminanceReduced: order.isLuminanceReduced,
            redactionReasons: resolution.reasons)
        let view =
            resolution.showsEntry && !isBehindDoor
            ? timelines.view(configuration.kind, order.family, at: clock.now, withSecrets: resolution.opensSealed) : nil
        guard let view else {
            guard resolution != .unavailable else {
                return WidgetFrame(configuration, family: order.family, state: .unavailable, root: .empty)
            }
            return placeholder(order, isWaiting ? .waiting : .placeholder)
        }
        return WidgetFrame(
            configuration, family: order.family, state: resolution.opensSealed ? .shown : .redacted,
            isLuminanceReduced: order.isLuminanceReduced, root: Redaction.resolve(view, in: environment))
    }
}
