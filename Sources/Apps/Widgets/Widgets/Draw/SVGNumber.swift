/// Numbers as SVG takes them, without a library that formats floating point.
enum SVGNumber {
    /// At most two digits behind the point: `12`, `-0.5`, `3.14`.
    static func text(_ value: Double) -> String {
        guard value.isFinite, value > -1e9, value < 1e9 else { return "0" }
        let hundredths = Int((value * 100).rounded())
        let size = hundredths < 0 ? -hundredths : hundredths
        var text = hundredths < 0 ? "-" : ""
        text += String(size / 100)
        let rest = size % 100
        guard rest > 0 else { return text }
        text += "." + String(rest / 10)
        return rest % 10 > 0 ? text + String(rest % 10) : text
    }
}
