import Linux
import Localization

/// Ctrl-C and its kin, for the commands that have something to put in order first.
enum Interruption {
    /// Waits, but not beyond a signal that ends the program.
    ///
    /// - Returns: true when one came.
    static func waits(milliseconds: Int) throws -> Bool {
        let signals = try SignalDescriptor()
        let end = SystemClock.bootMilliseconds() + UInt64(milliseconds)
        while true {
            let now = SystemClock.bootMilliseconds()
            guard now < end else { return false }
            try Poll.wait(untilReadable: signals.descriptor.raw, milliseconds: Int(end - now))
            while let signal = signals.next() {
                if case .end = signal { return true }
            }
        }
    }
}

/// From its making on, a signal ends a command only where the command looks, so that it can put things in order.
final class InterruptionWatch {
    /// As shells tell of a program that SIGINT ended.
    static let exitCode: Int32 = 130

    private let work: String
    private let signals: SignalDescriptor

    /// - Parameter work: what is interrupted, as in "the export".
    init(_ work: String) throws {
        self.work = work
        signals = try SignalDescriptor()
    }

    /// - Throws: `Failure` where the work is to end.
    func goOn() throws {
        while let signal = signals.next() {
            if case .end = signal { throw Failure(Self.exitCode, localized("\(work) was interrupted")) }
        }
    }
}
