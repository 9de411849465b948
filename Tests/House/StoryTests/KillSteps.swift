import Foundation
import Thoroughness

/// The steps of a change on its way to the disk, at each of which a program may be killed.
///
/// A counter of strace's is of one call: with several calls in one injection, the first of them that comes so often would
/// hide all that follow it, a rename that comes once above all.
struct KillSteps {
    /// Every so many of the calls that are made often, another one each time; every one with `TRESOR_KILLS`.
    let stride: Int

    /// The calls at which it is killed.
    private let calls: [String]

    /// Where the first of the calls that are made often lies.
    private let firsts: ClosedRange<Int>

    /// Each other call ends a program once, at the first of its kind.
    private let isQuick: Bool

    /// - Parameters:
    ///   - stride: in `make soak`; else a third of these steps are taken.
    ///   - calls: those that are made at all; each other one costs a round in which nothing is killed.
    init(every stride: Int, calls: [String]? = nil) {
        let isEach = ProcessInfo.processInfo.environment["TRESOR_KILLS"] != nil
        isQuick = !isEach && !Thoroughness.isSoak
        self.stride = isEach ? 1 : isQuick ? 3 * stride : stride
        firsts = 1...(isQuick ? max(1, stride / 2) : self.stride)
        self.calls = calls ?? Self.frequent + (isQuick ? Self.kinds : Self.rare)
    }

    static let frequent = ["pwrite64", "fdatasync", "fsync"]
    static let rare = ["rename", "renameat", "renameat2", "ftruncate", "unlink", "unlinkat"]
    /// The same, calls of one kind together.
    private static let kinds = ["rename,renameat,renameat2", "ftruncate", "unlink,unlinkat"]

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
            let isFrequent = Self.frequent.contains(call)
            let every = isFrequent ? stride : 1
            let first = isFrequent ? Int.random(in: firsts) : 1
            for number in Swift.stride(from: first, to: isFrequent || !isQuick ? most : 2, by: every) {
                guard try body("\(call):signal=KILL:when=\(number)", "\(call) \(number)") else { break }
                count += 1
            }
        }
        return count
    }
}
