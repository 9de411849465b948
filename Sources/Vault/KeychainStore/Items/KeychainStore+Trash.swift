package import Secrets
package import Wire

// Items that a command has removed, and that can be brought back for a while.
extension KeychainStore {
    /// Puts every match into the trash: no query finds it from then on, and its primary key is free.
    ///
    /// A synchronizable one leaves a tombstone, as it does when it is removed.
    ///
    /// - Throws: `KeychainError`: −25300 when nothing matches, −25308 while a match is locked, −26275 when nothing but
    ///   damaged items does: those are kept where they are.
    package func trash(_ query: KeychainQuery, caller: Caller) throws { try trash.take(query, caller: caller) }

    /// Takes an item out of the trash, to where it was.
    ///
    /// Nobody has to prove anything for it; a reading demands what it demanded.
    ///
    /// - Throws: `KeychainError`: −25300 when no such item of the caller's lies there, −25299 when its primary key is
    ///   taken, −25294 when its keychain is gone, −25308 while its class is locked, −26275 when it does not decode.
    package func restore(_ reference: PersistentReference, caller: Caller) throws {
        try trash.restore(reference, caller: caller)
    }

    /// Removes for good what lies in the caller's trash.
    ///
    /// - Throws: `KeychainError`: −25308 before the first unlock.
    package func emptyTrash(caller: Caller) throws { try trash.empty(caller: caller) }

    /// Removes for good what has lain in anybody's trash for long enough, of the next rows that are open.
    ///
    /// - Parameters:
    ///   - time: how long.
    ///   - row: behind which it goes on; 0 at first.
    /// - Returns: how many went, and behind which row there are more; nil at the end.
    package func expireTrash(after time: Duration, behind row: Int64) throws -> (removed: Int, next: Int64?) {
        try trash.expire(after: Int64(time / .microseconds(1)), behind: row)
    }

    /// Finds what lies in the caller's trash behind a row, and appends the reply frame.
    ///
    /// It is a page with attributes, the day of the removal among them, and without secrets.
    package func answerTrashed(
        after row: UInt64, id: UInt32, caller: Caller, into output: inout SecretBuffer
    ) throws {
        try answerPage(id: id, into: &output) { try trash.list(after: row, caller: caller, into: &$0, &$1) }
    }
}
