/// Why a file of this computer could be neither read nor written.
enum FileFailure: Error, Equatable, Sendable {
    case absent
    /// A folder, a device or a pipe.
    case notAFile
    /// There is one of that name, and it stays as it is.
    case exists
    case unreadable
    /// No such folder, no permission, or no room; nothing is left of what was begun.
    case unwritable
}
