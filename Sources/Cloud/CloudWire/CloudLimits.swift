/// Lengths and counts beyond which a client must not ask and the server refuses; see specs/cloud.md, "Limits, quotas
/// and rates".
///
/// What that table marks as a setting of the server is not here: a client learns it from `GET /v1/server`.
package enum CloudLimits {
    // MARK: A batch

    /// Records in a batch.
    package static let records = 1_000
    /// Entries of the membership log in a batch.
    package static let entries = 16
    /// Wraps of zone keys in a batch.
    package static let wraps = 4_096
    /// Links from one zone key to that before, in a batch.
    package static let links = 16
    /// Assets that a batch adopts, and as many that it releases.
    package static let assets = 1_000
    /// Bytes of a batch with all that is in it.
    package static let batch = 33_554_432

    // MARK: Its parts

    /// Bytes of the shortest sealed part of a record: 64 of plaintext, and 28.
    package static let leastSealed = 92
    /// Bytes of the longest sealed part of a record.
    package static let sealed = 20_971_520
    /// Bytes of an entry of the membership log: its scope has from none to 64 of them.
    package static let entry = 273...337

    // MARK: A page of changes

    /// Items of a page.
    package static let items = 1_000
    /// Bytes of all items of a page together, where there are several.
    package static let page = 16_777_216
    /// Bytes of the token that says where the next page begins; there is at least one.
    package static let token = 64

    // MARK: Requests

    /// Bytes of a request's JSON.
    package static let json = 65_536
    /// Bytes of a request's head.
    package static let head = 16_384
    /// Bytes of a request's path.
    package static let path = 512
    /// Bytes of an asset that one request brings.
    package static let assetPart = 8_388_608

    // MARK: Accounts and zones

    /// Bytes of an account's name, which is ASCII.
    package static let accountName = 64
    /// Members of a zone.
    package static let members = 256
    /// Entries of a zone's membership log; there is at least the one that made it.
    package static let log = 65_536
    /// Zones of an account.
    package static let zones = 10_000
    /// Devices of an account.
    package static let devices = 64
    /// Invitations of an account that nobody has answered.
    package static let invitations = 1_000
    /// Links by which others can ask an account to be let in.
    package static let invitationLinks = 100
    /// Devices that wait at the same time to join an account.
    package static let joins = 3
}
