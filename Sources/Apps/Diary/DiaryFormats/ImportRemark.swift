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
        case .unsafeName: "The archive holds \(files) with a name that points elsewhere; not read."
        case .doubleName: "The archive holds \(files) under a name that was there already; the first was taken."
        case .encryptedMember: "The archive holds \(files) that is encrypted; not read."
        case .unknownCompression: "The archive holds \(files) in a compression that is not read."
        case .notAJournal: "The diary holds \(files) of JSON that is no journal."
        case .brokenJournal: "The diary holds \(files) of JSON that is damaged; its entries are missing."
        case .doubleEntry: "The diary holds this entry again; the first was taken."
        case .notAnEntry: "Something among the entries is none; left out."
        case .missingMedia: "It names \(files) that the diary does not hold."
        case .emptyMedia: "It names \(files) without a single byte; left out."
        case .brokenReference: "Its text shows \(files) that it does not have."
        case .missingText: "It has no text."
        case .lostFormatting: "Its text was there only in another form; what formatted it was left out."
        case .missingDate: "Its date is missing or none; the next best was taken."
        case .missingTimeZone: "Its time zone is missing or none; yours was taken."
        case .missingIdentity: "It has no identity; it is known by its date and text."
        case .invalidPlace: "Its place is none on Earth; it was kept aside."
        case .invalidTag: "One of its tags is none; left out."
        case .unreadableFile: "The folder holds \(files) that cannot be read."
        }
    }

    private var files: String { count == 1 ? "a file" : "\(count) files" }
}
