/// Folders that a program makes and fills, brought to the disk once they are full.
package struct NewFolders: Sendable {
    /// Those that were made or that are filled, and those in which one was made.
    private var paths: Set<String> = []

    package init() {}

    /// Makes a folder and what is missing above it, each with mode 0700; one that is there is filled as well.
    package mutating func make(_ path: String) throws(LinuxError) {
        guard !paths.contains(path) else { return }
        if try FileSystem.status(path)?.isDirectory != true {
            let parent = FileSystem.directory(of: path)
            if parent != path && !parent.isEmpty { try make(parent) }
            try FileSystem.makeDirectories(path)
        }
        paths.insert(path)
    }

    /// Waits until the names in them are on the disk; the files themselves are synced by whoever writes them.
    package func sync() throws(LinuxError) {
        for path in paths.sorted() {
            do throws(LinuxError) { try FileSystem.syncDirectory(path) } catch {
                throw LinuxError(call: error.call, code: error.code, path: error.path ?? path)
            }
        }
    }
}
