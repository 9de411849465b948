import ArgumentParser
import KeychainNames
import Linux
import Localization
import Protection
import TerminalScreen
import Tresor
import Wire

struct ListByName: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: localized("List items of all kinds; never their secrets."),
        discussion: localized(
            """
            At a terminal there is a header, and columns are aligned; in a narrow one the class, the label and more \
            are left out, but never a name. Elsewhere a line has kind, name, account, label and class, with tabs \
            between them. Items that the lock state shuts are left out, and their number is said: then it ends with 5, \
            unless --skip-locked is given. It ends with 8 where items are damaged.
            """))

    @OptionGroup var narrowing: NarrowingOptions
    @OptionGroup var form: ListForm

    func run() async throws {
        var rows = form.rows
        let keychain = try Keychain()
        let left = try await ItemWalk(in: keychain, narrowing.narrowing).forEach { try rows.add($0) }
        try rows.finish(damaged: left.damaged)
        try left.report(isLockExpected: form.skipLocked)
    }
}

struct FindByName: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: localized("List the items that have all of these words in their names or comments."),
        discussion: localized(
            """
            Capitals do not count, and parts of words are found. Secrets are not searched. It prints what 'ls' \
            prints, and ends with 3 where nothing is found.
            """))

    @Argument(help: ArgumentHelp(localized("Words, all of which must be there.")))
    var words: [String]
    @OptionGroup var narrowing: NarrowingOptions
    @OptionGroup var form: ListForm

    func run() async throws {
        let folded = words.map { $0.lowercased() }
        var rows = form.rows
        var count = 0
        let keychain = try Keychain()
        let left = try await ItemWalk(in: keychain, narrowing.narrowing).forEach { item in
            let texts = (item.knownNames + [item.comment ?? ""]).map { $0.lowercased() }
            guard folded.allSatisfy({ word in texts.contains { $0.contains(word) } }) else { return }
            count += 1
            try rows.add(item)
        }
        try rows.finish(damaged: left.damaged)
        try left.report(isLockExpected: form.skipLocked)
        guard count > 0 else {
            throw Failure(
                Wire.ExitCode.notFound, localized("nothing has these words"),
                hint: localized("'tresor ls' shows what there is"))
        }
    }
}

/// How items are listed.
struct ListForm: ParsableArguments {
    @Flag(help: ArgumentHelp(localized("As JSON, one array.")))
    var json = false
    @Flag(name: [.customShort("q"), .long], help: ArgumentHelp(localized("Names alone, one on each line.")))
    var quiet = false
    @Flag(help: ArgumentHelp(localized("That locked items are left out is no failure.")))
    var skipLocked = false

    func validate() throws {
        if json && namesAlone {
            throw ValidationError(localized("--json prints attributes and --quiet names; give one of them"))
        }
    }

    /// Of the option that every command takes the program has taken note already; here it means more.
    var namesAlone: Bool { quiet || Manner.isQuiet }

    var rows: ItemRows { ItemRows(json ? .json : namesAlone ? .names : Terminal.isTerminal(1) ? .table : .lines) }
}

/// Items as they are printed, one after the other.
struct ItemRows {
    enum Form { case json, names, table, lines }

    private let form: Form
    private var documents: [JSONElement] = []
    private var table = TextTable(
        [localized("KIND"), localized("NAME"), localized("ACCOUNT"), localized("LABEL"), localized("CLASS")],
        yielding: ItemRows.yielding)

    /// Of kind, name, account, label and class; names are typed, and accounts where several items have one name.
    static let yielding: [TextTable.Yield] = [
        .dropped(4), .shortened(3, to: 12), .dropped(3), .dropped(0), .dropped(2),
    ]

    init(_ form: Form) { self.form = form }

    mutating func add(_ item: Item) throws {
        switch form {
        case .json: documents.append(JSONElement(ItemDocument(item)))
        case .names: try Output.line(SafeText.line(item.bestName))
        // How wide its columns are is known at its end.
        case .table: table.add(Self.cells(item))
        case .lines: try Output.line(Self.cells(item).map { SafeText.line($0) }.joined(separator: "\t"))
        }
    }

    /// - Parameter damaged: how many items cannot be read.
    func finish(damaged: Int) throws {
        switch form {
        case .json: try Output.json(documents + JSONElement.damagedItems(damaged))
        case .table: try Output.table(table)
        case .names, .lines: break
        }
    }

    private static func cells(_ item: Item) -> [String] {
        [item.kindName, item.bestName, item.account ?? "", item.label ?? "", item.protectionClass?.name ?? ""]
    }
}

/// Goes through all items, page by page.
struct ItemWalk {
    private let keychain: Keychain
    private let narrowing: NamedItems.Narrowing

    init(in keychain: Keychain, _ narrowing: NamedItems.Narrowing) {
        self.keychain = keychain
        self.narrowing = narrowing
    }

    /// - Returns: what could not be shown.
    func forEach(_ body: (Item) throws -> Void) async throws -> LeftOut {
        var left = LeftOut()
        for kind in narrowing.kinds {
            guard let attributes = narrowing.attributes(of: kind) else { continue }
            var query = ItemQuery(kind, attributes)
            query.skipsLocked = true
            var items = keychain.items(query).makeAsyncIterator()
            while let item = try await items.next() {
                if narrowing.accepts(item) { try body(item) }
            }
            left.damaged += items.damagedCount
            left.locked += items.lockedCount
        }
        if try await keychain.status().lockState == .beforeFirstUnlock {
            left.isEarly = true
            left.isUncounted = narrowing.isByAttributes
        }
        return left
    }
}
