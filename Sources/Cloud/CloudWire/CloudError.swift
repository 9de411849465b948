/// The server's word for why a request was refused; see specs/cloud.md, "Errors".
///
/// The raw value is the word, as JSON has it. After an error nothing was changed, but for ``unknownOutcome``.
package enum CloudError: String, Error, CaseIterable, Sendable {
    /// A body, query, header or token does not decode.
    case invalid
    /// No such token, or a wrong proof or unknown name at a sign-in.
    case unauthorized
    /// A member that may read, and not this.
    case readOnly
    /// New accounts need a registration code, and this is none.
    case closed
    /// It does not exist, belongs to others, or was removed: nobody is told which.
    case notFound
    /// Another method at a route.
    case method
    /// A record's tag is another than the condition.
    case conflict
    /// The log has grown, or another head was named.
    case headChanged
    /// An adopted asset is not whole.
    case assetMissing
    /// A name, account, zone, or asset with other bytes is there.
    case exists
    /// An upload goes on elsewhere.
    case offset
    /// A change token of another epoch, or older than the last purge.
    case tokenExpired
    /// A body or count above its limit.
    case tooLarge
    /// A body of another type than the route takes.
    case unsupportedType
    /// A range that the asset does not have.
    case range
    /// The batch identifier came with other bytes before.
    case batchReused
    /// A log entry breaks a rule of specs/zone-members.md.
    case refusedEntry
    /// Of a batch or a card; or a join's key is not what was committed to.
    case badSignature
    /// The bytes of an upload have another SHA-256; they are gone.
    case badDigest
    /// Above a rate.
    case slowDown
    /// A queue is full, or the server ends.
    case busy
    /// The commit's fate is not known: the same batch is to be sent again.
    case unknownOutcome
    /// The zone's owner has no room left.
    case quota
    /// The disk is full or read-only; reads go on.
    case cannotWrite

    /// HTTP's statuses for it: one, but for what has no length at all, which is told apart from what is too long.
    package var statuses: [Int] {
        switch self {
        case .invalid: [400]
        case .unauthorized: [401]
        case .readOnly, .closed: [403]
        case .notFound: [404]
        case .method: [405]
        case .conflict, .headChanged, .assetMissing, .exists, .offset: [409]
        case .tokenExpired: [410]
        case .tooLarge: [411, 413]
        case .unsupportedType: [415]
        case .range: [416]
        case .batchReused, .refusedEntry, .badSignature, .badDigest: [422]
        case .slowDown: [429]
        case .busy, .unknownOutcome: [503]
        case .quota, .cannotWrite: [507]
        }
    }

    /// The members that stand beside the code in JSON.
    package var members: [String] {
        switch self {
        case .conflict: ["records"]
        case .headChanged: ["length"]
        case .assetMissing: ["assets"]
        case .offset: ["offset"]
        case .tooLarge: ["limit"]
        case .refusedEntry: ["rule"]
        case .slowDown, .busy: ["retryAfter"]
        case .quota: ["quota", "used"]
        case .invalid, .unauthorized, .readOnly, .closed, .notFound, .method, .exists, .tokenExpired,
            .unsupportedType, .range, .batchReused, .badSignature, .badDigest, .unknownOutcome, .cannotWrite:
            []
        }
    }
}
