import Localization
import SoughtNames
import TerminalScreen
import Wire

/// One of the things that have a title or an id: the one that was meant, and where several may be, none.
///
/// The titles count as a list shows them: exactly, then capitals aside, then in part.
struct TitleChoice {
    /// What is chosen among.
    let kind: Kind
    /// Where they are listed, for advice.
    let listing: String

    /// Something that can be chosen.
    struct Candidate {
        let id: String
        let title: String
        /// What a list says of it.
        let line: String
    }

    /// Whether a text may be an id or its beginning.
    static func mayBeID(_ text: String) -> Bool {
        (4...32).contains(text.utf8.count)
            && text.lowercased().utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// The id of the one that a title means.
    ///
    /// A change does not rely on a part of a title, unless somebody is at the terminal who says that this one is meant.
    ///
    /// - Throws: `Failure`: `notFound`, `duplicate` with a list where several have the title.
    func id(of title: String, among candidates: [Candidate], isChange: Bool) throws -> String {
        guard !title.isEmpty else {
            throw Failure(
                ExitCode.usage, localized("a title has at least one character"),
                hint: localized("'\(listing)' shows them"))
        }
        let sought = SoughtName(title)
        let best = sought.best(of: candidates) { $0.title.isEmpty ? [] : [$0.title] }
        guard let tier = best.tier, let only = best.values.first else {
            let similar = sought.similar(among: candidates.map(\.title).filter { !$0.isEmpty })
            throw Failure(
                ExitCode.notFound, kind.noneHasIt,
                hint: similar.isEmpty ? localized("'\(listing)' shows them") : Self.similar(similar))
        }
        guard best.values.count == 1 else { throw several(best.values, .title) }
        guard isChange, !tier.isSure else { return only.id }
        guard Question.canBeAsked else {
            throw Failure(
                ExitCode.notFound, kind.noneHasExactly,
                hint: Self.similar([only.title]))
        }
        Output.error("  " + only.line)
        try Question.confirm(localized("Change this one?"))
        return only.id
    }

    /// Says which have it; none is chosen.
    ///
    /// - Parameter shared: what they have in common.
    func several(_ values: [Candidate], _ shared: Shared) -> Failure {
        var lines = [kind.have(shared, values.count)]
        lines += values.prefix(Self.mostListed).map { "  " + $0.line }
        if values.count > Self.mostListed { lines.append(localized("  and \(values.count - Self.mostListed) more")) }
        return Failure(
            ExitCode.duplicate, lines.joined(separator: "\n"), hint: localized("give the id of the one that is meant"))
    }

    private static let mostListed = 20

    private static func similar(_ titles: [String]) -> String {
        localized("similar: \(titles.map { SafeText.line($0) }.joined(separator: ", "))")
    }
}
