import CSystemd
import Linux

/// A connection to a message bus, by sd-bus(3): the one file here that handles pointers.
///
/// There are no callbacks: calls are sent with ``send(_:)``, and what arrives is taken with ``nextMessage(from:)``.
/// Only one thread may use a connection.
@safe package final class SystemBus {
    /// The longest text that we take from a message, in bytes.
    private static let longestText = 4096
    /// Where the system bus is on every machine (D-Bus specification, "Well-known Message Bus Instances").
    package static let systemAddress = "unix:path=/run/dbus/system_bus_socket"
    private let bus: OpaquePointer

    /// Begins to connect, and doesn't wait for it.
    ///
    /// - Parameters:
    ///   - address: as the D-Bus specification writes it. The environment is not asked: whoever may set it would choose
    ///     who answers.
    ///   - takesDescriptors: whether messages may carry descriptors.
    package init(address: String, takesDescriptors: Bool = false) throws(BusError) {
        var made: OpaquePointer?
        guard unsafe sd_bus_new(&made) >= 0, let bus = unsafe made else { throw .unavailable }
        unsafe self.bus = bus
        let isStarted =
            unsafe sd_bus_set_address(bus, address) >= 0 && sd_bus_set_bus_client(bus, 1) >= 0
            && sd_bus_negotiate_fds(bus, takesDescriptors ? 1 : 0) >= 0 && sd_bus_start(bus) >= 0
        guard isStarted else { throw .unavailable }
    }

    deinit { unsafe sd_bus_close_unref(bus) }

    /// What poll(2) is to wait for.
    package func interest() throws(BusError) -> BusInterest {
        let (descriptor, events) = unsafe (sd_bus_get_fd(bus), sd_bus_get_events(bus))
        var microseconds = UInt64.max
        guard descriptor >= 0, events >= 0, unsafe sd_bus_get_timeout(bus, &microseconds) >= 0 else {
            throw .unavailable
        }
        let wanted = DescriptorInterest(descriptor, pollEvents: events)
        var interest = BusInterest(descriptor: descriptor, reading: wanted.reading, writing: wanted.writing)
        // The time is absolute, of CLOCK_MONOTONIC (sd_bus_get_timeout(3)).
        if microseconds != .max {
            let now = SystemClock.monotonicNanoseconds() / 1000
            interest.milliseconds = microseconds > now ? Int(clamping: (microseconds - now) / 1000 + 1) : 0
        }
        return interest
    }

    /// Sends a call, or queues it.
    ///
    /// - Returns: the cookie that its reply will name.
    package func send(_ call: BusCall) throws(BusError) -> UInt64 {
        var made: OpaquePointer?
        let result = unsafe sd_bus_message_new_method_call(
            bus, &made, call.destination, call.path, call.interface, call.member)
        guard result >= 0, let message = unsafe made else { throw .callFailed }
        defer { unsafe sd_bus_message_unref(message) }
        for argument in call.arguments {
            let result =
                switch argument {
                case .text(let text): unsafe sd_bus_message_append_basic(message, Self.text, text)
                case .number(var number): unsafe sd_bus_message_append_basic(message, Self.number, &number)
                case .signedNumber(var number):
                    unsafe sd_bus_message_append_basic(message, Self.signedNumber, &number)
                case .texts(let texts): unsafe Self.append(texts, to: message)
                case .noValues: unsafe Self.appendNoValues(to: message)
                }
            guard result >= 0 else { throw .callFailed }
        }
        var cookie: UInt64 = 0
        guard unsafe sd_bus_send(bus, message, &cookie) >= 0 else { throw .unavailable }
        return cookie
    }

    /// The next message that one of `senders` sent; nil when there is none now.
    ///
    /// Anybody on the bus may send a signal to anybody, so everything from others is dropped unread.
    ///
    /// - Parameters:
    ///   - senders: unique names; nil for anybody, where what is said can do no harm.
    ///   - steps: how many messages may be looked at; when it comes to 0, there may be more.
    package func nextMessage(from senders: [String]?, steps: inout Int) throws(BusError) -> BusMessage? {
        while steps > 0 {
            steps -= 1
            var arrived: OpaquePointer?
            let result = unsafe sd_bus_process(bus, &arrived)
            guard result >= 0 else { throw .unavailable }
            guard let message = unsafe arrived else {
                if result == 0 { return nil }
                continue
            }
            defer { unsafe sd_bus_message_unref(message) }
            guard let sender = unsafe Self.string(sd_bus_message_get_sender(message)),
                senders?.contains(sender) ?? true, let content = unsafe Self.content(message)
            else { continue }
            return BusMessage(sender: sender, content: content)
        }
        return nil
    }

    private static let text = CChar(UInt8(ascii: "s"))
    private static let number = CChar(UInt8(ascii: "u"))
    private static let signedNumber = CChar(UInt8(ascii: "i"))
    private static let array = CChar(UInt8(ascii: "a"))

    private static func append(_ texts: [String], to message: OpaquePointer) -> Int32 {
        guard unsafe sd_bus_message_open_container(message, array, "s") >= 0 else { return -1 }
        for text in texts where unsafe sd_bus_message_append_basic(message, Self.text, text) < 0 { return -1 }
        return unsafe sd_bus_message_close_container(message)
    }

    private static func appendNoValues(to message: OpaquePointer) -> Int32 {
        guard unsafe sd_bus_message_open_container(message, array, "{sv}") >= 0 else { return -1 }
        return unsafe sd_bus_message_close_container(message)
    }

    /// Nil for what nobody here waits for: calls, and bodies of other types.
    private static func content(_ message: OpaquePointer) -> BusMessage.Content? {
        var (type, cookie) = (UInt8(0), UInt64(0))
        guard unsafe sd_bus_message_get_type(message, &type) >= 0 else { return nil }
        switch type {
        case 2:  // METHOD_RETURN in the D-Bus specification
            guard unsafe sd_bus_message_get_reply_cookie(message, &cookie) >= 0, let body = unsafe BusBody.read(message)
            else {
                return nil
            }
            return .reply(cookie, body)
        case 3:  // ERROR
            guard unsafe sd_bus_message_get_reply_cookie(message, &cookie) >= 0,
                let error = unsafe sd_bus_message_get_error(message), let name = unsafe string(error.pointee.name)
            else { return nil }
            return .failure(cookie, name: name)
        case 4:  // SIGNAL
            guard let interface = unsafe string(sd_bus_message_get_interface(message)),
                let member = unsafe string(sd_bus_message_get_member(message)),
                let path = unsafe string(sd_bus_message_get_path(message)), let body = unsafe BusBody.read(message)
            else { return nil }
            return .signal(interface: interface, member: member, path: path, body)
        default: return nil
        }
    }

    static func string(_ pointer: UnsafePointer<CChar>?) -> String? {
        guard let pointer = unsafe pointer else { return nil }
        var length = 0
        while unsafe pointer[length] != 0 {
            length += 1
            if length > longestText { return nil }
        }
        return unsafe String(cString: pointer)
    }
}

/// What an event loop is to wait for with poll(2).
package struct BusInterest: Equatable, Sendable {
    /// The descriptor; it belongs to the conversation.
    package let descriptor: Int32
    /// Whether to wait until it can be read.
    package let reading: Bool
    /// Whether to wait until it can be written.
    package let writing: Bool
    /// The longest wait; nil for any.
    package var milliseconds: Int?
}
