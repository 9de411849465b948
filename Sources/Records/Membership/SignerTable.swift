import Envelopes

/// Who may sign what: the table of specs/zone-members.md, row by row, as data.
enum SignerTable {
    typealias Role = ZoneLogEntry.Role

    /// What an entry does: its operation, but for a role that its signer writes of itself.
    enum Step: CaseIterable {
        case create, add, remove, role, ownKeys, rotate, leave

        init(_ entry: ZoneLogEntry) {
            self =
                switch entry.operation {
                case .create: .create
                case .add: .add
                case .remove: .remove
                case .role: entry.signer == entry.subject ? .ownKeys : .role
                case .rotate: .rotate
                case .leave: .leave
                }
        }
    }

    /// To whom it is done.
    enum Subject: Equatable {
        case stranger
        /// Another member than the signer, of one of these roles.
        case member([Role])
        case signer
    }

    /// Which keys the subject has from there on.
    enum Keys {
        /// Those of its card, of which no member has one.
        case ofStranger
        case inForce, others, inForceOrOthers
    }

    /// Which role the subject has from there on.
    enum GivenRole: Equatable {
        case inForce
        /// One of these, and not that in force.
        case another([Role])
    }

    /// Which zone key is in force from there on.
    enum ZoneKey { case inForce, next }

    struct Row {
        let step: Step
        let signers: [Role]
        let subject: Subject
        let keys: Keys
        let role: GivenRole
        let zoneKey: ZoneKey

        init(_ step: Step, by signers: Role..., of subject: Subject, _ keys: Keys, _ role: GivenRole, _ key: ZoneKey) {
            (self.step, self.signers, self.subject) = (step, signers, subject)
            (self.keys, self.role, zoneKey) = (keys, role, key)
        }
    }

    // A zone has one owner: so a member with another role than that is never the owner who signs.
    static let rows = [
        Row(.add, by: .owner, of: .stranger, .ofStranger, .another([.admin, .writer, .reader]), .inForce),
        Row(.add, by: .admin, of: .stranger, .ofStranger, .another([.writer, .reader]), .inForce),
        Row(.remove, by: .owner, of: .member([.admin, .writer, .reader]), .inForce, .inForce, .inForce),
        Row(.remove, by: .admin, of: .member([.writer, .reader]), .inForce, .inForce, .inForce),
        Row(
            .role, by: .owner, of: .member([.admin, .writer, .reader]), .inForce,
            .another([.admin, .writer, .reader]), .inForce),
        Row(.role, by: .admin, of: .member([.writer, .reader]), .inForce, .another([.writer, .reader]), .inForce),
        Row(.ownKeys, by: .owner, .admin, .writer, .reader, of: .signer, .others, .inForce, .inForce),
        Row(.rotate, by: .owner, .admin, of: .signer, .inForceOrOthers, .inForce, .next),
        Row(.leave, by: .admin, .writer, .reader, of: .signer, .inForce, .inForce, .inForce),
    ]

    /// The one row for a step and a signer's role; nil where such a member may not do that.
    static func row(_ step: Step, by role: Role) -> Row? {
        rows.first { $0.step == step && $0.signers.contains(role) }
    }
}
