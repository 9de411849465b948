/// How one look at a finger ended.
package enum VerificationOutcome: Equatable, Sendable {
    /// fprintd says that it was an enrolled finger of the user.
    case match
    /// It was another finger: this is what counts as a failure.
    case noMatch
    /// The reader was unplugged, or fprintd ended.
    case disconnected
    /// The reader failed.
    case unknownError
    /// Nothing was decided in the time given.
    case timedOut
    /// The caller gave up.
    case cancelled
}

/// What to tell the person at the reader.
package enum ScanHint: Equatable, Sendable {
    /// The reader is waiting for a finger.
    case ready
    /// The scan could not be used.
    case retryScan
    /// The finger moved over the reader too briefly.
    case swipeTooShort
    /// The finger was not in the middle.
    case fingerNotCentered
    /// Take the finger off and put it on again.
    case removeAndRetry
}

/// What `VerifyStatus` said: the texts are those of net.reactivated.Fprint.Device.xml.
enum VerifyStatus: Equatable {
    case ended(VerificationOutcome)
    case goesOn(ScanHint)

    /// - Parameter isDone: whether fprintd says that the verification is over.
    init(result: String, isDone: Bool) {
        switch (result, isDone) {
        case ("verify-match", true): self = .ended(.match)
        case ("verify-no-match", true): self = .ended(.noMatch)
        case ("verify-disconnected", _): self = .ended(.disconnected)
        case (_, true): self = .ended(.unknownError)
        case ("verify-swipe-too-short", false): self = .goesOn(.swipeTooShort)
        case ("verify-finger-not-centered", false): self = .goesOn(.fingerNotCentered)
        case ("verify-remove-and-retry", false): self = .goesOn(.removeAndRetry)
        case (_, false): self = .goesOn(.retryScan)
        }
    }
}
