import Localization

/// Something that an import could not carry over as it was; never with a word of the diary in it.
package struct ImportRemark: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// Of the diary as a whole.
        case unsafeName, doubleName, encryptedMember, unknownCompression, notAJournal, brokenJournal
        /// Of an entry that was left out.
        case doubleEntry, notAnEntry
        /// Of an entry that comes in.
        case missingMedia, emptyMedia, brokenReference, missingText, lostFormatting, missingDate, missingTimeZone
        case missingIdentity, invalidPlace, invalidTag, unreadableFile
    }

    package let kind: Kind
    /// The ``ImportedEntry/source``, or nil where it concerns the diary as a whole.
    package let entry: String?
    /// How many of the kind.
    package let count: Int

    init(_ kind: Kind, entry: String? = nil, count: Int = 1) {
        self.kind = kind
        self.entry = entry
        self.count = count
    }

    /// What it means, in a sentence for people.
    package var text: String {
        switch kind {
        case .unsafeName:
            localized(
                count, one: "The archive holds a file with a name that points elsewhere; not read.",
                many: "The archive holds \(count) files with a name that points elsewhere; not read.")
        case .doubleName:
            localized(
                count, one: "The archive holds a file under a name that was there already; the first was taken.",
                many: "The archive holds \(count) files under a name that was there already; the first was taken.")
        case .encryptedMember:
            localized(
                count, one: "The archive holds a file that is encrypted; not read.",
                many: "The archive holds \(count) files that is encrypted; not read.")
        case .unknownCompression:
            localized(
                count, one: "The archive holds a file in a compression that is not read.",
                many: "The archive holds \(count) files in a compression that is not read.")
        case .notAJournal:
            localized(
                count, one: "The diary holds a file of JSON that is no journal.",
                many: "The diary holds \(count) files of JSON that is no journal.")
        case .brokenJournal:
            localized(
                count, one: "The diary holds a file of JSON that is damaged; its entries are missing.",
                many: "The diary holds \(count) files of JSON that is damaged; its entries are missing.")
        case .doubleEntry: localized("The diary holds this entry again; the first was taken.")
        case .notAnEntry: localized("Something among the entries is none; left out.")
        case .missingMedia:
            localized(
                count, one: "It names a file that the diary does not hold.",
                many: "It names \(count) files that the diary does not hold.")
        case .emptyMedia:
            localized(
                count, one: "It names a file without a single byte; left out.",
                many: "It names \(count) files without a single byte; left out.")
        case .brokenReference:
            localized(
                count, one: "Its text shows a file that it does not have.",
                many: "Its text shows \(count) files that it does not have.")
        case .missingText: localized("It has no text.")
        case .lostFormatting: localized("Its text was there only in another form; what formatted it was left out.")
        case .missingDate: localized("Its date is missing or none; the next best was taken.")
        case .missingTimeZone: localized("Its time zone is missing or none; yours was taken.")
        case .missingIdentity: localized("It has no identity; it is known by its date and text.")
        case .invalidPlace: localized("Its place is none on Earth; it was kept aside.")
        case .invalidTag: localized("One of its tags is none; left out.")
        case .unreadableFile:
            localized(
                count, one: "The folder holds a file that cannot be read.",
                many: "The folder holds \(count) files that cannot be read.")
        }
    }
}
