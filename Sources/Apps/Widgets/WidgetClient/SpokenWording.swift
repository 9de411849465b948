import Localization
package import Widgets

extension Wording {
    /// In the language of this process, which is that of whoever looks.
    package static var spoken: Wording {
        var wording = Wording()
        wording.hidden = localized("hidden")
        wording.redacted = localized(", hidden")
        wording.placeholder = localized(", locked")
        wording.unavailable = localized(", not available here")
        wording.waiting = localized(", nothing yet")
        (wording.on, wording.off) = (localized("on"), localized("off"))
        return wording
    }
}

extension WidgetFrame {
    /// A frame as tresor-widgets sends it, to be shown to a person.
    ///
    /// - Throws: `WidgetCodingError`.
    package init(received bytes: [UInt8]) throws(WidgetCodingError) {
        try self.init(decoding: bytes)
        wording = .spoken
    }

    /// The same with the words of whoever looks.
    package var spoken: WidgetFrame {
        var frame = self
        frame.wording = .spoken
        return frame
    }
}
