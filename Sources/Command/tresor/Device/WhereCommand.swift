import ArgumentParser
import Linux
import Localization
import Wire

struct WhereCommand: ParsableCommand, AsksForNoItems {
    static let configuration = CommandConfiguration(
        commandName: "where",
        abstract: localized("Say where everything lies, how to move it to another computer, and how to uninstall."),
        discussion: localized(
            """
            Changes nothing, and starts nothing. Whatever removes the programs, what you keep stays in its two \
            folders, until you delete them yourself. To move it to another computer, copy both together, while \
            nothing runs: keychain, notes and diary go with them. Whoever gets the copy can try passcodes on it, so \
            take a way that you trust.
            """))

    @Flag(help: ArgumentHelp(localized("Print JSON.")))
    var json = false

    func run() throws {
        let places = try Whereabouts()
        if json { return try Output.json(WhereDocument(places)) }
        // A path is copied, whatever is in its names.
        for line in places.paths { try Output.line(line) }
        for line in places.advice { try Output.words(line) }
        for line in [""] + places.move { try Output.line(line) }
    }
}

/// Where things lie on this machine, and how they go.
struct Whereabouts {
    let home: Home
    /// The folder of the programs.
    let programs: String
    let installation: Installation

    init() throws {
        home = try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
        programs = try CurrentProcess.executableDirectory()
        installation = Installation(program: programs + "/tresor")
    }

    /// Nil where there is no home, or no /proc.
    static func current() -> Whereabouts? { try? Whereabouts() }

    /// The folders, a line for each.
    var paths: [String] {
        [
            localized("data         \(home.data)"), localized("enclave      \(home.enclave)"),
            localized("sockets      \(home.runtime)"), localized("programs     \(programs)"),
        ]
    }

    /// What else there is to know, in lines below them.
    var advice: [String] {
        [
            removalLine,
            localized("stays        what you keep: data and enclave, until you delete both folders yourself"),
            localized("read on      'man tresor-admin-where'; docs/guides/installing.md of the sources"),
        ]
    }

    /// What has to go along in a move: the two folders, or the one that has the other in it.
    var foldersToMove: [String] {
        home.enclave.hasPrefix(home.data + "/") ? [home.data] : [home.data, home.enclave]
    }

    /// In which order everything goes to another computer.
    fileprivate var move: [String] {
        [
            localized("To move to another computer"),
            localized("  1. here: 'tresor down'. Nothing of it may run while you copy"),
            localized("  2. copy all of it together, with owner and modes, by a way that you trust:"),
        ] + foldersToMove.map { "     " + $0 } + [
            localized("  3. there: install this version or a later one. Put what you copied"),
            localized("     where 'tresor admin where' says there; first put aside what lies there"),
            localized("  4. there: 'tresor up', 'tresor unlock'. Look whether all is there"),
            localized("  5. here: delete what you copied. Never go on with both: they go apart,"),
            localized("     and each counts wrong passcodes for itself"),
        ]
    }

    private var removalLine: String {
        switch installation {
        case .package: localized("uninstall    'tresor down', then 'sudo apt remove tresor', or 'purge' in its place")
        case .prefix(let prefix):
            localized(
                """
                uninstall    'tresor down', then 'make uninstall PREFIX=\(prefix)' where the sources are, or \
                'python3 install.py --uninstall \(prefix)' where the archive is
                """)
        case .loose: localized("uninstall    nothing is installed: the programs are files of the folder above")
        }
    }

    /// For whoever typed `uninstall`.
    var removal: String {
        let data = home.data
        return switch installation {
        case .package:
            localized(
                """
                it came as a package: 'tresor down', then 'sudo apt remove tresor', or 'sudo apt purge tresor'. What \
                you keep stays in \(data); 'tresor admin where' says more
                """)
        case .prefix(let prefix):
            localized(
                """
                it was installed below \(prefix): 'tresor down', then 'make uninstall PREFIX=\(prefix)' where the \
                sources are. What you keep stays in \(data); 'tresor admin where' says more
                """)
        case .loose(let folder):
            localized(
                """
                it is not installed: its programs are files in \(folder). What you keep stays in \(data); \
                'tresor admin where' says more
                """)
        }
    }
}

/// `tresor admin where --json`.
private struct WhereDocument: Encodable {
    let data: String
    let enclave: String
    let sockets: String
    let programs: String
    /// `package`, `prefix`, or `none` where nothing is installed.
    let installation: String
    let uninstall: [String]
    /// The folders that go together to another computer.
    let move: [String]

    init(_ places: Whereabouts) {
        data = places.home.data
        enclave = places.home.enclave
        sockets = places.home.runtime
        programs = places.programs
        uninstall = places.installation.removal
        move = places.foldersToMove
        installation =
            switch places.installation {
            case .package: "package"
            case .prefix: "prefix"
            case .loose: "none"
            }
    }
}
