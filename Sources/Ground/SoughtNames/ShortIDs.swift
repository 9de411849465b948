/// Ids as lists print them: so short that they are still told apart.
package struct ShortIDs: Sendable {
    /// How many digits each has.
    package let length: Int

    private static let least = 8

    /// - Parameter ids: all that there are, also those that are not printed.
    package init(_ ids: [String]) {
        let sorted = ids.sorted()
        let shared = zip(sorted, sorted.dropFirst()).map { one, other in
            one == other ? 0 : zip(one, other).prefix { $0 == $1 }.count
        }
        length = max(Self.least, (shared.max() ?? 0) + 1)
    }

    /// - Parameter length: how many digits each has.
    package init(length: Int) { self.length = length }

    /// As many digits of an id as tell it apart.
    package func short(_ id: String) -> String { String(id.prefix(length)) }
}
