/// The exit codes of our programs; docs/guides/exit-codes.md explains them.
package enum ExitCode {
    package static let notFound: Int32 = 3
    package static let duplicate: Int32 = 4
    package static let locked: Int32 = 5
    package static let authenticationFailed: Int32 = 6
    package static let notPermitted: Int32 = 7
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
