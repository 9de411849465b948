import ResidentClient
import WidgetClient
import Wire

/// The widget that a command is about: by its kind, or by the name that people see.
enum WidgetName {
    private static let choice = TitleChoice(kind: .widgets, listing: "tresor widget list")

    /// Asks about a widget; only where there is none of this kind, by the kind of the one that is called so.
    static func resolving<Result>(
        _ name: String, over connection: WidgetConnection, _ ask: (String) throws -> Result
    ) throws -> Result {
        do { return try ask(name) } catch let error as WidgetError where error.code == .unknownKind {
            guard case .list(let widgets) = try connection.ask(.list).reply else { throw WidgetOptions.unexpected }
            let byKind = widgets.map { TitleChoice.Candidate(id: $0.kind, title: $0.kind, line: line($0)) }
            let byName = widgets.map { TitleChoice.Candidate(id: $0.kind, title: $0.displayName, line: line($0)) }
            do { return try ask(choice.id(of: name, among: byName, isChange: false)) } catch let failure as Failure
                where failure.exitCode == ExitCode.notFound
            { return try ask(choice.id(of: name, among: byKind, isChange: false)) }
        }
    }

    private static func line(_ widget: WidgetSummary) -> String { "\(widget.kind)  \(widget.displayName)" }
}
