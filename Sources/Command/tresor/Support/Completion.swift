import ArgumentParser
import KeychainNames
import Linux
import Secrets
import TerminalScreen
import Tresor
import Wire

/// What shells offer for a word that is being typed: names that the keychain shows now, never a secret.
///
/// It asks the device that runs, and starts none; it asks nobody at the terminal, and says nothing where it fails.
/// Items that the lock state shuts are not offered.
enum Completion {
    /// Names of items, as `get` finds them.
    static var names: CompletionKind { kind { $0.part == nil ? [$0.bestName, $0.label] : [] } }
    /// Accounts of items.
    static var accounts: CompletionKind { kind { [$0.account] } }
    /// Services of passwords.
    static var services: CompletionKind { kind([.password]) { $0.part == nil ? [$0.service] : [] } }
    /// Labels of items.
    static var labels: CompletionKind { kind { [$0.label] } }
    /// Servers of internet passwords.
    static var hosts: CompletionKind { kind([.internetPassword]) { [$0.server] } }
    /// What one-time codes are for.
    static var codes: CompletionKind {
        kind([.password]) { item in OneTimeCodeAccount(item).map { [$0.title] } ?? [] }
    }
    /// References of items, which are short enough for nobody but a shell.
    static var references: CompletionKind {
        // No name begins as a reference does.
        kind(isByName: false) { [Hexadecimal.encode($0.reference.bytes)] }
    }
    /// Names of keychains.
    static var keychains: CompletionKind {
        .custom { _, _, prefix in
            var found = FoundWords(prefix)
            guard let home = runningHome(), let names = try? KeychainList.names(of: home, within: patience) else {
                return []
            }
            for name in names { found.add(name) }
            return found.written
        }
    }

    /// How long the device may take for an answer.
    private static let patience = Duration.milliseconds(100)
    /// How long items are looked through, in milliseconds: whoever types does not wait for the rest.
    private static let time: UInt64 = 400

    /// - Parameter isByName: whether each word begins as a name of its item does.
    private static func kind(
        _ kinds: [ItemKind] = ItemKind.allCases, isByName: Bool = true,
        _ words: @escaping @Sendable (Item) -> [String?]
    ) -> CompletionKind {
        .custom { _, _, prefix in
            var found = FoundWords(prefix)
            guard let home = runningHome(), let link = try? link(home) else { return [] }
            let end = SystemClock.bootMilliseconds() + time
            let isEnough = { found.isFull || SystemClock.bootMilliseconds() > end }
            // Where it fails, what was found until then is offered.
            try? link.forEach(beginning: isByName ? prefix : "", until: isEnough) { item in
                guard kinds.contains(item.kind) else { return }
                for case let word? in words(item) { found.add(word) }
            }
            return found.written
        }
    }

    /// Nil where no device runs: a connection might start one.
    private static func runningHome() -> Home? {
        guard let home = try? Home(environment: CurrentProcess.environment, user: CurrentProcess.user),
            RunningDaemon.isThere(home)
        else { return nil }
        return home
    }

    private static func link(_ home: Home) throws -> ItemLink {
        let transport = try SocketTransport(home, within: patience)
        try Sandbox.harden()
        return ItemLink(transport)
    }

    // MARK: the request of a shell

    /// Whether a shell asks, and no person.
    static func isAsked(_ arguments: [String]) -> Bool { arguments.dropFirst().first == "---completion" }

    /// Answers a shell, and ends; silent where it can't.
    static func answer(_ root: any ParsableCommand.Type) -> Never {
        do { _ = try root.parseAsRoot() } catch {
            if root.exitCode(for: error).isSuccess { root.exit(withError: error) }
        }
        ProcessExit.end(with: ProcessExit.success)
    }
}

/// Words that begin as what is typed, each once.
private struct FoundWords {
    private static let most = 500

    private let prefix: String
    private var words: [String] = []
    private var known: Set<String> = []

    /// - Parameter typed: with the quotes of a shell.
    init(_ typed: String) { prefix = Self.folded(typed) }

    var isFull: Bool { words.count >= Self.most }

    mutating func add(_ word: String) {
        // What a terminal would obey, or nobody could see, is not typed for anybody.
        guard !word.isEmpty, SafeText.line(word) == word else { return }
        // It would be taken for an option.
        guard !word.hasPrefix("-") else { return }
        guard Self.folded(word).hasPrefix(prefix) else { return }
        if !isFull && known.insert(word).inserted { words.append(word) }
    }

    /// In lower case, and without the quotes of shells.
    private static func folded(_ text: String) -> String { text.lowercased().filter { !"\\'\"".contains($0) } }

    /// As the shell that asks reads them.
    var written: [String] {
        switch CompletionShell.requesting {
        // The list is expanded once more (bash(1), compgen -W): all of a word is quoted.
        case .bash:
            words.map { word in
                let parts = word.split(separator: "'", omittingEmptySubsequences: false)
                return "'" + parts.joined(separator: "'\\''") + "'"
            }
        // A colon parts a word from its description.
        case .zsh: words.map { String($0.flatMap { "\\:".contains($0) ? ["\\", $0] : [$0] }) }
        default: words
        }
    }
}
