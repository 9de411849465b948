import Foundation

/// How often a test does again what it does: a few times in `make test`, many times in `make soak`.
///
/// ```swift
/// for _ in 0..<Thoroughness.count(200, soak: 3000) { try read(mutated()) }
/// ```
///
/// A quick count covers each kind of what is tried. packaging/tests.py finds the suites that use this type by its name,
/// and `make soak` runs them.
public enum Thoroughness {
    /// Whether `TRESOR_SOAK` is set, as `make soak` does.
    public static let isSoak = ProcessInfo.processInfo.environment["TRESOR_SOAK"] != nil

    /// The count that this run is to take.
    ///
    /// - Parameters:
    ///   - quick: where nothing else is asked for.
    ///   - soak: where `TRESOR_SOAK` is set.
    ///   - variable: one of the environment that names another number for this test alone.
    public static func count(_ quick: Int, soak: Int, orBy variable: String? = nil) -> Int {
        let asked = variable.flatMap { ProcessInfo.processInfo.environment[$0] }.flatMap { Int($0) }
        return asked ?? (isSoak ? soak : quick)
    }
}
