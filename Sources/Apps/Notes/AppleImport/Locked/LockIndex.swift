import SQLite

/// Which passphrases the locked notes of a database need.
struct LockIndex {
    private struct Entry {
        var hint: String?
        var noteCount = 0
        /// Wrapped keys that tell a right passphrase from a wrong one; more than one, since one may be damaged.
        var proofs: [[UInt8]] = []

        mutating func add(_ candidate: SealedObject) {
            hint = hint ?? candidate.hint
            noteCount += 1
            if proofs.count < LockIndex.mostProofs { proofs.append(candidate.wrappedKey) }
        }
    }

    private static let mostProofs = 64
    /// Each costs a derivation more; Apple's own notes and attachments share their account's salt.
    private static let mostFurther = 4

    /// How many rounds one trial of every passphrase may take together, four seconds or so.
    ///
    /// Apple's notes ask for 20,000
    /// for each passphrase; a database of somebody else's may name another salt and ten million for every note.
    private static let mostRounds: UInt64 = 20_000_000
    /// The same for attachments whose salt is not their note's, which each passphrase is tried on besides.
    private static let mostFurtherRounds: UInt64 = 200_000

    /// Under which notes are locked that would keep this computer busy for too long.
    private(set) var refused: Set<LockParameters> = []
    /// In the order of their first notes.
    private(set) var groups: [LockGroup] = []
    /// Under which some attachment is locked, and no note.
    private(set) var further: [LockParameters] = []
    private var entries: [LockParameters: Entry] = [:]

    init(_ database: NoteDatabase, _ index: StoreIndex) throws(AppleImportError) {
        var order: [LockParameters] = []
        for note in index.notes where note.isLocked {
            // What is damaged is told with the note itself.
            guard let row = try? database.object(note.key), let body = try? note.body.flatMap(database.body),
                case .passphrase(let candidates) = LockedBody(row: row, body: body)
            else { continue }
            for candidate in candidates {
                guard let parameters = candidate.parameters else { continue }
                if entries[parameters] == nil { order.append(parameters) }
                entries[parameters, default: Entry()].add(candidate)
            }
        }
        if !order.isEmpty { try findFurther(database) }
        refuseCostly(order)
        groups = order.filter { !refused.contains($0) }.compactMap { parameters in
            guard let entry = entries[parameters] else { return nil }
            return LockGroup(
                id: parameters.id, format: parameters.format, rounds: parameters.rounds, hint: entry.hint,
                noteCount: entry.noteCount, parameters: parameters)
        }
    }

    /// The cheapest are tried: who adds a note at ten million rounds must not shut those that were there.
    private mutating func refuseCostly(_ order: [LockParameters]) {
        let besides = further.reduce(UInt64(0)) { $0 + UInt64($1.rounds) }
        var total: UInt64 = 0
        for parameters in order.sorted(by: { $0.rounds < $1.rounds }) {
            let cost = UInt64(parameters.rounds) + (parameters.format == .v1 ? besides : 0)
            guard total + cost <= Self.mostRounds else {
                refused.insert(parameters)
                continue
            }
            total += cost
        }
    }

    func proofs(_ parameters: LockParameters) -> [[UInt8]] { entries[parameters]?.proofs ?? [] }

    private mutating func findFurther(_ database: NoteDatabase) throws(AppleImportError) {
        let entities = database.entities.attachments + database.entities.media
        var rounds: UInt64 = 0
        try database.forEach(entities, [.salt, .rounds]) { _, values in
            guard further.count < Self.mostFurther, !values[0].isNull,
                let parameters = LockParameters(format: .v1, salt: values[0].bytes, rounds: values[1].integer),
                entries[parameters] == nil, !further.contains(parameters),
                rounds + UInt64(parameters.rounds) <= Self.mostFurtherRounds
            else { return }
            rounds += UInt64(parameters.rounds)
            further.append(parameters)
        }
    }
}
