package import Linux

/// Why pinentry gave no passcode.
///
///     catch PinentryError.cancelled { return }
package enum PinentryError: Error, Equatable {
    /// The person declined, or closed the window, or nobody wants the answer any more.
    case cancelled
    /// Nothing was typed in time, or the program did not answer.
    case timedOut
    /// There is no such program, or its path is not absolute.
    case notInstalled
    /// The program says that it failed, with this number of libgpg-error's: most often it has neither a display nor a
    /// terminal.
    case failed(UInt32)
    /// What it said is not the protocol, or it ended in the middle of it.
    case malformed
    /// What was typed has more than ``Pinentry/longestPasscode`` bytes.
    case tooLong
    /// The system would not start it, or grants no more locked memory.
    case system(LinuxError)

    /// What the number of an `ERR` line means.
    ///
    /// The lower 16 bits are the error, the bits 24 to 30 who reports it, which differs among programs (libgpg-error's
    /// manual, "Error Values"; 83886179 is GPG_ERR_CANCELED of GPG_ERR_SOURCE_PINENTRY).
    init(number: UInt32) {
        switch number & 0xffff {
        case Self.canceled, Self.fullyCanceled: self = .cancelled
        case Self.timeout: self = .timedOut
        default: self = .failed(number)
        }
    }

    /// GPG_ERR_TIMEOUT.
    private static let timeout: UInt32 = 62
    /// GPG_ERR_CANCELED.
    private static let canceled: UInt32 = 99
    /// GPG_ERR_FULLY_CANCELED, of a window that was closed.
    private static let fullyCanceled: UInt32 = 198
}
