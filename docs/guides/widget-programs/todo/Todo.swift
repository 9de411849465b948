// Open tasks of ~/todo.txt, one a line; those that begin with "x " are done (todotxt.org).
import Foundation
import WidgetProgram

@main struct Todo: WidgetBundle {
    var body: WidgetList {
        OpenTasks()
    }
}

struct OpenTasks: Widget {
    let configuration = WidgetConfiguration(
        kind: "open", displayName: "To do", summary: "How many tasks are open, and the first of them.",
        symbol: .checklist, families: [.systemSmall, .accessoryInline],
        protection: .completeUntilFirstUserAuthentication)
    let provider = Tasks()

    func body(_ entry: WidgetEntry<Tasks.Progress, [String]>, in family: WidgetFamily) -> some View {
        if family == .accessoryInline {
            HStack {
                Symbol(.checklist)
                Text("\(entry.content.open) open")
            }
        } else {
            VStack {
                Text("To do").font(.headline)
                Gauge(entry.content.done, of: entry.content.done + entry.content.open)
                EnvironmentReader { environment in
                    if environment.redactionReasons.contains(.privacy) {
                        Text("\(entry.content.open) open").foreground(.secondary)
                    } else {
                        Reveal(entry.sealed) { tasks in
                            for task in tasks { Text(task).lineLimit(1) }
                        } placeholder: {
                            Text("A task")
                        }
                    }
                }
            }
        }
    }
}

struct Tasks: TimelineProvider {
    /// Numbers are for everybody; what the tasks are is sealed.
    struct Progress: Sendable {
        var open = 0
        var done = 0
    }

    func placeholder(in family: WidgetFamily) -> WidgetEntry<Progress, [String]> {
        WidgetEntry(date: Moment(seconds: 0), content: Progress(), sealed: .shut)
    }

    func timeline(
        in family: WidgetFamily, at now: Moment
    ) throws(ProviderFailure) -> Timeline<WidgetEntry<Progress, [String]>> {
        let path = NSHomeDirectory() + "/todo.txt"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { throw .empty }
        let lines = text.split(separator: "\n").map(String.init)
        let open = lines.filter { !$0.hasPrefix("x ") }
        let entry = WidgetEntry(
            date: now, content: Progress(open: open.count, done: lines.count - open.count),
            sealed: Sealed(Array(open.prefix(4))))
        return Timeline([entry], policy: .after(now.advanced(bySeconds: 900)))
    }
}
