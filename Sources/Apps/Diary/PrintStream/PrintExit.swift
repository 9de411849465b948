/// How the program that prints ends.
package enum PrintExit {
    package static let printed: Int32 = 0
    /// No memory, or fonts that can't be used.
    package static let failed: Int32 = 70
    /// There is no room for the PDF.
    package static let diskFull: Int32 = 73
    /// The PDF can't be written for another reason.
    package static let cannotWrite: Int32 = 74
    /// What came is no book of ours, or not all of one.
    package static let badBook: Int32 = 76
    /// The system does not let the program give up what it needs not.
    package static let noSandbox: Int32 = 77
}
