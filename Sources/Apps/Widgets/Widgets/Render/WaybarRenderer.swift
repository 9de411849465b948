/// A frame as waybar's custom modules read it with `"return-type": "json"` (waybar-custom(5)): one object on one line.
///
///     {"text":"📌 Shopping","tooltip":"Notes","alt":"shown","class":["notes","shown"]}
///
/// The tooltip is the widget's name and no more: GTK keeps in the accessibility tree what a tooltip said first, over a
/// lock as well. `text` and `tooltip` are Pango's markup, as waybar takes them unless its `escape` is set; nothing in
/// them is markup of the content. `alt` is the frame's state, for `format-icons`. The classes are the kind (its dots as
/// `-`), the state, `dim` on an always-on display, and `positive`, `warning` or `critical` where something is. A widget
/// whose one figure is a gauge has its `percentage`.
public enum WaybarRenderer {
    /// - Parameters:
    ///   - frame: what to render.
    ///   - columns: the most columns of the text, from 1 to 240.
    /// - Returns: the object, without a line break.
    public static func render(_ frame: Frame, columns: Int = 80) -> String {
        let tone = FrameTone(frame)
        var classes = [Markup.className(frame.kind), frame.state.name]
        if frame.isLuminanceReduced { classes.append("dim") }
        if tone.tint != .primary { classes.append(tone.tint.name) }
        let text = Markup.escaped(TextLayout().line(frame, columns: columns).plain)
        var json = "{\"text\":" + Markup.quoted(text)
        json +=
            ",\"tooltip\":" + Markup.quoted(Markup.escaped(DisplayText.isolated(DisplayText.clean(frame.displayName))))
        json += ",\"alt\":" + Markup.quoted(frame.state.name) + ",\"class\":["
        for (index, name) in classes.enumerated() { json += (index > 0 ? "," : "") + Markup.quoted(name) }
        json += "]"
        if tone.gauges.count == 1 { json += ",\"percentage\":\(tone.gauges[0].percent)" }
        return json + "}"
    }
}
