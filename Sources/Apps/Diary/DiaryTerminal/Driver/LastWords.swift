import DiaryClient
import Localization
import ResidentClient

/// The words that tresor-diary has not taken, held by a driver until it does.
struct LastWords: ~Copyable {
    private var held = HeldRequests<DiaryRequest>()

    var isEmpty: Bool { held.isEmpty }
    var count: Int { held.count }

    /// - Parameter ask: one with what was typed, which nobody has any more but this.
    mutating func hold(_ ask: Ask) { held.hold(ask.later, body: ask.body) }

    mutating func forget() { held.removeAll() }

    /// - Throws: `DiaryError` where something is here still at the end, and is lost with it.
    borrowing func complain() throws {
        guard !held.isEmpty else { return }
        throw DiaryError(
            .cannotWrite,
            marked("what was typed last could not be handed in to tresor-diary, and is lost with this program"))
    }

    /// Hands in what it can.
    ///
    /// - Parameters:
    ///   - last: the entry that the last of it has become.
    ///   - send: asks tresor-diary; nil where it answered.
    /// - Returns: why something is still here; nil where nothing is.
    mutating func handIn(last: inout EntrySummary?, _ send: (Ask, inout EntrySummary?) -> DiaryError?) -> DiaryError? {
        while let next = held.first {
            let ask = Ask(next.request, body: next.body)
            guard let error = send(ask, &last) else {
                held.removeFirst()
                continue
            }
            // What it was meant for was changed or removed meanwhile: the words become a draft of their own.
            guard [.conflict, .notFound, .invalid].contains(error.code), let request = ask.anew else { return error }
            held.replaceFirst(by: request)
        }
        return nil
    }
}
