import TresorCoreFoundation
import Foundation
import Wire

extension AttributeValue {
    /// What a dictionary holds, as the keychain takes it; nil for what it does not take at all.
    ///
    /// Which attribute takes which of these is the schema's business.
    init?(_ object: AnyObject) {
        switch object {
        case let text as NSString: self = .string(String(text))
        case let data as NSData: self = .data([UInt8](Data(referencing: data)))
        case let date as NSDate: self = .date(Self.microseconds(date))
        case let number as NSNumber:
            guard let integer = Self.integer(number) else { return nil }
            self = .number(integer)
        default: return nil
        }
    }

    /// What a result's dictionary holds.
    var object: AnyObject {
        switch self {
        case .string(let text): text as NSString
        case .data(let bytes): Data(bytes) as NSData
        case .number(let number): NSNumber(value: number)
        case .date(let microseconds): NSDate(timeIntervalSince1970: Double(microseconds) / 1_000_000)
        }
    }

    /// The size that the wire limits.
    var byteCount: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .data(let bytes): bytes.count
        case .number, .date: 8
        }
    }

    /// A number without a fraction that 64 signed bits hold; true is 1.
    private static func integer(_ number: NSNumber) -> Int64? {
        if let boolean = number.asBoolean { return boolean ? 1 : 0 }
        return Int64(exactly: number)
    }

    /// Rounded: a date has a little more precision than the keychain keeps, and must find its item again.
    private static func microseconds(_ date: NSDate) -> Int64 {
        let exact = (date.timeIntervalSince1970 * 1_000_000).rounded()
        return Int64(exactly: exact) ?? (exact < 0 ? .min : .max)
    }
}

extension NSNumber {
    /// Whether this is one of the two booleans; a number 1 is none.
    var asBoolean: Bool? {
        if self === kCFBooleanTrue { return true }
        if self === kCFBooleanFalse { return false }
        return nil
    }
}
