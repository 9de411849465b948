import FoundationEssentials
import Linux
import WidgetPrograms
import Widgets
import Wire

/// The widgets of programs of others, as they described themselves; made by a worker, since a description is that
/// program's to give.
struct Catalog {
    /// A program's file as it was when it was asked.
    private struct Program: Codable {
        var path: String
        var stamp: [Int64]
        var widgets: [Entry]
        /// Whether it said what it has, or what it said was refused; false where there was no time for it.
        var hasAnswered: Bool
    }

    private struct Entry: Codable {
        var kind: String
        var displayName: String
        var summary: String
        var symbol: String
        var families: [String]
        var protection: String
        /// A timeline's open part: what stands for each size while nothing may be shown.
        var placeholder: Data
    }

    private var programs: [Program]

    private static func file(_ home: Home) -> String { home.widgetsFolder + "/catalog.json" }

    private init(_ programs: [Program]) { self.programs = programs }

    /// What was written last; nil where there is nothing, or where the programs are others by now.
    init?(home: Home) {
        guard let paths = try? ExternalProgram.paths(in: home.widgetPrograms) else { return nil }
        guard !paths.isEmpty else {
            programs = []
            return
        }
        guard let stored = Self.stored(home), stored.map(\.path) == paths,
            stored.allSatisfy({ $0.stamp == Self.stamp($0.path) })
        else { return nil }
        programs = stored
    }

    private static func stored(_ home: Home) -> [Program]? {
        guard let bytes = try? FileSystem.read(file(home), limit: 16 << 20, followsLinks: false) else { return nil }
        return try? JSONDecoder().decode([Program].self, from: Data(bytes))
    }

    /// Whether every program has said what it has, so that a widget which is not in here is not there.
    var isWhole: Bool { programs.allSatisfy(\.hasAnswered) }

    /// Whether the programs are the same files still; what was read of them once stays as it was read.
    func isCurrent(_ home: Home) -> Bool {
        programs.map(\.path) == (try? ExternalProgram.paths(in: home.widgetPrograms))
            && programs.allSatisfy { $0.stamp == Self.stamp($0.path) }
    }

    /// Milliseconds that all programs have together; some of them may never answer.
    private static let patience: UInt64 = 12_000

    /// Asks every program what it has.
    ///
    /// One that gives nothing fit is left out, and the log says why; one that had no time keeps what it had.
    static func ask(home: Home, builtInKinds: [String]) throws -> Catalog {
        var programs: [Program] = []
        let former = stored(home) ?? []
        let paths = try ExternalProgram.paths(in: home.widgetPrograms)
        let end = SystemClock.bootMilliseconds() + patience
        for (index, path) in paths.enumerated() {
            // Before it is asked: what is changed meanwhile is asked anew.
            var program = Program(path: path, stamp: stamp(path), widgets: [], hasAnswered: true)
            do {
                // What one leaves of its share is for those after it.
                let now = SystemClock.bootMilliseconds()
                let share = (max(now, end) - now) / UInt64(paths.count - index)
                let asked = try ExternalProgram(path: path, builtInKinds: builtInKinds, until: now + share)
                program.widgets = try asked.describe().map { try entry($0, asked) }
            } catch {
                Log.error("the widget program \(path.split(separator: "/").last ?? "") was left out", error)
                switch error {
                case ProgramError.tookTooLong, ProgramError.notStarted:
                    program.hasAnswered = false
                    program.widgets = former.first { $0.path == path && $0.stamp == program.stamp }?.widgets ?? []
                default: break
                }
            }
            programs.append(program)
        }
        return Catalog(programs)
    }

    func store(home: Home) throws {
        try FileSystem.replace(Self.file(home), with: Array(try JSONEncoder().encode(programs)))
    }

    private static func entry(_ configuration: WidgetConfiguration, _ program: ExternalProgram) throws -> Entry {
        let views = try program.placeholders(of: configuration)
        let archive = TimelineArchive(
            [TimelineArchive.Entry(date: Moment(seconds: 0), views: views)], policy: .never)
        return Entry(
            kind: configuration.kind, displayName: configuration.displayName, summary: configuration.summary,
            symbol: configuration.symbol.name, families: configuration.families.map(\.name),
            protection: configuration.protection.name, placeholder: Data(try archive.encode().open))
    }

    private static func stamp(_ path: String) -> [Int64] { (try? FileIdentity(at: path))?.stamp ?? [] }

    /// The widgets, each ready to be asked.
    func widgets(builtInKinds: [String]) -> [HostedWidget] {
        programs.flatMap { program in
            program.widgets.compactMap { Self.hosted($0, program.path, builtInKinds) }
        }
    }

    private static func hosted(_ entry: Entry, _ path: String, _ builtInKinds: [String]) -> HostedWidget? {
        guard WidgetConfiguration.isKind(entry.kind), let symbol = SymbolName(name: entry.symbol),
            let protection = WidgetProtection(name: entry.protection),
            let placeholder = try? TimelineArchive(open: Array(entry.placeholder), secrets: nil)
        else { return nil }
        let configuration = WidgetConfiguration(
            kind: entry.kind, displayName: entry.displayName, summary: entry.summary, symbol: symbol,
            families: entry.families.compactMap { WidgetFamily(name: $0) }, protection: protection)
        return HostedWidget(configuration, source: .program(path)) { family in
            placeholder.view(family, at: Moment(seconds: 0)) ?? EmptyView().node
        } archive: { now throws(ProviderFailure) in
            try ask(path, configuration, builtInKinds, now)
        }
    }

    private static func ask(
        _ path: String, _ configuration: WidgetConfiguration, _ builtInKinds: [String], _ now: Moment
    ) throws(ProviderFailure) -> TimelineArchive {
        do {
            let program = try ExternalProgram(path: path, builtInKinds: builtInKinds)
            // The catalogue is a file that any program of this user can change; the class is the program's to say.
            guard try program.describe().contains(configuration) else { throw ProviderFailure.unavailable }
            return try program.timeline(configuration, in: configuration.families, at: now)
        } catch ProgramError.failed(let failure) {
            throw failure
        } catch ProviderFailure.unavailable {
            Log.note("a widget program is not what the catalogue says")
            throw .unavailable
        } catch {
            Log.error("a widget program gave no timeline", error)
            throw .unavailable
        }
    }
}
