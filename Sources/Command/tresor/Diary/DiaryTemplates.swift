import ArgumentParser
import DiaryClient
import DiaryViews
import Linux
import Localization
import ResidentClient
import TerminalScreen

struct DiaryTemplateGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "template", abstract: localized("How entries may begin."),
        discussion: localized(
            """
            'diary add --template NAME' and the key N of the screens begin an entry with one. In its text {{date}}, \
            {{time}} and {{weekday}} stand for those of the entry. Templates are sealed as entries are.
            """),
        subcommands: [List.self, Show.self, Set.self, Delete.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: localized("List templates by name."))

        @OptionGroup var options: DiaryOptions

        func run() throws {
            let templates = try options.connect().templates()
            if options.json { return try Output.json(templates) }
            var rows = ListRows(
                [localized("TEMPLATE"), localized("TAGS")],
                yielding: [.shortened(1, to: 12), .dropped(1)])
            for template in templates {
                let tags = template.tags.map { "#" + SafeText.line($0) }
                try rows.add(
                    [template.name, tags.joined(separator: " ")],
                    elsewhere: ([SafeText.line(template.name)] + tags).joined(separator: " "))
            }
            try rows.finish()
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: localized("Print a template's text as it was given."))

        @OptionGroup var options: DiaryOptions
        @Argument(help: ArgumentHelp(localized("Its name.")))
        var name: String

        private struct Document: Encodable {
            let name: String
            let tags: [String]
            let text: String
        }

        func run() throws {
            let (head, text) = try options.connect().template(name)
            if options.json { return try Output.json(Document(name: head.name, tags: head.tags, text: text)) }
            try Output.line(Terminal.isTerminal(1) ? SafeText.text(text) : text)
        }
    }

    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: localized(
                "Make a template from Markdown on standard input, or put it in place of the one of this name."))

        @Argument(help: ArgumentHelp(localized("Its name.")))
        var name: String
        @Option(help: ArgumentHelp(localized("A tag for entries that begin with it; may be given several times.")))
        var tag: [String] = []

        func run() throws {
            let connection = try DiaryOptions().connect()
            try connection.requireSignIn()
            let text = try DiaryInput.readText(mayBeEmpty: false)
            try connection.ask(.setTemplate(DiaryTemplate(name: name, tags: tag)), body: text)
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: localized("Delete a template; entries that began with it stay."))

        @Argument(help: ArgumentHelp(localized("Its name.")))
        var name: String

        @OptionGroup var consent: ConsentOption

        func run() throws {
            try consent.ask(localized("Delete the template \(SafeText.line(name)) for good?"))
            try DiaryOptions().connect().ask(.removeTemplate(name: name))
        }
    }
}

extension ResidentConnection<DiaryMessages> {
    fileprivate func templates() throws -> [DiaryTemplate] {
        guard case .templates(let templates) = try ask(.templates).reply else { throw Self.unexpected }
        return templates
    }

    func template(_ name: String) throws -> (head: DiaryTemplate, text: String) {
        let (reply, body) = try ask(.template(name: name))
        guard case .template(let head) = reply else { throw Self.unexpected }
        return (head: head, text: String(decoding: body, as: UTF8.self))
    }
}
