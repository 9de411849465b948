import Secrets
import Synchronization
import Tresor
@testable import TresorTesting
import Wire

/// A way to a device that is cut off behind some requests, as by the end of the program.
final class CutTransport: Transport, Sendable {
    private let device: TestDevice
    private let state: Mutex<Int>
    private let once: Bool

    /// - Parameter once: whether one request fails, and those behind it go through again.
    init(_ device: TestDevice, after count: Int, once: Bool = false) {
        self.device = device
        self.once = once
        state = Mutex(count)
    }

    func exchange(_ request: consuming KeychainRequest, _ receive: (RawSpan) throws -> Void) throws {
        let left = state.withLock { count in
            defer { count -= 1 }
            return count
        }
        guard left > 0 || (once && left < 0) else { throw TresorError(.unavailable, "cut off") }
        try device.transport.exchange(request, receive)
    }
}
