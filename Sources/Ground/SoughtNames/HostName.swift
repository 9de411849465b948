/// A text that is a host's name, such as `shop.example.com`.
package struct HostName: Sendable, Equatable {
    /// Without capitals and the dot behind the last.
    private let labels: [Substring]

    /// - Returns: nil for what is none: without a dot, with other characters, or with an end like that of a version.
    package init?(_ text: String) {
        var labels = text.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        if labels.last?.isEmpty == true { labels.removeLast() }
        guard labels.count > 1, labels.allSatisfy(Self.isLabel), let last = labels.last else { return nil }
        guard Self.isAddress(labels) || last.count > 1 && last.contains(where: \.isLetter) else { return nil }
        self.labels = labels
    }

    private static func isLabel(_ label: Substring) -> Bool {
        guard !label.isEmpty, label.utf8.count < 64, label.first != "-", label.last != "-" else { return false }
        return label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
    }

    private static func isAddress(_ labels: [Substring]) -> Bool {
        labels.count == 4 && labels.allSatisfy { UInt8($0) != nil }
    }

    /// The whole name, without a `www.` in front of it.
    package var withoutWWW: String { Self.withoutWWW(labels.joined(separator: ".")) }

    /// The same of any text without capitals.
    static func withoutWWW(_ text: String) -> String {
        text.hasPrefix("www.") ? String(text.dropFirst("www.".count)) : text
    }

    /// What people call the site: the first label of the name that its owner registered, as `example` of
    /// `shop.example.co.uk`.
    package var siteLabel: String? {
        guard !Self.isAddress(labels) else { return nil }
        let isBelowCountry =
            labels.count > 2 && labels[labels.count - 1].count == 2
            && Self.belowCountries.contains(String(labels[labels.count - 2]))
        return String(labels[labels.count - (isBelowCountry ? 3 : 2)])
    }

    /// Labels under which registries of countries give names out.
    ///
    /// No list of them is whole, and this is no matter of safety: nothing is filled in by it.
    private static let belowCountries: Set<String> = [
        "ac", "co", "com", "edu", "go", "gob", "gov", "ne", "net", "nom", "or", "org",
    ]
}
