import Localization
package import Widgets

/// Everything that can be said of a widget program without its author: what is refused of it, and what it may not mean.
///
///     let check = ProgramCheck(try ExternalProgram(path: path, builtInKinds: []), at: now)
///     for finding in check.findings { print(finding.text) }
package struct ProgramCheck: Sendable {
    /// A sentence about the program.
    package struct Finding: Equatable, Sendable {
        /// Whether a host refuses it; else it is something to think about.
        package let isRefusal: Bool
        /// In words; none of the program's data is among them.
        package let text: String
    }

    /// A widget in one size, in the three ways in which it is seen.
    package struct Rendering: Equatable, Sendable {
        /// On the desktop of its owner.
        package let shown: Frame
        /// On a screen that is locked, as made where the secrets are not at hand.
        package let locked: Frame
        /// Where there is nothing yet, or nothing may be shown.
        package let placeholder: Frame
    }

    /// In the order in which the program was asked.
    package private(set) var findings: [Finding] = []
    /// By widget and size.
    package private(set) var renderings: [Rendering] = []

    /// Starts the program twice for each of its widgets, and once before.
    ///
    /// - Parameters:
    ///   - program: the program.
    ///   - now: the time.
    package init(_ program: ExternalProgram, at now: Moment) {
        guard let widgets = attempt(program.name, { () throws(ProgramError) in try program.describe() }) else { return }
        for widget in widgets {
            let timeline = attempt(localized("\(widget.kind), timeline")) { () throws(ProgramError) in
                try program.timeline(widget, in: widget.families, at: now)
            }
            let placeholders = attempt(localized("\(widget.kind), placeholder")) { () throws(ProgramError) in
                try program.placeholders(of: widget)
            }
            guard let timeline, let placeholders else { continue }
            look(at: widget, timeline, at: now)
            for (family, placeholder) in placeholders {
                guard let view = timeline.view(family, at: now) else { continue }
                render(widget, family, view, placeholder)
            }
        }
    }

    private mutating func attempt<Answer>(
        _ what: String, _ ask: () throws(ProgramError) -> Answer
    ) -> Answer? {
        do throws(ProgramError) { return try ask() } catch {
            var isRefusal = true
            if case .failed = error { isRefusal = false }
            findings.append(Finding(isRefusal: isRefusal, text: "\(what): \(error)"))
            return nil
        }
    }

    private mutating func hint(_ text: String) { findings.append(Finding(isRefusal: false, text: text)) }

    private mutating func look(at widget: WidgetConfiguration, _ timeline: TimelineArchive, at now: Moment) {
        let views = timeline.entries.flatMap { $0.views.map { $0.view } }
        let hidesSomething = views.contains { !HiddenTexts($0).isEmpty }
        if !hidesSomething {
            switch widget.protection {
            case .none:
                hint(
                    localized(
                        """
                        nothing in \(widget.kind) is private or sealed, and its protection is none: all of it is shown \
                        to whoever sees the screen, before the first unlock too
                        """))
            case .completeUntilFirstUserAuthentication:
                hint(
                    localized(
                        "nothing in \(widget.kind) is private or sealed: while the device is locked all of it is shown")
                )
            case .complete, .completeUnlessOpen: break
            }
        }
        if let reload = timeline.reload, reload < now.advanced(bySeconds: 60) {
            hint(
                localized("\(widget.kind) wants to be asked again within a minute; hosts ask it later, and less often"))
        }
    }

    private mutating func render(
        _ widget: WidgetConfiguration, _ family: WidgetFamily, _ view: Node, _ placeholder: Node
    ) {
        let size = localized("\(widget.kind) in \(family.name)")
        var environment = ViewEnvironment(family: family)
        let shown = Redaction.resolve(view, in: environment)
        environment.placement = .lockScreen
        environment.redactionReasons = .privacy
        let locked = Redaction.resolve(view, in: environment)
        environment.redactionReasons = .placeholder
        let masked = Redaction.resolve(placeholder, in: environment)
        renderings.append(
            Rendering(
                shown: Frame(widget, family: family, state: .shown, root: shown),
                locked: Frame(widget, family: family, state: .redacted, root: locked),
                placeholder: Frame(widget, family: family, state: .placeholder, root: masked)))
        let hidden = HiddenTexts(view)
        if hidden.isSaid(in: locked) || hidden.isSaid(in: masked) {
            hint(
                localized(
                    "something that \(size) hides stands in its open part or its placeholder as well, for all to see"))
        }
        if family == .accessoryInline && shown.texts.isEmpty {
            hint(localized("\(size) has no words, of which that size consists"))
        }
        if shown.hasUnlabelledPicture {
            hint(localized("a picture of \(size) has no label: nobody hears what it shows"))
        }
    }
}

/// What of a view only its owner may read.
struct HiddenTexts {
    private var texts: [String] = []
    /// Whether nothing in the view is private or sealed.
    private(set) var isEmpty = true

    init(_ view: Node) { collect(view, isPrivate: false) }

    /// Whether one of them, if it is long enough to be no coincidence, is readable in a frame.
    func isSaid(in frame: FrameNode) -> Bool {
        let said = frame.texts
        return texts.contains { text in text.count >= 4 && said.contains { $0.contains(text) } }
    }

    private mutating func collect(_ node: Node, isPrivate: Bool) {
        if isPrivate { isEmpty = false }
        switch node {
        case .text(let run): if isPrivate { texts.append(run.content) }
        case .image(let picture): if isPrivate && !picture.label.isEmpty { texts.append(picture.label) }
        case .gauge(_, _, let label), .toggle(_, let label): collect(label, isPrivate: isPrivate)
        case .stack(_, _, _, let nodes), .group(let nodes), .choice(_, let nodes):
            for node in nodes { collect(node, isPrivate: isPrivate) }
        case .modified(.privacySensitive(let isPrivate), let inner): collect(inner, isPrivate: isPrivate)
        case .modified(_, let inner): collect(inner, isPrivate: isPrivate)
        case .sealed(let content, _):
            isEmpty = false
            if let content { collect(content, isPrivate: true) }
        case .symbol, .divider, .spacer, .reader: break
        }
    }
}

extension FrameNode {
    /// All that can be read or heard of it.
    var texts: [String] {
        switch self {
        case .text(let run, _): [run.content]
        case .image(let picture, _): picture.label.isEmpty ? [] : [picture.label]
        case .gauge(_, _, let label, _), .toggle(_, let label, _): label.texts
        case .stack(_, _, _, let nodes): nodes.flatMap { $0.texts }
        case .labelled(let label, let node), .link(let label, let node): [label] + node.texts
        case .symbol, .divider, .spacer, .mask: []
        }
    }

    fileprivate var hasUnlabelledPicture: Bool {
        switch self {
        case .image(let picture, _): picture.label.isEmpty
        case .gauge(_, _, let label, _), .toggle(_, let label, _): label.hasUnlabelledPicture
        case .stack(_, _, _, let nodes): nodes.contains { $0.hasUnlabelledPicture }
        case .link(_, let node): node.hasUnlabelledPicture
        case .labelled, .text, .symbol, .divider, .spacer, .mask: false
        }
    }
}
