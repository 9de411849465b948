import Linux

/// The catalogues that were looked for, by their languages.
struct CatalogueShelf: Sendable {
    /// What is there is kept, and so is that nothing is there.
    private var known: [String: MessageCatalogue?] = [:]

    init() {}

    mutating func keep(_ catalogue: MessageCatalogue, of language: String) { known[language] = .some(catalogue) }

    /// The catalogue of a language; nil where there is none, or where it cannot be read now.
    ///
    /// What cannot be read, for want of descriptors say, is looked for again at the next call: it may be there then.
    ///
    /// - Parameters:
    ///   - language: a name without anything that leads to another folder.
    ///   - folders: each with a folder for a language; the first that has it counts.
    mutating func catalogue(of language: String, in folders: [String]) -> MessageCatalogue? {
        if let found = known[language] { return found }
        var isUnreadable = false
        for folder in folders {
            do {
                guard let bytes = try Self.read(language, in: folder), let found = try? MessageCatalogue(bytes) else {
                    continue
                }
                known[language] = .some(found)
                return found
            } catch { isUnreadable = true }
        }
        if !isUnreadable { known[language] = .some(nil) }
        return nil
    }

    /// - Returns: nil where it is not there, or no file.
    private static func read(_ language: String, in folder: String) throws(LinuxError) -> [UInt8]? {
        do {
            let file = try FileDescriptor.open("\(folder)/\(language)/LC_MESSAGES/tresor.mo", FileFlags.readFollowing)
            guard try file.isRegular() else { return nil }
            return try file.read(count: MessageCatalogue.mostBytes + 1, at: 0)
        } catch  where error.isMissing { return nil }
    }
}
