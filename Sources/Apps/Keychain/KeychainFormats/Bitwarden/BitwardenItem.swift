import Localization
import Secrets
import Tresor

/// One item of Bitwarden's becomes one entry.
struct BitwardenItem {
    private let places: BitwardenPlaces
    private var entry: CSVEntry
    /// What has no place of its own.
    private var remarks = NamedLines()
    private var fields = NamedLines()

    init(_ places: BitwardenPlaces, number: Int, line: Int) {
        self.places = places
        entry = CSVEntry(number: number, line: line)
    }

    /// - Throws: `CSVError.Problem` where it can't become items.
    mutating func entry(_ item: JSONPlace, _ file: RawSpan, _ arena: inout SecretArena) throws -> CSVEntry {
        guard item.members != nil else { throw CSVError.Problem.wrongValue(column: "items") }
        var members = JSONMembers(item)
        entry.title = try text(members.take("name"), "name", file)
        let notes = try secret(members.take("notes"), "notes", file, &arena)
        takePlaces(&members, file)
        let login = members.take("login")
        _ = members.take("type")
        if let login {
            entry.type = "login"
            try take(login: JSONMembers(login), file, &arena)
        } else {
            entry.type = "note"
            if let note = members.take("secureNote") { try add(members: JSONMembers(note), "", file, &arena) }
            for name in ["card", "identity", "sshKey"] {
                guard let value = members.take(name) else { continue }
                if entry.title.isEmpty { entry.title = Self.words(name) }
                try add(members: JSONMembers(value), "", file, &arena)
            }
        }
        try take(fields: members.take("fields"), file, &arena)
        try take(history: members.take("passwordHistory"), file, &arena)
        // A mark of the other program's list, which is no word about the login; counted, as that of its CSV files is.
        if members.take("favorite")?.bool == true { entry.leftOut.append(marked("favorite")) }
        if let reprompt = members.take("reprompt"), file.jsonText(in: reprompt.range) != "0" {
            remarks.add("master password reprompt", "yes")
        }
        for name in ["id", "organizationId", "creationDate", "revisionDate"] where members.take(name) != nil {
            entry.leftOut.append(name)
        }
        try add(members: members, "", file, &arena)
        entry.keep(addressAndFolderIn: &remarks)
        try entry.checkTexts()
        entry.notes = try remarks.written(behind: notes, as: "notes", in: &arena)
        entry.customFields = try fields.written(behind: nil, as: "fields", in: &arena)
        return entry
    }

    private mutating func takePlaces(_ members: inout JSONMembers, _ file: RawSpan) {
        if let id = members.take("folderId") {
            let id = file.jsonText(in: id.range)
            entry.folder = places.folders[id] ?? id
        }
        // Each once, so that a long name is not written as often as it is named.
        var known: Set<String> = []
        let ids = (members.take("collectionIds")?.elements ?? []).map { file.jsonText(in: $0.range) }
        let collections = ids.filter { known.insert($0).inserted }.map { places.collections[$0] ?? $0 }
        guard !collections.isEmpty else { return }
        let names = collections.joined(separator: ", ")
        if entry.folder.isEmpty { entry.folder = names } else { remarks.add("collections", names) }
    }

    private mutating func take(login: JSONMembers, _ file: RawSpan, _ arena: inout SecretArena) throws {
        var login = login
        entry.username = try text(login.take("username"), "username", file)
        entry.password = try secret(login.take("password"), "password", file, &arena)?.field("password")
        entry.oneTimeCode = try secret(login.take("totp"), "totp", file, &arena)?.field("totp")
        var uris = (login.take("uris")?.elements ?? []).map { JSONMembers($0) }
        let addresses = try uris.indices.map { try text(uris[$0].take("uri"), "uri", file) }
        let main = CSVEntry.mainAddress(of: addresses)
        for (index, address) in addresses.enumerated() {
            if index == main { entry.address = address } else { remarks.add("further address", address) }
            if uris[index].take("uriChecksum") != nil { entry.leftOut.append("uriChecksum") }
            try add(members: uris[index], "address \(index + 1) ", file, &arena)
        }
        if login.take("passwordRevisionDate") != nil { entry.leftOut.append("passwordRevisionDate") }
        for (index, key) in (login.take("fido2Credentials")?.elements ?? []).enumerated() {
            try add(members: JSONMembers(key), "passkey \(index + 1) ", file, &arena)
        }
        try add(members: login, "", file, &arena)
    }

    private mutating func take(fields list: JSONPlace?, _ file: RawSpan, _ arena: inout SecretArena) throws {
        for field in list?.elements ?? [] {
            var field = JSONMembers(field)
            let name = try text(field.take("name"), "fields", file)
            _ = field.take("type")
            if let value = field.take("value"), !value.range.isEmpty {
                fields.add(name, try lay(value, file, &arena))
            } else if let linked = field.take("linkedId") {
                fields.add(name, "linked to \(Self.linked(file.jsonText(in: linked.range)))")
            } else {
                fields.add(name, "")
            }
            _ = field.take("linkedId")
            try add(members: field, "field ", file, &arena)
        }
    }

    private mutating func take(history list: JSONPlace?, _ file: RawSpan, _ arena: inout SecretArena) throws {
        for old in list?.elements ?? [] {
            var old = JSONMembers(old)
            let date = try text(old.take("lastUsedDate"), "passwordHistory", file)
            guard let password = old.take("password") else { continue }
            remarks.add("password until \(date)", try lay(password, file, &arena))
        }
    }

    /// A line for each member that says something, and for each of those that are in it.
    private mutating func add(
        members: JSONMembers, _ prefix: String, _ file: RawSpan, _ arena: inout SecretArena
    ) throws {
        for member in members.rest where !remarks.isFull {
            try add(member.value, prefix + Self.words(member.name), file, &arena)
        }
    }

    private mutating func add(
        _ value: JSONPlace, _ name: String, _ file: RawSpan, _ arena: inout SecretArena
    ) throws {
        switch value.content {
        case .object: try add(members: JSONMembers(value), name + " ", file, &arena)
        case .array(let elements):
            for (index, element) in elements.enumerated() where !element.isUnset && !remarks.isFull {
                try add(element, elements.count == 1 ? name : "\(name) \(index + 1)", file, &arena)
            }
        // What a secure note's type or a field's says is in what it became.
        case .number where name == "type" && file.jsonText(in: value.range) == "0": break
        default: remarks.add(name, try lay(value, file, &arena))
        }
    }

    /// Puts what it says into the arena.
    private func lay(_ value: JSONPlace, _ file: RawSpan, _ arena: inout SecretArena) throws -> Range<Int> {
        let start = arena.count
        try file.forEachByte(ofJSONIn: value.range) { (byte) throws(SecretMemoryError) in try arena.append(byte) }
        return start..<arena.count
    }

    private func secret(
        _ value: JSONPlace?, _ column: String, _ file: RawSpan, _ arena: inout SecretArena
    ) throws -> Range<Int>? {
        guard let value else { return nil }
        guard value.isString else { throw CSVError.Problem.wrongValue(column: column) }
        return try lay(value, file, &arena)
    }

    private func text(_ value: JSONPlace?, _ column: String, _ file: RawSpan) throws -> String {
        guard let value else { return "" }
        guard value.isString else { throw CSVError.Problem.wrongValue(column: column) }
        return file.jsonText(in: value.range)
    }

    private static func linked(_ id: String) -> String {
        switch id {
        case "100": "user name"
        case "101": "password"
        default: id
        }
    }

    /// `cardholderName` as `cardholder name`.
    private static func words(_ name: String) -> String {
        var words = ""
        for letter in name {
            if letter.isUppercase, !words.isEmpty, words.last?.isUppercase == false { words += " " }
            words += letter.lowercased()
        }
        return words
    }
}

extension CSVEntry {
    /// What an item has no attribute for of an address, or of a folder beside it, goes into the remarks as a whole.
    mutating func keep(addressAndFolderIn remarks: inout NamedLines) {
        if let web = WebAddress(address) {
            guard web.hasMore else { return }
            remarks.add("whole address", address)
            isAddressKept = true
        } else if !address.isEmpty, !title.isEmpty, !folder.isEmpty {
            remarks.add("address", address)
            address = ""
        }
    }
}
