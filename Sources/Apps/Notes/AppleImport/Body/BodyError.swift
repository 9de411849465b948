import Localization

/// Why the body of a note, or a part of it, cannot be read.
enum BodyError: Error, Equatable {
    /// Not compressed as Apple compresses it, or cut short.
    case notGzip
    /// Larger than any note, or growing out of proportion when unpacked.
    case tooLarge
    /// Unpacked, but not in Apple's form.
    case malformed

    /// What people are told about it.
    var reason: String {
        switch self {
        case .notGzip: localized("it is damaged: its compressed form does not unpack")
        case .tooLarge: localized("it is larger than this import takes")
        case .malformed: localized("it is damaged, or of a form that this import does not know")
        }
    }
}
