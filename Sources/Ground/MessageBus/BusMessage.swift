import Linux

/// A method call that is to be sent.
package struct BusCall: Equatable, Sendable {
    /// A value that goes with a call, of the few types that we ever send.
    package enum Argument: Equatable, Sendable {
        case text(String)
        case number(UInt32)
        case signedNumber(Int32)
        case texts([String])
        /// A table of named values, `a{sv}`, without any.
        case noValues
    }

    /// The service, by its well-known name.
    package let destination: String
    /// The object in it.
    package let path: String
    /// Whose method it is.
    package let interface: String
    /// The method.
    package let member: String
    /// In the method's order.
    package let arguments: [Argument]

    /// - Parameter destination: a well-known name, such as `org.freedesktop.login1`.
    package init(
        destination: String, path: String, interface: String, member: String, arguments: [Argument] = []
    ) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }

    /// A call to the bus itself.
    package static func toBus(_ member: String, _ arguments: [Argument]) -> BusCall {
        BusCall(
            destination: BusName.bus, path: "/org/freedesktop/DBus", interface: BusName.bus, member: member,
            arguments: arguments)
    }
}

/// Names of the bus itself, by which it is both asked and answers.
package enum BusName {
    /// Its service, its interface and the sender of its signals.
    package static let bus = "org.freedesktop.DBus"
}

/// A value in the body of a message, of the few types that we are ever sent; a variant is what it holds.
package enum BusValue: Equatable, Sendable {
    case text(String)
    case number(UInt32)
    case wideNumber(UInt64)
    case flag(Bool)
    case texts([String])
    case descriptor(BusDescriptor)
    /// A structure, or an array of anything but texts and named values.
    case list([BusValue])
    /// Values by name, `a{sv}` in the specification.
    case table([String: BusValue])
    /// Of a type that nobody here asks for.
    case other
}

/// An open file that came with a message; closed when nobody has it any more.
package final class BusDescriptor: Equatable, Sendable {
    private let descriptor: FileDescriptor

    init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

    /// Whether they are one open file; what is in it is not looked at.
    package static func == (left: BusDescriptor, right: BusDescriptor) -> Bool { left === right }
}

/// A message that arrived, from a sender that was asked for.
package struct BusMessage: Equatable, Sendable {
    /// What the message is.
    package enum Content: Equatable, Sendable {
        /// The answer to the call of this cookie.
        case reply(UInt64, [BusValue])
        /// The call of this cookie failed, with the error of this name.
        case failure(UInt64, name: String)
        case signal(interface: String, member: String, path: String, [BusValue])
    }

    /// The unique name of the connection that sent it, which the bus vouches for.
    package let sender: String
    /// What the message is.
    package let content: Content
}
