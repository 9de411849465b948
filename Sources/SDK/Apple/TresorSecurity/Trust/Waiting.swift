import Foundation
import Synchronization

/// Waits for what has to be asynchronous, in a call that Apple made synchronous.
///
/// The work runs on a thread of its own. On the threads that tasks share it might never begin: who waits here may hold
/// the last of them.
func waitFor<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) -> Result {
    let outcome = Outcome<Result>()
    Task(executorPreference: OwnThread()) { outcome.set(await body()) }
    return outcome.wait()
}

/// A result that one thread leaves and another waits for.
private final class Outcome<Result: Sendable>: Sendable {
    private let value = Mutex<Result?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    func set(_ result: Result) {
        value.withLock { $0 = result }
        isThere.signal()
    }

    func wait() -> Result {
        while true {
            isThere.wait()
            if let result = value.withLock({ $0 }) { return result }
        }
    }
}

/// Runs a task's parts one after the other, outside of the pool.
private final class OwnThread: TaskExecutor {
    private let queue = DispatchQueue(label: "tresor.trust")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
