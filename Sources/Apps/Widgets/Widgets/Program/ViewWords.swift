/// What JSON calls the values of a view, by their numbers; specs/widget-program.md.
package enum ViewWords {
    package static let fonts = ["caption", "body", "headline", "title", "largeTitle", "monospaced"]
    package static let alignments = ["leading", "center", "trailing"]
    package static let gaugeStyles = ["linear", "circular"]
    package static let axes = ["hstack", "vstack", "zstack"]
    /// By their bits.
    package static let reasons = ["placeholder", "privacy", "invalidated"]
}

extension Axis {
    /// Where children stand unless it is said.
    package var usualAlignment: Alignment { self == .vertical ? .leading : .center }

    /// Points between children unless it is said.
    package var usualSpacing: UInt8 {
        switch self {
        case .horizontal: 6
        case .vertical: 4
        case .depth: 0
        }
    }
}
