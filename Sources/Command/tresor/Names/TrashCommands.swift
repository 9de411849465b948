import ArgumentParser
import FoundationEssentials
import KeychainNames
import Linux
import Localization
import SoughtNames
import TerminalScreen
import Tresor
import Wire

struct TrashList: AsyncParsableCommand, ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trash", abstract: localized("List the items that 'rm' has removed; never their secrets."),
        discussion: localized(
            """
            A line has kind, name, account, label and for how many more days it can be brought back, with tabs between \
            them; at a terminal there is a header, and columns are aligned. Items that the lock state shuts are left \
            out, and their number is said: then it ends with 5, unless --skip-locked is given.
            """))

    @OptionGroup var form: ListForm

    func run() async throws {
        let keychain = try Keychain()
        let contents = try await keychain.trashed()
        let days = try await keychain.trashTime()
        if form.json {
            try Output.json(contents.items.map { TrashedDocument(trashed: $0.trashed, item: ItemDocument($0.item)) })
        } else if form.namesAlone {
            for entry in contents.items { try Output.line(SafeText.line(entry.item.bestName)) }
        } else {
            try print(contents.items, days)
        }
        try TrashedItem.left(contents).report(isLockExpected: form.skipLocked)
    }

    private func print(_ items: [TrashedItem], _ days: UInt32) throws {
        let rows = items.map { $0.cells + [$0.daysLeft(of: days).map { "\($0)" } ?? ""] }
        guard Terminal.isTerminal(1) else {
            for row in rows { try Output.line(row.map { SafeText.line($0) }.joined(separator: "\t")) }
            return
        }
        var table = TextTable(
            [localized("KIND"), localized("NAME"), localized("ACCOUNT"), localized("LABEL"), localized("DAYS LEFT")],
            yielding: [.shortened(3, to: 12), .dropped(3), .dropped(0), .dropped(4), .dropped(2)])
        for row in rows { table.add(row) }
        try Output.table(table)
    }
}

private struct TrashedDocument: Encodable {
    let trashed: Date?
    let item: ItemDocument
}

struct RestoreByName: AsyncParsableCommand, ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: localized("Take the item that has a name out of the trash, to where it was."),
        discussion: localized(
            """
            Where several in the trash have the name, they are listed and none is taken (exit code 4): --latest takes \
            the one that was removed last. Where another item has its place by now, it stays in the trash (exit code \
            4). Nobody is asked for what it demands; reading it demands that as before.
            """))

    @OptionGroup var item: NameOptions
    @Flag(help: ArgumentHelp(localized("Of several, take the one that was removed last.")))
    var latest = false

    func run() async throws {
        guard !item.name.isEmpty else {
            throw Failure(Wire.ExitCode.usage, localized("a name has at least one character"))
        }
        let keychain = try Keychain()
        let contents = try await keychain.trashed()
        let left = TrashedItem.left(contents)
        let found = SoughtName(item.name).best(of: contents.items.filter(isWanted)) { $0.item.knownNames }.values
        guard !found.isEmpty else {
            if left.hidesSomething {
                Output.error(localized("nothing of this name is among what can be looked at in the trash"))
                try left.report(isLockExpected: false)
            }
            throw Failure(
                Wire.ExitCode.notFound, localized("nothing in the trash has this name"),
                hint: localized("'tresor trash' lists what is there")
            )
        }
        let last = found.max { ($0.trashed ?? .distantPast) < ($1.trashed ?? .distantPast) }
        guard found.count == 1 || latest, let chosen = last else { throw several(found) }
        do { try await keychain.restore(chosen.item.reference) } catch let error as TresorError
            where error.code == .duplicate
        {
            throw Failure(
                Wire.ExitCode.duplicate, localized("another item has its place; it stays in the trash"),
                hint: localized(
                    "give that one another name or account with 'tresor edit', or remove it with 'tresor rm'"))
        }
        for line in chosen.item.shownLines { Output.error(line) }
        left.tell()
    }

    private func isWanted(_ entry: TrashedItem) -> Bool {
        let options = item.narrowing
        guard options.kind == nil || entry.item.kindName == options.kind?.rawValue else { return false }
        guard options.account == nil || entry.item.account == options.account else { return false }
        guard item.id?.isOf(entry.item) != false else { return false }
        return options.keychain == nil || entry.item.keychain == options.keychain
    }

    private func several(_ found: [TrashedItem]) -> Failure {
        let differences = ItemDifferences(found.map(\.item))
        let lines =
            [localized("\(found.count) items in the trash have this name; none was chosen"), differences.words]
            + differences.table(of: found.prefix(20).map(\.item)).lines.map { "  " + $0 }
        let options = differences.options(account: "--account").joined(separator: ", ")
        return Failure(
            Wire.ExitCode.duplicate, lines.joined(separator: "\n"),
            hint: localized("narrow it to one: \(options); or --latest"))
    }
}

struct EmptyTrash: AsyncParsableCommand, ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "empty",
        abstract: localized("Remove for good what lies in the trash. It says how much, and you are asked."),
        discussion: localized("What is locked or damaged goes as well. Nothing brings these items back."))

    @OptionGroup var consent: RemovalConsent

    func run() async throws {
        let canAsk = try consent.isAsking()
        let keychain = try Keychain()
        let contents = try await keychain.trashed()
        let count = contents.items.count + contents.lockedCount + contents.damagedCount
        guard count > 0 else { return Output.error(localized("the trash is empty")) }
        for entry in contents.items.prefix(20) { Output.error("  " + SafeText.line(entry.item.bestName)) }
        if canAsk {
            try Question.confirm(
                localized(count, one: "Remove 1 item for good?", many: "Remove \(count) items for good?"))
        }
        try await keychain.emptyTrash()
        Output.error(localized(count, one: "removed for good: 1 item", many: "removed for good: \(count) items"))
    }
}

extension TrashedItem {
    fileprivate var cells: [String] { [item.kindName, item.bestName, item.account ?? "", item.label ?? ""] }

    /// - Parameter days: after how many it goes; 0 is never.
    /// - Returns: nil where it does not go by itself.
    fileprivate func daysLeft(of days: UInt32) -> Int? {
        guard days > 0, let trashed else { return nil }
        return max(0, Int(days) - Int(Date().timeIntervalSince(trashed) / 86_400))
    }

    fileprivate static func left(_ contents: TrashContents) -> LeftOut {
        LeftOut(damaged: contents.damagedCount, locked: contents.lockedCount)
    }
}
