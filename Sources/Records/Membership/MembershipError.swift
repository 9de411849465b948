/// Why an entry, a batch or a record is refused; see specs/zone-members.md.
package enum MembershipError: Error, Equatable, Sendable {
    /// An entry, or what comes beside it, breaks a rule.
    case rule(MembershipRule)
    /// A record fails a check.
    case record(RecordCheck)
    /// No locked memory left.
    case memory
}

/// The rules of a log, in the order in which they are checked; the numbers are those of the page.
package enum MembershipRule: Int, CaseIterable, Sendable {
    /// The entry decodes, and follows the one before.
    case order = 1
    /// Class and scope stay.
    case kind
    /// Who signs is a member.
    case signer
    /// The signature holds under the signer's key in force.
    case signature
    /// Who has this role may do this.
    case table
    /// It is done to whom it may be done to.
    case subject
    /// The subject's keys are those that the step asks for.
    case keys
    /// The subject's role is one that the signer may give.
    case role
    /// Generation and commitment change where they must, and nowhere else.
    case zoneKey
    /// A rotation follows a removal.
    case rotation
    /// There are not too many members or entries.
    case room
    /// Whoever needs a key gets it in the same batch.
    case batch
}

/// The checks of a record that another member wrote, in their order; the numbers are those of the page.
package enum RecordCheck: Int, CaseIterable, Sendable {
    /// Its head is that of the last entry before it.
    case head = 1
    /// Who wrote it may write.
    case writer
    /// It is sealed under the key in force.
    case generation
    /// Its signature holds under the writer's key.
    case signature
    /// It is newer than the one that is known.
    case revision
    /// Its type may be shared.
    case type
}
