public import Foundation

// Implicitly unwrapped, as Apple's headers import: code writes both `kCFBooleanTrue` and `kCFBooleanTrue!`.

// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// True, as an object.
public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)

// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// False, as an object.
public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)

// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// The allocator that everybody passes; nil, as on Apple's platforms.
public let kCFAllocatorDefault: CFAllocator! = nil

// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// The key of the bundle identifier in an `Info.plist`.
@safe nonisolated(unsafe) public let kCFBundleIdentifierKey: CFString! = "CFBundleIdentifier" as NSString
