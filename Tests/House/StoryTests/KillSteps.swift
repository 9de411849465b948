import Foundation

/// The steps of a change on its way to the disk, at each of which a program may be killed.
///
/// A counter of strace's is of one call: with several calls in one injection, the first of them that comes so often would
/// hide all that follow it, a rename that comes once above all.
struct KillSteps {
    /// Every so many of the calls that are made often, another one each time; every one with `TRESOR_KILLS`.
    let stride: Int

    /// The calls at which it is killed.
    private let calls: [String]

    /// - Parameter calls: those that are made at all; each other one costs a round in which nothing is killed.
    init(every stride: Int, calls: [String] = Self.frequent + Self.rare) {
        self.calls = calls
        self.stride = ProcessInfo.processInfo.environment["TRESOR_KILLS"] == nil ? stride : 1
    }

    static let frequent = ["pwrite64", "fdatasync", "fsync"]
    static let rare = ["rename", "renameat", "renameat2", "ftruncate", "unlink", "unlinkat"]

    /// Calls `body` with each step, until it says that the step was not taken.
    ///
    /// - Parameters:
    ///   - most: of one call.
    ///   - body: gets what strace is to be told, and a name of the step.
    /// - Returns: how often it was killed.
    @discardableResult
    func each(most: Int = 400, _ body: (_ injection: String, _ step: String) throws -> Bool) rethrows -> Int {
        var count = 0
        for call in calls {
            let every = Self.frequent.contains(call) ? stride : 1
            for number in Swift.stride(from: Int.random(in: 1...every), to: most, by: every) {
                guard try body("\(call):signal=KILL:when=\(number)", "\(call) \(number)") else { break }
                count += 1
            }
        }
        return count
    }
}
