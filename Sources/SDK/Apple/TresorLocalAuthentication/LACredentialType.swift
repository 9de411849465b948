/// What a program gives a context, so that nobody has to be asked for it.
public enum LACredentialType: Int, Sendable {
    /// The password of items with the access control `applicationPassword`.
    case applicationPassword = 0
    /// The PIN of a smart card, of which there are none here.
    case smartCardPIN = -3
}
