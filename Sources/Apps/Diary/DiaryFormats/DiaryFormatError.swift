/// Why another program's diary cannot be read, or one cannot be written for it.
///
/// What concerns one entry alone is an ``ImportRemark`` instead.
package enum DiaryFormatError: Error, Equatable, Sendable {
    /// There is no such file or folder.
    case notFound
    /// The system does not let us read it.
    case unreadable
    /// Nothing in it is a diary of the kind that was asked for.
    case notADiary
    /// A text whose bytes are no UTF-8: letters of it would come in as others.
    case notUTF8
    /// Cut short or broken.
    case damaged
    /// Larger, or growing more when it is unpacked, than any diary is.
    case tooLarge
    /// Where something is to be written, there is something already.
    case alreadyThere
    /// The disk refuses; whether because it is full, and what it refuses, where that is known.
    case cannotWrite(isFull: Bool, path: String? = nil)

    /// Whether an error of reading a file says that the file is as it is: another time would find no more of it.
    package static func isOfFile(_ error: any Error) -> Bool {
        switch error as? DiaryFormatError {
        case .damaged, .tooLarge, .notFound, .notADiary, .notUTF8: true
        case .unreadable, .alreadyThere, .cannotWrite, nil: false
        }
    }
}
