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
        // POLLIN and POLLOUT of poll(2); the time is absolute, of CLOCK_MONOTONIC (sd_bus_get_timeout(3)).
        var interest = BusInterest(descriptor: descriptor, reading: events & 1 != 0, writing: events & 4 != 0)
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
    /// - Parameter steps: how many messages may be looked at; when it comes to 0, there may be more.
    package func nextMessage(from senders: [String], steps: inout Int) throws(BusError) -> BusMessage? {
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
            guard let sender = unsafe Self.string(sd_bus_message_get_sender(message)), senders.contains(sender),
                let content = unsafe Self.content(message)
            else { continue }
            return BusMessage(sender: sender, content: content)
        }
        return nil
    }

    private static let text = CChar(UInt8(ascii: "s"))
    private static let path = CChar(UInt8(ascii: "o"))
    private static let number = CChar(UInt8(ascii: "u"))
    private static let flag = CChar(UInt8(ascii: "b"))
    private static let array = CChar(UInt8(ascii: "a"))
    private static let descriptor = CChar(UInt8(ascii: "h"))

    /// Nil for what nobody here waits for: calls, and bodies of other types.
    private static func content(_ message: OpaquePointer) -> BusMessage.Content? {
        var (type, cookie) = (UInt8(0), UInt64(0))
        guard unsafe sd_bus_message_get_type(message, &type) >= 0 else { return nil }
        switch type {
        case 2:  // METHOD_RETURN in the D-Bus specification
            guard unsafe sd_bus_message_get_reply_cookie(message, &cookie) >= 0, let body = unsafe body(message) else {
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
                let path = unsafe string(sd_bus_message_get_path(message)), let body = unsafe body(message)
            else { return nil }
            return .signal(interface: interface, member: member, path: path, body)
        default: return nil
        }
    }

    /// At most eight values; nil when there are more, or of other types than ours.
    private static func body(_ message: OpaquePointer) -> [BusValue]? {
        var values: [BusValue] = []
        while values.count <= 8 {
            var type: CChar = 0
            var contents: UnsafePointer<CChar>?
            let result = unsafe sd_bus_message_peek_type(message, &type, &contents)
            if result == 0 { return values }
            guard result > 0, let value = unsafe value(message, type, elements: string(contents)) else { return nil }
            values.append(value)
        }
        return nil
    }

    private static func value(_ message: OpaquePointer, _ type: CChar, elements: String?) -> BusValue? {
        switch type {
        case text, path: return unsafe readText(message, type).map(BusValue.text)
        case number:
            var number: UInt32 = 0
            return unsafe sd_bus_message_read_basic(message, type, &number) > 0 ? .number(number) : nil
        case flag:
            // sd-bus gives a boolean as an int.
            var flag: Int32 = 0
            return unsafe sd_bus_message_read_basic(message, type, &flag) > 0 ? .flag(flag != 0) : nil
        case descriptor:
            // The message's own, which is closed with it.
            var borrowed: Int32 = -1
            guard unsafe sd_bus_message_read_basic(message, type, &borrowed) > 0,
                let copy = try? FileDescriptor.copying(borrowed)
            else { return nil }
            return .descriptor(BusDescriptor(copy))
        case array where elements == "s":
            guard unsafe sd_bus_message_enter_container(message, array, "s") > 0 else { return nil }
            var texts: [String] = []
            while unsafe sd_bus_message_at_end(message, 0) == 0 {
                guard texts.count < 64, let element = unsafe readText(message, text) else { return nil }
                texts.append(element)
            }
            return unsafe sd_bus_message_exit_container(message) >= 0 ? .texts(texts) : nil
        default: return nil
        }
    }

    private static func readText(_ message: OpaquePointer, _ type: CChar) -> String? {
        var pointer: UnsafePointer<CChar>?
        guard
            unsafe withUnsafeMutablePointer(
                to: &pointer, { unsafe sd_bus_message_read_basic(message, type, UnsafeMutableRawPointer($0)) }) > 0
        else { return nil }
        return unsafe string(pointer)
    }

    private static func string(_ pointer: UnsafePointer<CChar>?) -> String? {
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
