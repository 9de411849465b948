public import Foundation

// In swift-corelibs-foundation 6.3.1 `AnyHashable("a")` and `AnyHashable("a" as NSString)` differ, and a dictionary
// written with one is not read with the other. Apple's NSString says this of itself; the requirement has an
// underscore, so a test keeps an eye on it.
extension NSString: @retroactive _HasCustomAnyHashableRepresentation {
    // swift-format-ignore: NoLeadingUnderscores
    /// The string as a Swift string, which is how it compares and hashes inside an `AnyHashable`.
    public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(String(self)) }
}
