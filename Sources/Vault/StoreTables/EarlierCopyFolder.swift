/// The folder of a store in which an earlier copy of it lies, to take from it what is damaged or lost.
///
/// `tresor repair --from` lays it there, and removes it.
package enum EarlierCopyFolder {
    /// The folder's name, beside the store's database.
    package static let name = "from"
    /// A file in it that says: rows of the store are known to be lost.
    package static let mark = "missing"
}

/// The folder beside a store in which `tresor repair` puts a whole one together.
package enum RepairFolder {
    /// - Parameter store: the store's folder.
    package static func path(of store: String) -> String { store + ".repairing" }
}
