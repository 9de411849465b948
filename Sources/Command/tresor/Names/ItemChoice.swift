import KeychainNames
import Linux
import Localization
import Protection
import SoughtNames
import TerminalScreen
import Tresor
import Wire

/// The one item that a name means: where several have it, none is chosen.
struct ItemChoice {
    let name: String
    let narrowing: NamedItems.Narrowing
    /// The options of the command that narrow, for advice.
    let narrowingOptions: String
    /// The one of them that says whose account.
    var accountOption = "--account"

    /// The item, for a command that changes nothing.
    func forReading(in keychain: Keychain) async throws -> Item {
        let (item, found) = try await only(in: keychain)
        left(found).tell()
        return item
    }

    /// The item, for a command that changes it or removes it.
    ///
    /// What cannot be looked at may have the name as well; then nothing is chosen. Where the name fits only in part,
    /// somebody has to be there who says whether that one is meant.
    ///
    /// - Parameter canAsk: whether somebody is there.
    func forChange(in keychain: Keychain, canAsk: Bool) async throws -> (item: Item, isSure: Bool) {
        let (item, found) = try await only(in: keychain) { found in
            guard let tier = found.tier, !tier.isSure, !canAsk else { return }
            throw Failure(
                ExitCode.notFound, localized("nothing has exactly this name; nothing was changed"),
                hint: Self.similar(found.items.prefix(3).map(\.bestName)))
        }
        guard try await keychain.status().lockState != .beforeFirstUnlock else {
            throw Failure(
                ExitCode.locked,
                localized("before the first unlock others of this name may be shut; nothing was changed"),
                hint: localized("unlock with 'tresor unlock'"))
        }
        let left = self.left(found)
        if left.hidesSomething {
            Output.error(localized("what could not be looked at may have this name as well; nothing was changed"))
            try left.report(isLockExpected: false)
        }
        return (item, found.tier?.isSure == true)
    }

    private func only(
        in keychain: Keychain, check: (NamedItems.Found) throws -> Void = { _ in }
    ) async throws -> (Item, NamedItems.Found) {
        guard !name.isEmpty else {
            throw Failure(
                ExitCode.usage, localized("a name has at least one character"),
                hint: localized("'tresor ls' shows what there is"))
        }
        let found = try await NamedItems(in: keychain, narrowing).find(name)
        guard let item = found.items.first else {
            try await refuseAbsent(found, in: keychain)
            throw Self.absent(found)
        }
        try check(found)
        guard found.items.count == 1 else { throw several(found.items) }
        guard found.tier != .exact || found.locked == nil else {
            throw Failure(
                ExitCode.locked, localized("one item of this name is open, and others are locked; none was chosen"),
                hint: localized("unlock with 'tresor unlock', or narrow it to one: \(narrowingOptions)"))
        }
        return (item, found)
    }

    /// - Throws: where the item may be there all the same.
    private func refuseAbsent(_ found: NamedItems.Found, in keychain: Keychain) async throws {
        if found.tier == .exact, let locked = found.locked {
            // Says of what class it is, and how the device stands.
            _ = try await keychain.find(locked)
        }
        if try await keychain.status().lockState == .beforeFirstUnlock {
            // The index is shut as well: the keychain says so of any name that it does not find.
            _ = try await keychain.find(.password(service: name))
        }
        let left = self.left(found)
        guard left.hidesSomething else { return }
        Output.error(localized("nothing of this name is among the items that can be looked at"))
        try left.report(isLockExpected: false)
    }

    private static func absent(_ found: NamedItems.Found) -> Failure {
        let hint = found.similar.isEmpty ? localized("'tresor ls' shows what there is") : similar(found.similar)
        return Failure(ExitCode.notFound, localized("nothing has this name"), hint: hint)
    }

    /// That several items have the name, with the list of them.
    func several(_ items: [Item]) -> Failure {
        let differences = ItemDifferences(items)
        var lines = [localized("\(items.count) items have this name; none was chosen"), differences.words]
        lines += Output.told(differences.table(of: items.prefix(Self.mostListed)))
        if items.count > Self.mostListed { lines.append(localized("  and \(items.count - Self.mostListed) more")) }
        let options = differences.options(account: accountOption).joined(separator: ", ")
        return Failure(
            ExitCode.duplicate, lines.joined(separator: "\n"), hint: localized("narrow it to one: \(options)"))
    }

    private static let mostListed = 20

    private static func similar(_ names: [String]) -> String {
        localized("similar: \(names.map { SafeText.line($0) }.joined(separator: ", "))")
    }

    private func left(_ found: NamedItems.Found) -> LeftOut {
        LeftOut(damaged: found.damagedCount, locked: found.lockedCount)
    }
}

/// A question to whoever sits at the terminal.
enum Question {
    /// Whether somebody is there who sees it and can answer.
    static var canBeAsked: Bool { Terminal.isTerminal(0) && Terminal.isTerminal(2) }

    /// - Parameter what: shall be done, as in "Change this one?".
    /// - Throws: `Failure` for any answer but yes.
    static func confirm(_ what: String) throws {
        _ = try StandardStream.error.write(Terminal.wrapped(localized("\(what) [y/N] "), on: 2))
        guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else {
            throw Failure(ExitCode.usage, localized("not confirmed; nothing was changed"))
        }
    }
}

extension Item {
    /// What people see of it before it is changed: a line for each thing that it has.
    var shownLines: [String] { lines([]) }

    /// What people see of it behind an addition: when it opens, too.
    var keptLines: [String] { lines([(localized("class"), protectionClass?.name)]) }

    private func lines(_ further: [(title: String, value: String?)]) -> [String] {
        var table = TextTable([localized("kind"), kindName])
        let values: [(title: String, value: String?)] =
            [
                (localized("service"), service), (localized("server"), server), (localized("account"), account),
                (localized("protocol"), ItemDifferences.name(ofProtocol: protocolName)),
                (localized("port"), port.flatMap { $0 == 0 ? nil : "\($0)" }), (localized("path"), path),
                (localized("label"), label), (localized("tag"), applicationTag), (localized("keychain"), keychain),
            ] + further
        for (title, value) in values {
            if let value, !value.isEmpty { table.add([title, value]) }
        }
        return table.lines.map { "  " + $0 }
    }
}
