package import Linux

/// Why a diary is not printed.
package enum PrintError: Error, Equatable {
    /// Where the PDF is to be, there is something already.
    case alreadyThere
    /// The disk refuses; whether because it is full.
    case cannotWrite(isFull: Bool)
    /// There is no `tresor-print`.
    case missingProgram
    /// It ended otherwise than it may: no memory, a font that crashes it, or a system that does not let it close itself
    /// off.
    case failed(ChildProcess.End)
    /// The system would not start the program or talk to it.
    case system(LinuxError)
}
