public import Foundation

// Core Foundation's names for Foundation's classes.
//
// Code for Apple's keychain says CFDictionary and CFString. On Linux there is no toll-free bridging to speak of: what
// swift-corelibs keeps under these names is private to Foundation. So the names mean the classes themselves, and
// `query as CFDictionary` is the bridging that Foundation has anyway.

/// Any object: what a keychain call returns (Apple: `CFTypeRef`).
public typealias CFTypeRef = AnyObject
/// A string.
public typealias CFString = NSString
/// A string that can change.
public typealias CFMutableString = NSMutableString
/// Bytes.
public typealias CFData = NSData
/// Bytes that can change.
public typealias CFMutableData = NSMutableData
/// A dictionary: what a keychain call takes.
public typealias CFDictionary = NSDictionary
/// A dictionary that can change.
public typealias CFMutableDictionary = NSMutableDictionary
/// An array.
public typealias CFArray = NSArray
/// An array that can change.
public typealias CFMutableArray = NSMutableArray
/// A set.
public typealias CFSet = NSSet
/// A number.
public typealias CFNumber = NSNumber
/// A number that is true or false; ``kCFBooleanTrue`` and ``kCFBooleanFalse`` are the only two.
public typealias CFBoolean = NSNumber
/// A point in time.
public typealias CFDate = NSDate
/// An address.
public typealias CFURL = NSURL
/// An error with domain, code and user info.
public typealias CFError = NSError

/// A count or position.
public typealias CFIndex = Int
/// A set of bits.
public typealias CFOptionFlags = UInt
/// Seconds.
public typealias CFTimeInterval = Double
/// Seconds since 2001-01-01 00:00 UTC.
public typealias CFAbsoluteTime = Double

/// How Apple's older interfaces say whether they succeeded: 0 is success.
public typealias OSStatus = Int32

/// Success.
public let noErr: OSStatus = 0

/// A source of memory.
///
/// Swift needs none; code passes ``kCFAllocatorDefault`` where a parameter asks for one, and nothing can be made.
public final class CFAllocator: NSObject, Sendable {
    private override init() {}
}
