import Envelopes
import Linux
import Localization
import Resident
import Secrets
import Tresor
import Widgets
import Wire

/// One provider, asked once in a process of its own: it may wait for others, and its memory ends with it.
///
/// What it has goes sealed to the disk, and nothing but a code to the program that started it.
enum ProviderRun {
    /// How it ended, as an exit code.
    enum Outcome: Int32 {
        case done = 0
        case failed = 70
        case locked = 71
        case empty = 72
        case unavailable = 73
    }

    /// The file to start for it: this program.
    static let program = "/proc/self/exe"
    /// Milliseconds in which a worker ends what it has started.
    static let grace: UInt64 = 100

    /// - Parameter keeper: of who asks, where this goes on when the device locks; without one it ends with who asks.
    static func run(_ kind: String, keeper: Int32?, clocks: ResidentClocks) -> Int32 {
        do {
            Introduction.introduce()
            try Sandbox.harden()
            try ChildProcess.endGroupWithThisProcess(keeper: keeper)
            let home = try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
            return try run(kind, home, clocks).rawValue
        } catch let error as TresorError where error.code == .locked {
            return Outcome.locked.rawValue
        } catch {
            Log.error("a provider failed", error)
            return Outcome.failed.rawValue
        }
    }

    /// Asks every program of others what it has, and leaves that beside the timelines.
    static func describe() -> Int32 {
        do {
            try Sandbox.harden()
            try ChildProcess.endGroupWithThisProcess()
            let home = try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
            let kinds = Gallery.builtInKinds(home)
            try Catalog.ask(home: home, builtInKinds: kinds).store(home: home)
            return Outcome.done.rawValue
        } catch {
            Log.error("the programs were not asked", error)
            return Outcome.failed.rawValue
        }
    }

    private static func run(_ kind: String, _ home: Home, _ clocks: ResidentClocks) throws -> Outcome {
        let daemon = try DaemonLink(home)
        let settings = try SettingsItem(daemon: daemon).read()
        let gallery = Gallery(home: home, catalog: Catalog(home: home), settings: settings)
        guard let widget = gallery.widget(kind) else { return .failed }
        // A program of others has words of its own, and what is said of it goes to the log.
        if case .program = widget.source { Localization.speakEnglish() }
        let keys = WidgetKeys(daemon: daemon)
        try keys.prepare(widget.configuration.protection)
        let archive: TimelineArchive
        do { archive = try widget.archive(Moment(microseconds: clocks.wall)) } catch {
            switch error {
            case .locked: return .locked
            case .empty: return .empty
            case .unavailable: return .unavailable
            }
        }
        let sealed = try keys.seal(archive.encode(), kind: kind, protection: widget.configuration.protection)
        try TimelineFiles(widgets: home.widgetsFolder).write(sealed, of: kind)
        return .done
    }
}
