import CSystemd
import Linux

/// Reads the body of a message, of whatever sender: few values, not deep, and of no other types than ours.
enum BusBody {
    /// Values in one message, or in one container of it.
    private static let mostValues = 256
    private static let deepest = 5

    private static let text = CChar(UInt8(ascii: "s"))
    private static let path = CChar(UInt8(ascii: "o"))
    private static let number = CChar(UInt8(ascii: "u"))
    private static let wideNumber = CChar(UInt8(ascii: "t"))
    private static let flag = CChar(UInt8(ascii: "b"))
    private static let descriptor = CChar(UInt8(ascii: "h"))
    private static let array = CChar(UInt8(ascii: "a"))
    private static let variant = CChar(UInt8(ascii: "v"))
    private static let structure = CChar(UInt8(ascii: "r"))
    private static let entry = CChar(UInt8(ascii: "e"))
    private static let named = "{sv}"

    /// The values of a body; nil where there are too many, or one cannot be read.
    static func read(_ message: OpaquePointer) -> [BusValue]? { unsafe values(message, depth: 0) }

    /// What stands in the container that is entered, to its end.
    private static func values(_ message: OpaquePointer, depth: Int) -> [BusValue]? {
        var values: [BusValue] = []
        while values.count <= mostValues {
            var type: CChar = 0
            var contents: UnsafePointer<CChar>?
            let result = unsafe sd_bus_message_peek_type(message, &type, &contents)
            if result == 0 { return values }
            guard result > 0, let value = unsafe value(message, type, SystemBus.string(contents), depth) else {
                return nil
            }
            values.append(value)
        }
        return nil
    }

    private static func value(
        _ message: OpaquePointer, _ type: CChar, _ contents: String?, _ depth: Int
    ) -> BusValue? {
        switch type {
        case text, path: return unsafe readText(message, type).map(BusValue.text)
        case number:
            var number: UInt32 = 0
            return unsafe sd_bus_message_read_basic(message, type, &number) > 0 ? .number(number) : nil
        case wideNumber:
            var number: UInt64 = 0
            return unsafe sd_bus_message_read_basic(message, type, &number) > 0 ? .wideNumber(number) : nil
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
        case array, structure, variant:
            guard let contents, depth < deepest else { return nil }
            return unsafe container(message, type, contents, depth)
        default:
            // One complete value of any other type (sd_bus_message_skip(3)).
            return unsafe sd_bus_message_skip(message, nil) >= 0 ? .other : nil
        }
    }

    private static func container(
        _ message: OpaquePointer, _ type: CChar, _ contents: String, _ depth: Int
    ) -> BusValue? {
        guard unsafe sd_bus_message_enter_container(message, type, contents) > 0 else { return nil }
        let value: BusValue?
        switch (type, contents) {
        case (array, named): value = unsafe table(message, depth).map(BusValue.table)
        case (array, "s"):
            value = unsafe values(message, depth: depth + 1).map { values in
                .texts(values.compactMap { if case .text(let text) = $0 { text } else { nil } })
            }
        case (variant, _): value = unsafe values(message, depth: depth + 1)?.first
        default: value = unsafe values(message, depth: depth + 1).map(BusValue.list)
        }
        guard let value, unsafe sd_bus_message_exit_container(message) >= 0 else { return nil }
        return value
    }

    private static func table(_ message: OpaquePointer, _ depth: Int) -> [String: BusValue]? {
        var table: [String: BusValue] = [:]
        while unsafe sd_bus_message_at_end(message, 0) == 0 {
            guard table.count < mostValues, unsafe sd_bus_message_enter_container(message, entry, "sv") > 0,
                let pair = unsafe values(message, depth: depth + 1), pair.count == 2, case .text(let name) = pair[0],
                unsafe sd_bus_message_exit_container(message) >= 0
            else { return nil }
            table[name] = pair[1]
        }
        return table
    }

    private static func readText(_ message: OpaquePointer, _ type: CChar) -> String? {
        var pointer: UnsafePointer<CChar>?
        guard
            unsafe withUnsafeMutablePointer(
                to: &pointer, { unsafe sd_bus_message_read_basic(message, type, UnsafeMutableRawPointer($0)) }) > 0
        else { return nil }
        return unsafe SystemBus.string(pointer)
    }
}
