import FoundationEssentials
import Localization
import Secrets
import Tresor

/// An entry of a KeePass file as far as it was read: where its strings lie, and what else it says.
struct KeePassEntry {
    let line: Int
    /// Counted over the file; 0 for one of a history.
    let number: Int
    /// The groups that it lies in, below the first.
    let folder: String
    /// Its strings in their order.
    private(set) var strings: [(key: String, value: Range<Int>)] = []
    /// States that it had before, oldest first.
    var history: [KeePassEntry] = []
    /// Names of files.
    var attachments: [String] = []
    /// What has no place of its own.
    var remarks = NamedLines()
    /// What is counted and not carried over.
    var leftOut: [String] = []
    /// When it was changed last, and when it ends.
    var modified = ""
    var expiry = ""
    var expires = false
    /// What makes it a bad row.
    var problem: CSVError.Problem?

    init(number: Int, line: Int, folder: String) {
        self.number = number
        self.line = line
        self.folder = folder
    }

    mutating func add(_ key: String, _ value: Range<Int>) { strings.append((key, value)) }

    /// The keys that KeePass itself gives to each entry.
    static let ownKeys = ["Title", "UserName", "Password", "URL", "Notes"]

    func value(_ key: String) -> Range<Int>? {
        strings.first { $0.key == key }.flatMap { $0.value.isEmpty ? nil : $0.value }
    }

    /// - Throws: `CSVError.Problem` where it can't become items.
    func entry(in arena: inout SecretArena) throws -> CSVEntry {
        if let problem { throw problem }
        var entry = CSVEntry(number: number, line: line)
        entry.folder = folder
        entry.leftOut = leftOut
        entry.title = try text("Title", arena)
        entry.username = try text("UserName", arena)
        entry.address = try text("URL", arena)
        entry.password = try value("Password")?.field("Password")
        var remarks = self.remarks
        entry.keep(addressAndFolderIn: &remarks)
        try entry.checkTexts()
        var further = strings.filter { !Self.ownKeys.contains($0.key) }
        if let code = try KeePassCode(strings: further).written(in: &arena) {
            entry.oneTimeCode = try code.secret.field("one-time code")
            further.removeAll { code.keys.contains($0.key) }
        }
        var fields = NamedLines()
        for (key, value) in further {
            if value.isEmpty { fields.add(key, "") } else { fields.add(key, value) }
        }
        entry.customFields = try fields.written(behind: nil, as: "fields", in: &arena)
        if expires { remarks.add("expires", KeePassTime.words(expiry)) }
        for name in attachments {
            remarks.add("attachment, not imported", name)
            entry.leftOut.append(marked("attachments"))
        }
        if !history.isEmpty { entry.leftOut.append(marked("former tags and times")) }
        addHistory(to: &remarks, arena)
        entry.notes = try remarks.written(behind: value("Notes"), as: "Notes", in: &arena)
        return entry
    }

    /// What strings were before, each time that they changed.
    private func addHistory(to remarks: inout NamedLines, _ arena: borrowing SecretArena) {
        let now = Dictionary(strings.map { ($0.key, $0.value) }) { first, _ in first }
        let present = Set(attachments)
        var known: [String: Range<Int>] = [:]
        for old in history {
            for (key, value) in old.strings where !value.isEmpty && !remarks.isFull {
                if let now = now[key], arena.isSame(now, value) { continue }
                if let before = known[key], arena.isSame(before, value) { continue }
                known[key] = value
                remarks.add("\(key) of \(KeePassTime.words(old.modified))", value)
            }
            for name in old.attachments where !present.contains(name) && !remarks.isFull {
                remarks.add("attachment of \(KeePassTime.words(old.modified)), not imported", name)
            }
        }
    }

    private func text(_ key: String, _ arena: borrowing SecretArena) throws -> String {
        guard let range = value(key) else { return "" }
        guard range.count <= CSVEntry.textLimit else { throw CSVError.Problem.textTooLong(column: key) }
        guard let text = arena.text(range) else { throw CSVError.Problem.invalidText(column: key) }
        return text
    }
}

/// Times as KeePass writes them: ISO 8601; or, in KeePassXC's exports, seconds since the year 1 in base64.
enum KeePassTime {
    static func words(_ text: String) -> String {
        guard text.utf8.count == 12, let data = Data(base64Encoded: text), data.count == 8 else { return text }
        let seconds = data.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // The year 9999 ends before.
        guard seconds < 315_600_000_000 else { return text }
        return Date(timeIntervalSince1970: Double(seconds) - 62_135_596_800).formatted(.iso8601)
    }
}
