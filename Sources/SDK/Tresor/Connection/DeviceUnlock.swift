import Protection
package import Secrets
package import Wire

/// The device's lock, for a program at a terminal that says how it stands and opens it where somebody types the
/// passcode.
package enum DeviceUnlock {
    /// How an attempt went.
    package enum Outcome: Equatable, Sendable {
        case unlocked
        /// Why it did not, as a sentence: of a wrong passcode also how long the next try has to wait.
        case refused(String)
    }

    /// Whether the device is locked, or has not been unlocked since it was started.
    ///
    /// - Parameter time: how long the daemon may take, which answers late while it locks; nil waits for ever.
    /// - Throws: ``TresorError`` with code `unavailable` where no daemon runs, or none answers in time.
    package static func isLocked(_ home: Home, within time: Duration? = nil) throws -> Bool {
        try DaemonLink(home, within: time).lockState() != .unlocked
    }

    /// Unlocks by the passcode; a wrong one counts, and the next is delayed, as at the lock screen.
    package static func attempt(_ home: Home, passcode: consuming SecretBytes) -> Outcome {
        do {
            let conversation = Conversation(transport: try SocketTransport(home))
            try conversation.perform(.unlock(CarriedSecret(passcode)))
            return .unlocked
        } catch let error as TresorError { return .refused(words(for: error)) } catch {
            return .refused("tresord does not answer.")
        }
    }

    private static func words(for error: TresorError) -> String {
        let words = error.message.prefix(1).uppercased() + error.message.dropFirst() + "."
        guard let wait = error.retryAfter else { return words }
        let seconds = Int((wait / .seconds(1)).rounded(.up))
        return words + (seconds < 120 ? " Wait \(seconds) s." : " Wait \((seconds + 59) / 60) min.")
    }
}
