import Protection
import Wire

/// The identifier of an app, as commands print it that make one or take one in.
struct AppIdentifierDocument: Encodable {
    let identifier: String

    func print(json: Bool) throws {
        if json { try Output.json(self) } else { try Output.line(identifier) }
    }
}

/// An access group that is nobody's any more, as `--json` prints it.
struct OrphanedGroupDocument: Encodable {
    let group: String
    let items: UInt32
    /// False where its program may still be there.
    let certain: Bool

    init(_ group: GroupsReport.Group) {
        self.group = group.name
        items = group.items
        certain = group.ownership == .orphan
    }
}
