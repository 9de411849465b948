import Localization

/// A deployed file, or a folder of them, whose certificates do not count, and why.
package struct RefusedFile: Error, Sendable, Equatable, CustomStringConvertible {
    /// Why the file does not count.
    package enum Reason: Sendable, Equatable {
        /// It, or the folder above it that is named, belongs to somebody else than root.
        case belongsToAnother(folder: String?)
        /// Its group or everybody may write to it, or to the folder above it that is named.
        case writableByOthers(folder: String?)
        /// A symbolic link, whose target somebody else may choose.
        case link
        /// A folder, pipe, socket or device.
        case noFile
        /// More than ``CertificateFile/byteLimit``.
        case tooLarge
        /// It and what follows in its folder are above the limits of ``SystemPlaces``.
        case tooMany
        /// A folder further down than ``SystemPlaces/deepest``.
        case tooDeep
        /// The system did not give it out: errno, in words.
        case unreadable(String)
        case damaged(CertificateReadError)
        /// Only private keys stand in it.
        case holdsNoCertificate
    }

    /// Where the file or folder lies.
    package let path: String
    /// Why it does not count.
    package let reason: Reason

    /// A sentence without the path, which whoever prints it makes harmless.
    package var description: String {
        switch reason {
        case .belongsToAnother(nil): localized("it does not belong to root")
        case .belongsToAnother(let folder?): localized("the folder \(folder) does not belong to root")
        case .writableByOthers(nil): localized("others than root may write to it")
        case .writableByOthers(let folder?): localized("others than root may write to the folder \(folder)")
        case .link: localized("a symbolic link is not followed")
        case .noFile: localized("no regular file")
        case .tooLarge: localized("more than 1 MiB")
        case .tooMany:
            localized(
                """
                this and what follows is more than \(SystemPlaces.mostFiles) files or \
                \(SystemPlaces.mostCertificates) certificates
                """)
        case .tooDeep: localized("more than \(SystemPlaces.deepest) folders deep")
        case .unreadable(let words): localized("cannot be read: \(words)")
        case .damaged(let error): error.description
        case .holdsNoCertificate: localized("there is no certificate in it")
        }
    }

    /// One word, for programs.
    package var code: String {
        switch reason {
        case .belongsToAnother: "belongsToAnother"
        case .writableByOthers: "writableByOthers"
        case .link: "link"
        case .noFile: "noFile"
        case .tooLarge: "tooLarge"
        case .tooMany: "tooMany"
        case .tooDeep: "tooDeep"
        case .unreadable: "unreadable"
        case .damaged: "damaged"
        case .holdsNoCertificate: "holdsNoCertificate"
        }
    }
}
