import Localization
import Secrets
import Tresor

/// Reads KeePass 2's unencrypted XML export, which KeePassXC writes too.
///
/// The elements are those of KeePass's `KdbxFile.Write.cs` and keepass.info/help/kb/kdbx.html. What has no place in an
/// item stands, named, behind its notes; what lies in the recycle bin, and the bytes of attachments, are counted.
final class KeePassReader: XMLHandler {
    private struct Group {
        var name = ""
        var identifier = ""
        var notes: Range<Int>?
        /// The groups around it, below the first.
        let parents: String
        let line: Int
        /// The same with its own name; one text for all of its entries.
        private(set) var folder: String

        init(in parents: String, line: Int) { (self.parents, folder, self.line) = (parents, parents, line) }

        mutating func take(name: String, isFirst: Bool) {
            self.name = name
            // Of the first, which stands for the database, nothing is said. What is too long already is so with more.
            guard !isFirst, parents.utf8.count <= CSVEntry.textLimit else { return }
            folder = parents.isEmpty ? name : parents + "/" + name
        }
    }

    /// Elements that are open, the outermost first.
    private var path: [String] = []
    private var groups: [Group] = []
    /// Entries that are open: one, and perhaps one of its history.
    private var open: [KeePassEntry] = []
    private var arena: SecretArena
    /// The text of the element that is open.
    private var leaf: SecretBuffer
    private var isCollected = false
    private var line = 1
    private var attributes: [String: String] = [:]
    /// What names the value that follows.
    private var key = ""
    private var value: Range<Int>?
    private var window = ""
    private var recycleBin = ""
    private var number = 0
    private var entries: [CSVEntry] = []
    private var badRows: [CSVError] = []
    private var leftOut: [String: Int] = [:]

    private init() throws {
        arena = try SecretArena()
        leaf = try SecretBuffer()
    }

    /// - Parameter file: the whole export.
    static func read(_ file: RawSpan) throws -> CSVImport {
        let reader = try KeePassReader()
        try ExpatParser.parse(file, reader)
        return try reader.plan()
    }

    private func plan() throws -> CSVImport {
        var all = try SecretArena()
        swap(&all, &arena)
        return try CSVImport(
            .keePassXML, secrets: all.finish(), entries: entries, badRows: badRows, leftOut: leftOut)
    }

    // MARK: What expat calls

    func begin(_ name: String, _ attributes: [String: String], line: Int) throws {
        guard !path.isEmpty || name == "KeePassFile" else { throw KeychainFormatError(.unknownFormat) }
        let parent = path.last ?? ""
        path.append(name)
        leaf.removeAll()
        self.line = line
        self.attributes = attributes
        isCollected = Self.isCollected(name, in: parent)
        switch (parent, name) {
        case ("Root", "Group"), ("Group", "Group"): groups.append(Group(in: folder, line: line))
        case ("Group", "Entry"):
            number += 1
            open.append(KeePassEntry(number: number, line: line, folder: folder))
        case ("History", "Entry") where open.count == 1:
            open.append(KeePassEntry(number: 0, line: line, folder: ""))
        case ("Entry", "String"), ("Entry", "Binary"), ("CustomData", "Item"): (key, value) = ("", nil)
        case ("AutoType", "Association"): window = ""
        default: if name == "Entry" || name == "Group" { throw unexpected(name) }
        }
    }

    func text(_ part: RawSpan) throws {
        // No more is needed of what is too large for an item: its entry is a bad row.
        let room = CSVEntry.secretLimit + 1 - leaf.count
        guard isCollected, room > 0 else { return }
        try leaf.append(part.extracting(0..<min(room, part.byteCount)))
    }

    func end() throws {
        let name = path.removeLast()
        let parent = path.last ?? ""
        defer {
            leaf.removeAll()
            isCollected = false
        }
        switch (parent, name) {
        case (_, "Group"): try endGroup()
        case (_, "Entry"): try endEntry()
        case ("Meta", "RecycleBinUUID"): recycleBin = words(atMost: Self.longestIdentifier)
        case ("Group", _): try end(ofGroup: name)
        case _ where open.isEmpty: break
        case ("String", "Key"), ("Binary", "Key"), ("Item", "Key"): key = words
        case ("String", "Value"): try endValue()
        case ("Item", "Value"): value = try laid()
        case ("Entry", "String"): change { $0.add(key, value ?? 0..<0) }
        case ("Entry", "Binary"): change { $0.attachments.append(key) }
        case ("CustomData", "Item"): change { $0.remarks.add("custom data \(key)", value) }
        case ("Entry", _): try end(ofEntry: name)
        case ("Times", _): end(ofTimes: name)
        case ("Association", "Window"): window = words
        case ("Association", "KeystrokeSequence"):
            let keys = try laid()
            change { $0.remarks.add("auto-type in '\(window)'", keys) }
            window = ""
        case ("AutoType", "DefaultSequence"):
            let keys = try laid()
            change { $0.remarks.add("auto-type", keys) }
        default: break
        }
    }

    // MARK: Elements

    /// Whose text is wanted: not those of attachments and pictures, which are large.
    private static func isCollected(_ name: String, in parent: String) -> Bool {
        switch parent {
        case "String", "Item", "Entry", "Times", "Association": true
        case "Group": ["Name", "Notes", "UUID", "Tags"].contains(name)
        case "Binary": name == "Key"
        case "AutoType": name == "DefaultSequence"
        case "Meta": name == "RecycleBinUUID"
        default: false
        }
    }

    private func end(ofGroup name: String) throws {
        guard !groups.isEmpty else { return }
        switch name {
        case "Name":
            groups[groups.count - 1].take(name: words(atMost: CSVEntry.textLimit + 1), isFirst: groups.count == 1)
        case "UUID": groups[groups.count - 1].identifier = words(atMost: Self.longestIdentifier)
        case "Notes": groups[groups.count - 1].notes = try laid()
        case "Tags": if leaf.count > 0 { leftOut[marked("tags of groups"), default: 0] += 1 }
        default: break
        }
    }

    private func endGroup() throws {
        guard let group = groups.last else { return }
        defer { groups.removeLast() }
        guard let notes = group.notes, !notes.isEmpty, !isInRecycleBin else { return }
        number += 1
        var entry = CSVEntry(number: number, line: group.line)
        entry.title = group.name.isEmpty ? "group" : group.name
        entry.folder = group.parents
        entry.type = "note"
        try add(number, group.line) { () throws in
            try entry.checkTexts()
            entry.notes = try notes.field("Notes")
            return entry
        }
    }

    private func endEntry() throws {
        guard let ended = open.popLast() else { return }
        guard open.isEmpty else { return open[0].history.append(ended) }
        guard !isInRecycleBin else {
            leftOut[marked("entries in the recycle bin"), default: 0] += 1
            return
        }
        try add(ended.number, ended.line) { () throws in try ended.entry(in: &arena) }
    }

    private func add(_ number: Int, _ line: Int, _ entry: () throws -> CSVEntry) throws {
        do { entries.append(try entry()) } catch let problem as CSVError.Problem {
            badRows.append(CSVError(row: number, line: line, problem))
        }
    }

    private func end(ofEntry name: String) throws {
        switch name {
        case "UUID": count("UUID")
        case "IconID": if words != "0" { count(marked("icon")) }
        case "CustomIconUUID": count(marked("icon"))
        case "ForegroundColor", "BackgroundColor": if leaf.count > 0 { count(marked("colour")) }
        case "PreviousParentGroup": if leaf.count > 0 { count(marked("former group")) }
        case "QualityCheck": if words.lowercased() == "false" { count("QualityCheck") }
        case "Times", "AutoType", "History", "CustomData": break
        default:
            let range = try laid()
            change { $0.remarks.add(name == "Tags" ? "tags" : name, range) }
        }
    }

    private func end(ofTimes name: String) {
        let words = words
        switch name {
        case "LastModificationTime":
            change { $0.modified = words }
            count(marked("times"))
        case "ExpiryTime": change { $0.expiry = words }
        case "Expires": change { $0.expires = words.lowercased() == "true" }
        default: break
        }
    }

    private func endValue() throws {
        let range = try laid()
        value = range
        // In a database values are sealed once more, and an export that has them so is none.
        guard attributes["Protected"]?.lowercased() == "true", !range.isEmpty else { return }
        let name = KeePassEntry.ownKeys.contains(key) ? key : "a field"
        open[0].problem = open[0].problem ?? .encryptedValue(column: name)
    }

    // MARK: What they say

    /// The text of the element that ends; no secret.
    private var words: String {
        leaf.withBytes { String(decoding: $0.copyToArray(), as: UTF8.self) }
    }

    /// Of it so many bytes: what is compared or written again for each entry must not be long.
    private func words(atMost count: Int) -> String {
        leaf.truncate(to: min(leaf.count, count))
        return words
    }

    /// Of a UUID in base64 there are 24.
    private static let longestIdentifier = 64

    /// Puts the text of the element that ends into the arena.
    private func laid() throws -> Range<Int> {
        let start = arena.count
        try leaf.withBytes { (bytes) throws(SecretMemoryError) in try arena.append(bytes) }
        return start..<arena.count
    }

    private func change(_ body: (inout KeePassEntry) -> Void) {
        guard !open.isEmpty else { return }
        body(&open[open.count - 1])
    }

    /// That something of an entry is not carried over; of what it was before, nobody wants to know.
    private func count(_ name: String) {
        guard open.count == 1, !open[0].leftOut.contains(name) else { return }
        open[0].leftOut.append(name)
    }

    /// The groups that are open, below the first, which stands for the database.
    private var folder: String { groups.last?.folder ?? "" }

    private var isInRecycleBin: Bool {
        !recycleBin.isEmpty && groups.contains { $0.identifier == recycleBin }
    }

    private func unexpected(_ name: String) -> KeychainFormatError {
        KeychainFormatError(.unexpected(name), line: line)
    }
}
