import Envelopes
import NotesClient
package import Protection
package import Secrets
package import Zones

// In which lock states notes can be read.
extension Notebook {
    /// The zone's class.
    package var protectionClass: ProtectionClass { zone.zoneClass == .whenUnlocked ? .whenUnlocked : .afterFirstUnlock }

    /// Moves all notes into a zone of another class; sessions, and what was read, stay.
    ///
    /// - Parameters:
    ///   - name: of the class.
    ///   - account: whose notes they are.
    ///   - accountKey: opens the key that signs.
    /// - Throws: `NotesError`: `invalid` for a class that notes can't have, `damaged` where a record does not open;
    ///   nothing was changed then.
    package func changeClass(
        to name: String, of account: ZoneAccount, with accountKey: borrowing SecretBytes
    ) throws {
        let wanted = try Self.noteClass(name)
        guard wanted != protectionClass else { return }
        do {
            zone = try store.changeClass(
                of: zone, to: wanted == .whenUnlocked ? .whenUnlocked : .afterFirstUnlock, of: account,
                scope: NotebookOpener.scope, with: accountKey, time: UInt64(clamping: now))
        } catch ZoneError.damagedRecord(let record) {
            damaged.insert(record)
            throw NotesError(
                .damaged, "the record \(record) does not open, so it cannot be moved: the class stays as it was")
        }
        // The log of the database still has the key's wrap of before.
        scrub()
    }

    /// Changes settings, the class among them, which comes first, once it is known that nothing else will be refused.
    ///
    /// - Parameter changeClass: as ``changeClass(to:of:with:)``, by the name of the class.
    func changeSettings(_ changes: NotesSettings, byClass changeClass: (String) throws -> Void) throws {
        _ = try settings(after: changes)
        let former = protectionClass
        if let name = changes.protectionClass { try changeClass(name) }
        do { try changeSettings(changes) } catch {
            guard protectionClass != former, (error as? ZoneError) != .replaced else { throw error }
            // What it says of changes holds for the other settings alone.
            let failure = NotesError(error)
            throw NotesError(failure.code, "the class of the notes was changed; then this failed: \(failure.message)")
        }
    }

    /// - Throws: `NotesError.invalid`.
    static func noteClass(_ name: String) throws -> ProtectionClass {
        guard let known = ProtectionClass(name: name), known == .whenUnlocked || known == .afterFirstUnlock else {
            throw NotesError(.invalid, "notes are of class whenUnlocked or afterFirstUnlock")
        }
        return known
    }
}
