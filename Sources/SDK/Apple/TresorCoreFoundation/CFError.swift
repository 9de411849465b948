public import Foundation

// Core Foundation's functions over an error, for code that unpacks what `SecAccessControlCreateWithFlags` and its kin
// return. Results are implicitly unwrapped, as Apple's headers import.

/// What an error's code is a number of.
public typealias CFErrorDomain = CFString

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain that the error's code belongs to, such as `NSOSStatusErrorDomain`.
public func CFErrorGetDomain(_ error: CFError) -> CFErrorDomain! { error.domain as NSString }

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The error's code within its domain.
public func CFErrorGetCode(_ error: CFError) -> CFIndex { error.code }

// swift-format-ignore: AlwaysUseLowerCamelCase
/// What the error says beside its code; empty, never nil.
public func CFErrorCopyUserInfo(_ error: CFError) -> CFDictionary! { error.userInfo as NSDictionary }

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The error as a sentence for a person.
public func CFErrorCopyDescription(_ error: CFError) -> CFString! { error.localizedDescription as NSString }
