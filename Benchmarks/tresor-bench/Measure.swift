import Foundation
import Linux

/// Durations of one operation, in nanoseconds.
struct Samples {
    private(set) var sorted: [UInt64]
    /// Wall time of all of them together, and how many ran at once.
    let elapsed: UInt64

    init(_ values: [UInt64], elapsed: UInt64) {
        sorted = values.sorted()
        self.elapsed = elapsed
    }

    func percentile(_ part: Double) -> Double {
        guard !sorted.isEmpty else { return .nan }
        return Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]) / 1000
    }

    var p50: Double { percentile(0.5) }
    var p99: Double { percentile(0.99) }
    var perSecond: Double { Double(sorted.count) / (Double(elapsed) / 1e9) }
}

/// Runs `body` `count` times on each of `clients` threads and times each call.
func measure(
    clients: Int, count: Int, _ makeBody: @escaping @Sendable (Int) throws -> (Int) throws -> Void
) throws -> Samples {
    let collected = Collected()
    let begin = SystemClock.monotonicNanoseconds()
    let threads = (0..<clients).map { client in
        Thread {
            do {
                let body = try makeBody(client)
                var times: [UInt64] = []
                times.reserveCapacity(count)
                for index in 0..<count {
                    let start = SystemClock.monotonicNanoseconds()
                    try body(index)
                    times.append(SystemClock.monotonicNanoseconds() - start)
                }
                collected.add(times)
            } catch { collected.fail(error) }
        }
    }
    for thread in threads { thread.start() }
    let times = try collected.wait(for: clients)
    return Samples(times, elapsed: SystemClock.monotonicNanoseconds() - begin)
}

/// What the threads of one measurement bring together.
private final class Collected: @unchecked Sendable {
    private let condition = NSCondition()
    private var times: [UInt64] = []
    private var finished = 0
    private var failure: (any Error)?

    func add(_ more: [UInt64]) {
        condition.lock()
        times += more
        finished += 1
        condition.signal()
        condition.unlock()
    }

    func fail(_ error: any Error) {
        condition.lock()
        failure = error
        finished += 1
        condition.signal()
        condition.unlock()
    }

    func wait(for count: Int) throws -> [UInt64] {
        condition.lock()
        defer { condition.unlock() }
        while finished < count { condition.wait() }
        if let failure { throw failure }
        return times
    }
}

/// CPU and disk of daemon and enclave over a run.
struct Usage {
    let daemon: ProcessUsage
    let enclave: ProcessUsage

    init(_ device: BenchDevice) throws {
        daemon = try ProcessUsage(of: device.daemon)
        enclave = try ProcessUsage(of: device.enclave)
    }

    func perOperation(since before: Usage, count: Int) -> String {
        let daemonCPU = Double(daemon.cpuMicroseconds - before.daemon.cpuMicroseconds) / Double(count)
        let enclaveCPU = Double(enclave.cpuMicroseconds - before.enclave.cpuMicroseconds) / Double(count)
        let written = Double(daemon.writtenBytes - before.daemon.writtenBytes) / Double(count)
        return String(format: "%7.1f %7.1f %9.0f", daemonCPU, enclaveCPU, written)
    }
}

/// Prints a line at once: a run is long, and whoever waits wants to see it.
func say(_ line: String) {
    print(line)
    fflush(nil)
}

func format(_ value: Double) -> String { String(format: value < 1000 ? "%.1f" : "%.0f", value) }

func seconds(since begin: UInt64) -> Double {
    Double(SystemClock.monotonicNanoseconds() - begin) / 1e9
}
