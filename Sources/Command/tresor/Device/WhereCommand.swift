import ArgumentParser
import Linux
import Localization
import Wire

struct WhereCommand: ParsableCommand, AsksForNoItems {
    static let configuration = CommandConfiguration(
        commandName: "where",
        abstract: localized("Say where keychain, notes and diary lie, where the programs are, and how to uninstall."),
        discussion: localized(
            """
            Changes nothing, and starts nothing. Whatever removes the programs, what you keep stays in its two \
            folders, until you delete them yourself. To move it to another machine, copy both together, while \
            nothing runs.
            """))

    @Flag(help: ArgumentHelp(localized("Print JSON.")))
    var json = false

    func run() throws {
        let places = try Whereabouts()
        if json { return try Output.json(WhereDocument(places)) }
        // A path is copied, whatever is in its names.
        for line in places.paths { try Output.line(line) }
        for line in places.advice { try Output.words(line) }
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

    init(_ places: Whereabouts) {
        data = places.home.data
        enclave = places.home.enclave
        sockets = places.home.runtime
        programs = places.programs
        uninstall = places.installation.removal
        installation =
            switch places.installation {
            case .package: "package"
            case .prefix: "prefix"
            case .loose: "none"
            }
    }
}
