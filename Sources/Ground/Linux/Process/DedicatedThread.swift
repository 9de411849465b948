import CLinux
import Glibc
import Synchronization

/// A serial executor that owns one thread: what an actor on it opens lies on that thread's stack, and is wiped from it
/// as soon as there is nothing more to do.
///
/// Blocking calls are fine on it; on the shared pool of Swift's concurrency they are not.
@safe package final class DedicatedThread: SerialExecutor {
    private let inbox = Inbox()

    /// Starts the thread, which waits for the first job.
    ///
    /// - Throws: `LinuxError` where the kernel grants none.
    package init() throws(LinuxError) {
        var thread = pthread_t()
        let argument = unsafe Unmanaged.passRetained(inbox)
        let result = unsafe pthread_create(
            &thread, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<Inbox>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, argument.toOpaque())
        guard result == 0 else {
            unsafe argument.release()
            throw LinuxError(call: "pthread_create", code: result)
        }
        pthread_detach(thread)
    }

    deinit { inbox.end() }

    /// Runs behind all jobs that were handed in before.
    package func enqueue(_ job: consuming ExecutorJob) {
        unsafe inbox.append(UnownedJob(job), for: asUnownedSerialExecutor())
    }
}

/// What the thread and its owner share; it outlives whichever goes first.
///
/// A job keeps its actor alive, and the actor its executor.
@safe private final class Inbox: @unchecked Sendable {
    @safe private struct State {
        var queue: [(job: UnownedJob, executor: UnownedSerialExecutor)]
        var hasEnded = false
    }

    private let state = Mutex(unsafe State(queue: []))
    private let signal: UnsafeMutablePointer<sem_t>

    init() {
        unsafe signal = .allocate(capacity: 1)
        unsafe sem_init(signal, 0, 0)
    }

    deinit {
        unsafe sem_destroy(signal)
        unsafe signal.deallocate()
    }

    func append(_ job: UnownedJob, for executor: UnownedSerialExecutor) {
        state.withLock { unsafe $0.queue.append((job: job, executor: executor)) }
        unsafe sem_post(signal)
    }

    func end() {
        state.withLock { $0.hasEnded = true }
        unsafe sem_post(signal)
    }

    func run() {
        while true {
            while unsafe sem_wait(signal) != 0 {}
            let next = unsafe state.withLock { state in
                unsafe state.queue.isEmpty ? nil : state.queue.removeFirst()
            }
            if let next = unsafe next { unsafe next.job.runSynchronously(on: next.executor) }
            let (isIdle, hasEnded) = state.withLock { (unsafe $0.queue.isEmpty, $0.hasEnded) }
            if isIdle { cl_wipe_stack() }
            if isIdle && hasEnded { return }
        }
    }
}
