import Protection
import Widgets

/// What a page asks of ``DayWidget``, in the numbers that cross into WebAssembly: raw values of the kit's enumerations.
public enum BrowserWidget {
    /// Set in the answer of ``resolve(lock:placement:isLuminanceReduced:)`` where the secret may be handed in.
    public static let opensSealed: Int32 = 8

    /// What may be drawn: to be asked before the secret is touched.
    ///
    /// - Parameters:
    ///   - lock: of the device, a `LockState`.
    ///   - placement: where, a `WidgetPlacement`.
    ///   - isLuminanceReduced: whether the display is an always-on one, dimmed now.
    /// - Returns: the bits of `RedactionReasons`, and ``opensSealed``; nil where the widget is not shown or a number is
    ///   none.
    public static func resolve(lock: UInt8, placement: UInt8, isLuminanceReduced: Bool) -> Int32? {
        guard let lock = LockState(rawValue: lock), let placement = WidgetPlacement(rawValue: placement) else {
            return nil
        }
        let configuration = DayWidget(appointment: nil).configuration
        var input = Resolution.Input(kind: configuration.kind, protection: configuration.protection)
        input.lock = lock
        input.showingLock = lock
        input.placement = placement
        input.isLuminanceReduced = isLuminanceReduced
        let resolution = Resolution(input)
        if resolution == .unavailable { return nil }
        return Int32(resolution.reasons.rawValue) | (resolution.opensSealed ? opensSealed : 0)
    }

    /// The widget as HTML, by the way that every frame goes: provider, body, redaction, renderer.
    ///
    /// - Parameters:
    ///   - family: a `WidgetFamily`.
    ///   - reasons: bits of `RedactionReasons`.
    ///   - placement: a `WidgetPlacement`.
    ///   - isLuminanceReduced: whether the display is dimmed.
    ///   - appointment: the secret; nil where it is shut.
    /// - Returns: one `article`; nil where a number is none.
    public static func html(
        family: UInt8, reasons: UInt8, placement: UInt8, isLuminanceReduced: Bool, appointment: String?
    ) -> String? {
        guard let family = WidgetFamily(rawValue: family), let placement = WidgetPlacement(rawValue: placement),
            reasons < 8
        else { return nil }
        let reasons = RedactionReasons(rawValue: reasons)
        let environment = ViewEnvironment(
            family: family, placement: placement, isLuminanceReduced: isLuminanceReduced, redactionReasons: reasons)
        let widget = DayWidget(appointment: appointment)
        let isPlaceholder = reasons.contains(.placeholder)
        guard let view = isPlaceholder ? widget.placeholder(in: family) : widget.shown(in: family) else { return nil }
        let state: Frame.State = isPlaceholder ? .placeholder : reasons.contains(.privacy) ? .redacted : .shown
        return HTMLRenderer.render(
            Frame(
                widget.configuration, family: family, state: state, isLuminanceReduced: isLuminanceReduced,
                root: Redaction.resolve(view, in: environment)))
    }
}

extension DayWidget {
    /// Its entry as it is drawn.
    fileprivate func shown(in family: WidgetFamily) -> Node? {
        do throws(ProviderFailure) {
            return body(try provider.snapshot(in: family, at: Moment(seconds: 0)), in: family).node
        } catch { return nil }
    }
}
