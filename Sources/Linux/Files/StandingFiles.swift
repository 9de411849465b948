/// Files that a program holds open, and the names under which it opened them.
///
/// What is written into a file whose name leads elsewhere by now, or nowhere, is gone with the program: a copy was
/// restored over the folder, or the folder was removed, while the program ran.
package struct StandingFiles: Sendable {
    private var known: [String: FileSystem.FileIdentity] = [:]
    private var awaited: Set<String>

    /// - Parameter paths: absolute; one that is not there yet is known from the first look on at which it is.
    package init(_ paths: [String]) throws(LinuxError) {
        awaited = Set(paths)
        _ = try areStanding()
    }

    /// Whether each name leads to the file to which it led before.
    ///
    /// - Throws: what keeps the names from being looked up.
    package mutating func areStanding() throws(LinuxError) -> Bool {
        for (path, identity) in known where try Self.identity(path) != identity { return false }
        for path in awaited {
            guard let identity = try Self.identity(path) else { continue }
            known[path] = identity
            awaited.remove(path)
        }
        return true
    }

    private static func identity(_ path: String) throws(LinuxError) -> FileSystem.FileIdentity? {
        for _ in 0..<2 {
            do { return try FileSystem.status(path)?.identity } catch {
                // What keeps a name from being looked up passes, as a rule.
                guard error.isPassing else { throw error }
            }
        }
        return try FileSystem.status(path)?.identity
    }
}
