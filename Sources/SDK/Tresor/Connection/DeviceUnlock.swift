import Linux
import Localization
import Protection
package import Secrets
package import Wire

/// Unlocking the device from a screen: one try of a passcode, and what its owner has to know where it is wrong.
package enum DeviceUnlock {
    /// Why the device is locked still.
    package struct Refusal: Error, Equatable, Sendable {
        /// One sentence for a person.
        package let message: String
        /// Wrong passcodes in a row, this one among them; nil where nobody can say.
        package let failures: UInt32?
        /// How long to wait before the next passcode is tried, in whole seconds; 0 for not at all.
        package let secondsToWait: UInt64

        /// - Parameters:
        ///   - failures: wrong passcodes in a row; nil where nobody can say.
        ///   - secondsToWait: until the next may be tried.
        package init(message: String, failures: UInt32? = nil, secondsToWait: UInt64 = 0) {
            self.message = message
            self.failures = failures
            self.secondsToWait = secondsToWait
        }

        /// The message as a sentence of its own, with the wait before the next passcode behind it.
        package var sentence: String {
            let words = message.prefix(1).uppercased() + message.dropFirst() + "."
            guard secondsToWait > 0 else { return words }
            let wait =
                secondsToWait < 120
                ? localized("Wait \(secondsToWait) s.") : localized("Wait \((secondsToWait + 59) / 60) min.")
            return words + " " + wait
        }
    }

    /// Whether the device is locked, or has not been unlocked since it was started.
    ///
    /// - Parameter time: how long the daemon may take, which answers late while it locks; nil waits for ever.
    /// - Throws: ``TresorError`` with code `unavailable` where no daemon runs, or none answers in time.
    package static func isLocked(_ home: Home, within time: Duration? = nil) throws -> Bool {
        try DaemonLink(home, within: time).lockState() != .unlocked
    }

    /// Whether nobody answers for the device: there is no socket, none listens at it, or who did has gone.
    ///
    /// A daemon that takes the connection and says nothing for all of the time is there: it is busy, or stopped. So is
    /// one that refuses, and a socket of another user's. An answer that cannot be read counts as none.
    ///
    /// - Parameter time: how long it may take for its answer.
    package static func isDaemonGone(_ home: Home, within time: Duration) -> Bool {
        let start = SystemClock.bootMilliseconds()
        do { _ = try isLocked(home, within: time) } catch {
            guard translate(error).code == .unavailable else { return false }
            return .milliseconds(SystemClock.bootMilliseconds() - start) < time
        }
        return false
    }

    /// Tries a passcode, over a connection of its own; wrong ones count and are delayed as at the lock screen.
    ///
    /// - Parameter passcode: UTF-8, as it was set.
    package static func unlock(_ home: Home, passcode: borrowing SecretBytes) throws(Refusal) {
        let conversation: Conversation
        do { conversation = Conversation(transport: try SocketTransport(home, within: .seconds(30))) } catch {
            throw Refusal(message: translate(error).message)
        }
        do { try conversation.perform(.unlock(CarriedSecret(passcode.copy()))) } catch {
            let error = translate(error)
            guard error.code == .authenticationFailed else { throw Refusal(message: error.message) }
            let state = try? conversation.reply(to: .status, .status) { try DaemonStatus(from: &$0).enclave }
            let wait = error.retryAfter ?? state?.delay ?? .zero
            throw Refusal(
                message: error.message, failures: state?.failures,
                secondsToWait: UInt64(max(0, (wait / .seconds(1)).rounded(.up))))
        }
    }

    private static func translate(_ error: any Error) -> TresorError {
        TresorError.translate(error) as? TresorError ?? TresorError(.unavailable, localized("tresord does not answer"))
    }
}
