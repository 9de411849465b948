import SoughtNames

/// What a number or a name means among what was listed.
package enum PlainChoice: Equatable, Sendable {
    /// This one, counted from 0; whether nothing else can have been meant.
    ///
    /// A name that fits only in part is no ground for a change, unless it was asked for.
    case one(Int, isSure: Bool)
    /// The name fits all of these as well; none of them is meant.
    case several([Int])
    /// There is no such number.
    case noNumber
    /// Nothing is called so; up to three names are nearly this one.
    case nothing(similar: [String])

    /// Chooses by what was typed.
    ///
    /// Something that is called by digits alone is found by its name where there is no such number.
    ///
    /// - Parameters:
    ///   - text: a number from 1, or a name.
    ///   - names: what each is called, in the order of its numbers; an empty one has no name that may be known.
    package init(_ text: String, among names: [String]) {
        let number = Int(text)
        if let number, names.indices.contains(number - 1) {
            self = .one(number - 1, isSure: true)
            return
        }
        let best = SoughtName(text).best(of: Array(names.indices)) { names[$0].isEmpty ? [] : [names[$0]] }
        guard let tier = best.tier, let first = best.values.first, !text.isEmpty else {
            self =
                number == nil
                ? .nothing(similar: SoughtName(text).similar(among: names.filter { !$0.isEmpty })) : .noNumber
            return
        }
        if number != nil && !tier.isSure {
            self = .noNumber
        } else {
            self = best.values.count == 1 ? .one(first, isSure: tier.isSure) : .several(best.values)
        }
    }
}
