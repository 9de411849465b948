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

    /// So many are looked up one by one.
    private static let few = 200

    /// Of some that are printed, each to be told from all others.
    ///
    /// - Parameters:
    ///   - ids: those that are printed.
    ///   - isAmbiguous: whether several ids begin so; asked where these are few.
    ///   - all: every id that there is; asked where these are many.
    package init<Failure: Error>(
        of ids: [String], isAmbiguous: (String) throws(Failure) -> Bool, all: () throws(Failure) -> [String]
    ) throws(Failure) {
        guard ids.count <= Self.few else {
            self.init(try all())
            return
        }
        var length = ShortIDs(ids).length
        for id in ids { while length < id.count, try isAmbiguous(String(id.prefix(length))) { length += 1 } }
        self.init(length: length)
    }

    private init(length: Int) { self.length = length }

    /// As many digits of an id as tell it apart.
    package func short(_ id: String) -> String { String(id.prefix(length)) }
}
