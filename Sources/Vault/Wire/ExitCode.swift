/// The exit codes of our programs; docs/guides/exit-codes.md explains them.
package enum ExitCode {
    /// There is no such item, note, entry or file.
    package static let notFound: Int32 = 3
    /// It is there already, or its name is taken.
    package static let duplicate: Int32 = 4
    /// The lock state shuts what was asked for.
    package static let locked: Int32 = 5
    /// A passcode, password or finger was wrong, or another try has to wait.
    package static let authenticationFailed: Int32 = 6
    /// The program may not, or the device's settings forbid it.
    package static let notPermitted: Int32 = 7
    /// What is kept does not decode; it stays as it is.
    package static let damaged: Int32 = 8
    /// EX_USAGE of sysexits(3).
    package static let usage: Int32 = 64
    /// EX_UNAVAILABLE of sysexits(3).
    package static let unavailable: Int32 = 69
    /// EX_IOERR of sysexits(3): reading or writing the disk failed.
    package static let storageFailed: Int32 = 74
    /// EX_TEMPFAIL of sysexits(3): a program of ours is there and does not answer, or asks to be asked again.
    package static let noAnswer: Int32 = 75
    /// EX_CANTCREAT of sysexits(3): the disk is full or can't be written.
    package static let cannotWrite: Int32 = 73
}
