package import Linux

/// Decoders side by side, a few at a time, for a program with one thread and a loop of its own.
///
///     pool.submit(.thumbnail, of: source) { result in … }
///     // in the loop:
///     pool.add(to: &poll)
///     try poll.wait(milliseconds: pool.patience)
///     pool.advance(poll)
///
/// What waits in the queue is a ``ImageSource``, which need hold no bytes.
package final class ImagePool {
    /// Names what was submitted.
    package struct Ticket: Hashable, Sendable { fileprivate let number: Int }

    private struct Order {
        let ticket: Ticket
        let job: ImageJob
        let source: ImageSource
        let whenDone: (Result<ImageAnswer, ImageError>) -> Void
    }

    private struct Running {
        let ticket: Ticket
        let run: ImageRun
        let whenDone: (Result<ImageAnswer, ImageError>) -> Void
    }

    private let program: String
    private let limit: Int
    private var waiting: [Order] = []
    private var running: [Running] = []
    private var nextNumber = 0
    /// Kept while there is something to do, and a while longer.
    ///
    /// To load the libraries anew for each photo that comes costs as much as to look at it. Runs keep theirs to their
    /// end.
    private(set) var server: DecoderServer?
    /// Since when there has been nothing to do, in nanoseconds of the monotonic clock.
    private var idleSince: UInt64?
    /// How long the server is kept then, in nanoseconds.
    private let linger: UInt64

    /// - Parameters:
    ///   - program: the path of `tresor-thumb`.
    ///   - limit: how many run at once, at least 1.
    ///   - linger: how long a server without work is kept, in milliseconds; seen to at each ``advance(_:)``.
    package init(program: String, limit: Int, linger: Int = 5000) {
        self.program = program
        self.linger = UInt64(max(0, linger)) * 1_000_000
        self.limit = max(1, limit)
    }

    /// How many have not been answered.
    package var count: Int { waiting.count + running.count }

    /// Takes an image; `whenDone` is called once, from ``advance(_:)``, unless the ticket is cancelled.
    @discardableResult
    package func submit(
        _ job: ImageJob, of source: ImageSource, whenDone: @escaping (Result<ImageAnswer, ImageError>) -> Void
    ) -> Ticket {
        nextNumber += 1
        let ticket = Ticket(number: nextNumber)
        waiting.append(Order(ticket: ticket, job: job, source: source, whenDone: whenDone))
        return ticket
    }

    /// Forgets it, and kills its process.
    package func cancel(_ ticket: Ticket) {
        waiting.removeAll { $0.ticket == ticket }
        running.removeAll { $0.ticket == ticket }
    }

    /// Forgets all, and kills their processes: at a lock, say.
    package func cancelAll() {
        waiting = []
        running = []
        server = nil
    }

    /// How long to wait at most, in milliseconds; nil when there is nothing to wait for.
    package var patience: Int? {
        if !waiting.isEmpty && running.count < limit { return 0 }
        return running.map(\.run.patience).min()
    }

    /// Adds what is waited for.
    package func add(to poll: inout Poll) { for entry in running { entry.run.add(to: &poll) } }

    /// Moves on what can be moved, calls those whose images are done, and starts the next.
    ///
    /// - Parameter poll: after it has waited; the one that ``add(to:)`` was given last.
    package func advance(_ poll: Poll) {
        var done: [() -> Void] = []
        var left: [Running] = []
        for entry in running {
            if let result = Self.advance(entry.run, poll) {
                done.append { entry.whenDone(result) }
            } else {
                left.append(entry)
            }
        }
        running = left
        startWaiting(&done)
        endIdleServer()
        for call in done { call() }
    }

    private func endIdleServer() {
        guard count == 0, server != nil else { return idleSince = nil }
        let now = SystemClock.monotonicNanoseconds()
        let since = idleSince ?? now
        idleSince = since
        if now - since >= linger { server = nil }
    }

    private func startWaiting(_ done: inout [() -> Void]) {
        while running.count < limit, !waiting.isEmpty {
            let order = waiting.removeFirst()
            do throws(ImageError) {
                let run = try ImageRun(order.job, of: order.source, server: readyServer())
                running.append(Running(ticket: order.ticket, run: run, whenDone: order.whenDone))
            } catch .refused(let refusal) {
                done.append { order.whenDone(.success(.refused(refusal))) }
            } catch { done.append { order.whenDone(.failure(error)) } }
        }
    }

    /// A fresh one when the last has no slot left: few images share a layout of memory.
    private func readyServer() throws(ImageError) -> DecoderServer {
        if let server, server.hasFreeSlot { return server }
        do {
            let fresh = try DecoderServer(program: program)
            server = fresh
            return fresh
        } catch { throw error.isMissing ? .missingProgram : .system(error) }
    }

    private static func advance(_ run: ImageRun, _ poll: Poll) -> Result<ImageAnswer, ImageError>? {
        do { return try run.advance(poll).map { .success($0) } } catch { return .failure(error) }
    }
}
