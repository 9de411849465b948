/// How well a name fits; the better come first.
package enum NameTier: Int, Comparable, CaseIterable, Sendable {
    /// Something is called exactly that.
    case exact
    /// The same but for capitals.
    case caseless
    /// Of a host: without its `www.`, or the one label that people say, as `github` of `github.com`.
    case host
    /// Something that it is called contains the name.
    case contained

    package static func < (one: NameTier, other: NameTier) -> Bool { one.rawValue < other.rawValue }

    /// Whether a change may rely on it, with nobody there who could say that something else was meant.
    package var isSure: Bool { self <= .caseless }
}

/// A name that something is looked for by.
package struct SoughtName: Sendable {
    /// As it was typed.
    package let text: String
    private let folded: String
    private let host: String

    /// - Parameter text: as it was typed.
    package init(_ text: String) {
        self.text = text
        folded = text.lowercased()
        host = HostName.withoutWWW(folded)
    }

    /// How well it fits something that has several names; nil where it does not.
    package func tier(of names: [String]) -> NameTier? { names.compactMap { fit($0) }.min() }

    private func fit(_ name: String) -> NameTier? {
        if name.utf8.elementsEqual(text.utf8) { return .exact }
        let other = name.lowercased()
        if other == folded { return .caseless }
        guard !folded.isEmpty else { return nil }
        if let known = HostName(other), known.withoutWWW == host || known.siteLabel == folded { return .host }
        return other.contains(folded) ? .contained : nil
    }

    /// All that it fits best.
    ///
    /// - Parameter names: what each is called.
    package func best<Value>(of values: [Value], names: (Value) -> [String]) -> (tier: NameTier?, values: [Value]) {
        var best: (tier: NameTier?, values: [Value]) = (nil, [])
        for value in values {
            guard let tier = self.tier(of: names(value)) else { continue }
            if best.tier.map({ tier < $0 }) ?? true { best = (tier, []) }
            if best.tier == tier { best.values.append(value) }
        }
        return best
    }

    /// Up to three names that are nearly this one, the nearest first.
    package func similar(among names: [String]) -> [String] {
        SimilarWords.nearest(to: text, among: Set(names)) { name in
            [name, HostName(name)?.siteLabel].compactMap { $0 }
        }
    }
}
