import ArgumentParser
import DiaryClient
import Linux
import Localization
import NotesClient
import ResidentClient
import TerminalScreen
import Tresor
import WidgetClient
import Wire

struct IntegritySettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "integrity",
        abstract: localized("Show or change what notes, diary and widgets do about signs of a compromised machine."),
        discussion: localized(
            """
            At each start they look for signs, and tell of each once. off: nothing is looked at; log: to the program's \
            log; warn: also on standard error of the next command; refuse: on a machine that counts as compromised \
            they do not start. 'tresor doctor' looks at more, by the same weights.
            """))

    @Option(help: ArgumentHelp(localized("off, log, warn or refuse; warn, unless you say otherwise.")))
    var policy: IntegritySettings.Policy?
    @Option(
        help: ArgumentHelp(
            localized("The sum of weights at which a machine counts as compromised, if at least two signs are bad.")))
    var threshold: Int?
    @Option(
        help: ArgumentHelp(
            localized("What a finding weighs, as NAME=WEIGHT, 0 to 1000; 'tresor doctor' prints the names.")))
    var weight: [String] = []
    @Option(
        help: ArgumentHelp(localized("A file or folder that code may be loaded from, besides the system's.")),
        completion: .file())
    var allowCode: [String] = []
    @Flag(help: ArgumentHelp(localized("Back to the standard, before anything else that is said here.")))
    var reset = false
    @Flag(help: ArgumentHelp(localized("As JSON.")))
    var json = false

    func run() throws {
        let home = try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
        let before = IntegritySettings(home: home)
        var settings = reset ? IntegritySettings() : before
        settings.policy = policy ?? settings.policy
        settings.threshold = threshold ?? settings.threshold
        for text in weight {
            let (name, weight) = try Self.parse(text)
            settings.weights[name] = weight
        }
        for path in allowCode where !settings.allowedCode.contains(path) { settings.allowedCode.append(path) }
        if settings != before || reset {
            try FileSystem.makeDirectories(home.data)
            try settings.save(home)
        }
        if json { return try Output.json(settings) }
        try Output.line("policy     \(settings.policy.rawValue)")
        try Output.line("threshold  \(settings.threshold)")
        for (name, weight) in settings.weights.sorted(by: { $0.key < $1.key }) {
            try Output.line("weight     \(SafeText.line(name)) \(weight)")
        }
        for path in settings.allowedCode { try Output.line("allowed    \(SafeText.line(path))") }
    }

    func validate() throws {
        if let threshold, !(1...10_000).contains(threshold) {
            throw ValidationError(localized("--threshold is from 1 to 10000"))
        }
        for text in weight { _ = try Self.parse(text) }
        guard allowCode.allSatisfy({ $0.hasPrefix("/") }) else {
            throw ValidationError(localized("--allow-code takes absolute paths"))
        }
    }

    private static func parse(_ text: String) throws -> (name: String, weight: Int) {
        let parts = text.split(separator: "=").map(String.init)
        guard parts.count == 2, let probe = IntegrityProbe(rawValue: parts[0]), probe.kind != .surroundings,
            let weight = Int(parts[1]), (0...1000).contains(weight)
        else { throw ValidationError(localized("--weight takes NAME=WEIGHT, such as writable-code=0")) }
        return (probe.rawValue, weight)
    }
}

extension IntegritySettings.Policy: ExpressibleByArgument {}

/// What resident programs found at their starts and nobody was told yet: said once, on standard error.
enum IntegrityWarnings {
    static func tell() {
        // They are told another time.
        guard !Manner.isQuiet else { return }
        guard let home = try? Home(environment: CurrentProcess.environment, user: CurrentProcess.user) else { return }
        for program in [ResidentProgram.notes(home), .diary(home), .widgets(home)] {
            for sign in IntegrityNotes(program.name, folder: program.folder).takeUntold() {
                let (seen, name) = (SafeText.line(translated(sign.seen)), SafeText.line(sign.name))
                Output.error(
                    localized(
                        """
                        warning: \(program.name): \(seen) (\(name)); 'tresor doctor' says what that may mean. You are \
                        told once.
                        """))
            }
        }
    }
}
