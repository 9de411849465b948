import Linux

/// How the programs came onto this machine, which is how they leave it.
package enum Installation: Equatable, Sendable {
    /// As Debian's package.
    case package
    /// By `make install`, or by the `install.py` of an archive, below a folder such as `/usr/local`.
    case prefix(String)
    /// Not at all: they run where they were built, or were copied to.
    case loose(folder: String)

    /// - Parameters:
    ///   - program: the path of one that runs.
    ///   - isThere: whether a file exists.
    package init(program: String, isThere: (String) -> Bool = { ((try? FileSystem.status($0)) ?? nil) != nil }) {
        let folder = FileSystem.directory(of: program)
        let top = folder.hasSuffix("/bin") ? String(folder.dropLast("/bin".count)) : nil
        if let top, isThere(top + Self.list) {
            self = .prefix(top.isEmpty ? "/" : top)
        } else if top == "/usr", isThere(Self.packageList) {
            self = .package
        } else {
            self = .loose(folder: folder)
        }
    }

    /// Below a prefix: what `packaging/install.py` has put there.
    private static let list = "/lib/tresor/installed.txt"
    /// What dpkg keeps of the package as long as it is installed.
    private static let packageList = "/var/lib/dpkg/info/tresor.list"

    /// The commands that remove the programs, one after the other; empty where nothing was installed.
    package var removal: [String] {
        switch self {
        case .package: ["tresor down", "sudo apt remove tresor"]
        case .prefix(let prefix): ["tresor down", "make uninstall PREFIX=\(prefix)"]
        case .loose: []
        }
    }
}
