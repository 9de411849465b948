import TresorCoreFoundation
import TresorLocalAuthentication
import Protection
import Secrets
import Tresor
import Wire

/// One call that met items which demand their owner's presence, and the asking for it.
///
/// What is proved is good for one operation on one item. So items are proved one by one; the context asks once and
/// answers for all.
struct OwnerRounds {
    /// How many items one call proves presence for: as many as Apple's client tries (§1.8).
    static let limit = 20

    private let link: SharedTransport
    private let context: LAContext
    private let mayAsk: Bool
    private let prompt: String
    private var rounds = 0

    init(_ dictionary: ItemDictionary, _ link: SharedTransport) {
        self.link = link
        context = dictionary.context ?? LAContext()
        mayAsk = dictionary.interface == .allowed
        prompt = dictionary.prompt
    }

    /// Proves presence for these items, and makes the request on the same connection, with nobody in between.
    ///
    /// - Throws: `errSecAuthFailed` for a wrong passcode and beyond the limit; what the context says.
    mutating func permit<Result: Sendable>(
        _ operation: ProtectedOperation, on items: [FoundItem], _ request: (any Transport) throws -> Result
    ) throws -> Result {
        rounds += items.count
        guard rounds <= Self.limit else { throw StatusError(errSecAuthFailed) }
        let passcode = try context.passcode(prompt, mayAsk: mayAsk)
        do {
            return try link.withTransport { transport in
                for item in items {
                    let claim = PresenceClaim(
                        passcode: try passcode.copy(), connection: 0, item: item.reference.item,
                        operation: operation.rawValue)
                    try transport.perform(.provePresence(claim))
                }
                return try request(transport)
            }
        } catch let error as KeychainError where error.reason == .wrongPasscode {
            // A second try with the same would only cost another of the owner's ten.
            context.forgetPasscode()
            throw error
        }
    }
}
