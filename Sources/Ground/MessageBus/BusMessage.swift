import Linux

/// A method call that is to be sent.
package struct BusCall: Equatable, Sendable {
    package enum Argument: Equatable, Sendable {
        case text(String)
        case number(UInt32)
        case signedNumber(Int32)
        case texts([String])
        /// A table of named values, `a{sv}`, without any.
        case noValues
    }

    package let destination: String
    package let path: String
    package let interface: String
    package let member: String
    package let arguments: [Argument]

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

package enum BusName {
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

    package static func == (left: BusDescriptor, right: BusDescriptor) -> Bool { left === right }
}

/// A message that arrived, from a sender that was asked for.
package struct BusMessage: Equatable, Sendable {
    package enum Content: Equatable, Sendable {
        /// The answer to the call of this cookie.
        case reply(UInt64, [BusValue])
        /// The call of this cookie failed, with the error of this name.
        case failure(UInt64, name: String)
        case signal(interface: String, member: String, path: String, [BusValue])
    }

    package let sender: String
    package let content: Content
}
