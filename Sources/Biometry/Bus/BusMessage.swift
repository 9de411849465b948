/// A method call that is to be sent.
struct BusCall: Equatable, Sendable {
    enum Argument: Equatable, Sendable {
        case text(String)
        case number(UInt32)
    }

    let destination: String
    let path: String
    let interface: String
    let member: String
    var arguments: [Argument] = []

    /// A call to the bus itself.
    static func toBus(_ member: String, _ arguments: [Argument]) -> BusCall {
        BusCall(
            destination: BusName.bus, path: "/org/freedesktop/DBus", interface: BusName.bus, member: member,
            arguments: arguments)
    }
}

enum BusName {
    static let bus = "org.freedesktop.DBus"
}

/// A value in the body of a message, of the few types that we are ever sent.
enum BusValue: Equatable, Sendable {
    case text(String)
    case number(UInt32)
    case flag(Bool)
    case texts([String])
}

/// A message that arrived, from a sender that was asked for.
struct BusMessage: Equatable, Sendable {
    enum Content: Equatable, Sendable {
        /// The answer to the call of this cookie.
        case reply(UInt64, [BusValue])
        /// The call of this cookie failed, with the error of this name.
        case failure(UInt64, name: String)
        case signal(interface: String, member: String, path: String, [BusValue])
    }

    let sender: String
    let content: Content
}
