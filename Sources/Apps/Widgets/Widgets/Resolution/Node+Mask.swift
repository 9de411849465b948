extension Node {
    /// What stands in place of this view.
    ///
    /// - Parameter isPrivate: then nothing but the sort of the view is left; else words keep their width, since they
    ///   are a placeholder's own.
    func mask(isPrivate: Bool) -> Mask {
        switch self {
        case .text(let run): .text(run.font, columns: isPrivate ? Mask.privateColumns : run.columns)
        case .image, .symbol: .image
        case .gauge(let style, _, _): .gauge(style)
        case .toggle: .toggle
        case .stack, .group, .divider, .spacer, .modified, .sealed, .reader, .choice: .block
        }
    }

    /// What a reader gives in an environment; nil for any other node.
    func branch(in environment: ViewEnvironment) -> Node? {
        switch self {
        case .reader(let content): return content(environment)
        case .choice(let indices, let nodes):
            guard indices.count == ViewEnvironment.variantCount else { return nil }
            let index = Int(indices[environment.variant])
            return nodes.indices.contains(index) ? nodes[index] : nil
        default: return nil
        }
    }
}

extension TextRun {
    /// Characters, from 1 to ``Mask/mostColumns``.
    var columns: UInt8 { UInt8(max(1, content.prefix(Int(Mask.mostColumns)).count)) }
}
