import Certificates
import Localization
import TerminalScreen
import Tresor

/// Words, and what is said of items.
extension PlainBrowser {
    static let grammar = PlainGrammar([
        PlainWord("reveal", .choice, others: ["show"]), PlainWord("code", .choice),
    ])

    static var help: String {
        localized(
            """
            A number or a name opens an item of the list: all of it but its secret.
            list; list passwords, notes, certificates, keys or identities: numbered; more: the next ones; back
            find and words: in label, account and service
            open 3: the third item; the same by its name: open github
            reveal 3 says the secret, after a question; copy 3 puts it on the clipboard for 45 seconds
            code 3 says the one-time code of the third and how long it is good; copy code 3 copies it
            delete 3, after a question
            new, or new and a label: asks for what an item has; edit 3: the same of the third
            There an empty line keeps what is there, - alone empties it, and -- stands for a dash.
            lock locks the device; unlock; quit
            """)
    }

    mutating func obey(_ line: String) -> [Effect] {
        switch Self.grammar.parse(line) {
        case .nothing: return []
        case .choice where isLocked: return [.say(PlainSaying.lockedAnswer)]
        case .choice(let name): return obey("open", on: name, isAlone: true)
        case .word(let word, let rest): return isLocked ? obeyLocked(word) : obey(word, rest)
        }
    }

    private mutating func obeyLocked(_ word: PlainWord) -> [Effect] {
        switch word {
        case .help: [.say(PlainSaying.lockedHelp)]
        case .unlock: isDaemonGone ? [.say(DaemonAbsence.plainWords)] : askForPasscode()
        case .quit: [.quit]
        default: [.say(PlainSaying.lockedAnswer)]
        }
    }

    private mutating func obey(_ word: PlainWord, _ rest: String) -> [Effect] {
        switch word {
        case .help: return [.say(Self.help)]
        case .quit: return [.quit]
        case .list: return list(rest)
        case .find:
            guard !rest.isEmpty else { return [.say(localized("Say what to look for."))] }
            return go(to: PlainPlace(words: rest))
        case .more: return [.say(nextPage())]
        case .back:
            guard let former = formerPlaces.popLast() else { return [.say(PlainSaying.noWayBack)] }
            return go(to: former, isWayBack: true)
        case .new: return add(rest)
        case .undo: return [.say(PlainSaying.nothingToUndo)]
        case .lock: return [.lockDevice]
        case .unlock: return [.say(localized("The device is unlocked already."))]
        case .copy where isOfCode(rest): return obey("copy code", on: String(rest.dropFirst("code ".count)))
        default: return obey(word.name, on: rest)
        }
    }

    /// Whether "code" is what shall be copied, and not the name of an item.
    private func isOfCode(_ rest: String) -> Bool {
        if case .one(_, isSure: true) = PlainChoice(rest, among: records.map(\.label)) { return false }
        return rest.lowercased() == "code" || rest.lowercased().hasPrefix("code ")
    }

    // MARK: One item

    /// - Parameters:
    ///   - name: a number of the list, or a name in it; empty for the item that is open.
    ///   - isAlone: whether that was the whole line, which may be a word that was mistyped.
    private mutating func obey(_ deed: String, on name: String, isAlone: Bool = false) -> [Effect] {
        guard !name.isEmpty else {
            guard deed != "open", let opened else { return [.say(PlainSaying.which)] }
            return perform(deed, on: opened)
        }
        switch PlainChoice(name, among: records.map(\.label)) {
        // What is done is asked about with its name, however it was named.
        case .one(let index, _): return perform(deed, on: records[index])
        case .several(let found):
            let lines = found.prefix(Self.pageSize).map { Self.words(of: records[$0], number: $0 + 1) }
            return [.say(([PlainSaying.several] + lines).joined(separator: "\n"))]
        case .noNumber: return [.say(PlainSaying.noNumber(name))]
        case .nothing(let similar):
            guard isAlone else { return [.say(PlainSaying.nothingNamed(name, similar: similar))] }
            return [.say(PlainSaying.notUnderstood(name, similar: Self.grammar.similar(to: name) + similar))]
        }
    }

    private mutating func perform(_ deed: String, on record: Record) -> [Effect] {
        switch deed {
        case "open":
            opened = record
            return [.say(Self.details(of: record))]
        case "reveal":
            guard record.secretReference != nil else {
                guard record.code == nil else { return [.say(Self.seedIsKept)] }
                return read(record, .show)
            }
            expectation = .revealing(record)
            return [.say(localized("Say the secret of \(SafeText.line(record.label))? It stays in this terminal."))]
        case "copy": return read(record, record.kind == .code ? .copyCode : .copy)
        case "code": return read(record, .showCode)
        case "copy code": return read(record, .copyCode)
        case "edit": return edit(record)
        default:
            expectation = .deletion(record)
            let count = listing?.removal(of: record).count ?? 1
            return [.say(Self.question(record.deletionQuestion(removing: count)))]
        }
    }

    /// Without the keys that the screen names.
    private static func question(_ words: String) -> String {
        words.hasSuffix(" y/n") ? String(words.dropLast(" y/n".count)) : words
    }

    private static func details(of record: Record) -> String {
        var lines =
            [localized("\(record.label). Kind: \(record.kindWords).")] + record.facts.map { "\($0.name): \($0.value)" }
        if record.secretReference != nil { lines.append(localized("Secret: hidden; reveal says it, copy copies it.")) }
        if record.code != nil { lines.append(localized("One-time code: code says it, copy code copies it.")) }
        return (lines.map { SafeText.line($0) } + [localized("End of item.")]).joined(separator: "\n")
    }

    // MARK: Lists

    private mutating func list(_ kind: String) -> [Effect] {
        guard !kind.isEmpty else { return go(to: PlainPlace()) }
        let named = ["notes": Filter.secureNotes]
        let filter = Filter.allCases.first { $0.typed == kind.lowercased() } ?? named[kind.lowercased()]
        guard let filter else {
            return [.say(localized("Say list passwords, notes, certificates, keys or identities."))]
        }
        return go(to: PlainPlace(filter: filter))
    }

    private mutating func go(to new: PlainPlace, isWayBack: Bool = false) -> [Effect] {
        if new != place, !isWayBack { formerPlaces.append(place) }
        (place, isListWanted, opened) = (new, true, nil)
        return [.list]
    }

    mutating func accept(_ new: Listing) -> [Effect] {
        var new = new
        new.joinCodes()
        listing = new
        guard isListWanted else {
            refresh(new)
            return followForm()
        }
        isListWanted = false
        (records, readCount) = (place.records(of: new), 0)
        var lines = [
            localized(
                records.count, one: "\(place.title): 1 item.", many: "\(place.title): \(records.count) items.")
        ]
        let locked = new.locked.reduce(0) { $0 + $1.count }
        if locked > 0 { lines.append(localized("Locked and not listed: \(locked).")) }
        if new.damaged > 0 { lines.append(localized("Damaged, and kept: \(new.damaged); tresor status names them.")) }
        return [.say((lines + (records.isEmpty ? [] : [nextPage()])).joined(separator: "\n"))] + followForm()
    }

    private mutating func nextPage() -> String {
        let page = records[readCount..<min(readCount + Self.pageSize, records.count)]
        guard !page.isEmpty else { return PlainSaying.noMore }
        var lines = page.enumerated().map { Self.words(of: $0.element, number: readCount + $0.offset + 1) }
        readCount += page.count
        let left = records.count - readCount
        if left > 0 { lines.append(localized("There are \(left) more; type more.")) }
        return lines.joined(separator: "\n")
    }

    private static func words(of record: Record, number: Int) -> String {
        let account = record.account.isEmpty || record.account == record.label ? [] : [record.account]
        let code = record.code != nil && record.kind != .code ? [localized("with a one-time code")] : []
        return "\(number). "
            + SafeText.line(([record.label] + account + [record.kindWords] + code).joined(separator: ", "))
    }
}
