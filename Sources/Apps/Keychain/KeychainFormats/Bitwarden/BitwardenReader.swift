import Secrets
import Tresor

/// Reads Bitwarden's unencrypted JSON export, of a person's vault or of an organisation's.
///
/// The members are those of bitwarden.com/help/condition-bitwarden-import and of the `export` models in Bitwarden's own
/// clients. What has no place in an item stands, named, behind its notes.
enum BitwardenReader {
    /// - Parameter file: the whole export.
    static func read(_ file: RawSpan) throws -> CSVImport {
        var scanner = JSONScanner(file)
        var top = JSONMembers(try scanner.document())
        let isEncrypted = top.take("encrypted")
        guard isEncrypted?.bool != true, top["passwordProtected"]?.bool != true else {
            throw KeychainFormatError(.encrypted)
        }
        let folders = top.take("folders")
        let collections = top.take("collections")
        guard let items = top.take("items")?.elements, (isEncrypted ?? folders ?? collections) != nil else {
            throw KeychainFormatError(.unknownFormat)
        }
        var arena = try SecretArena()
        let places = BitwardenPlaces(
            folders: names(folders, file), collections: names(collections, file))
        var lines = LineCount()
        var entries: [CSVEntry] = []
        var badRows: [CSVError] = []
        for (index, item) in items.enumerated() {
            let line = lines.line(of: item.range.lowerBound, in: file)
            do {
                var reader = BitwardenItem(places, number: index + 1, line: line)
                entries.append(try reader.entry(item, file, &arena))
            } catch let problem as CSVError.Problem {
                badRows.append(CSVError(row: index + 1, line: line, problem))
            }
        }
        let leftOut = Dictionary(top.rest.map { ($0.name, 1) }) { count, _ in count }
        return try CSVImport(
            .bitwardenJSON, secrets: arena.finish(), entries: entries, badRows: badRows, leftOut: leftOut)
    }

    /// By their ids.
    private static func names(_ list: JSONPlace?, _ file: RawSpan) -> [String: String] {
        var names: [String: String] = [:]
        for place in list?.elements ?? [] {
            var members = JSONMembers(place)
            guard let id = members.take("id"), let name = members.take("name"), id.isString, name.isString else {
                continue
            }
            names[file.jsonText(in: id.range)] = file.jsonText(in: name.range)
        }
        return names
    }
}

/// Names of folders and collections, by their ids.
struct BitwardenPlaces {
    let folders: [String: String]
    let collections: [String: String]
}

/// Members of an object, each of which is taken out when it has got its place.
struct JSONMembers {
    private var left: [JSONMember]

    /// None for what is no object.
    init(_ place: JSONPlace) { left = place.members ?? [] }

    subscript(_ name: String) -> JSONPlace? { left.first { $0.name == name }?.value }

    /// Nil where it is not there, or null.
    mutating func take(_ name: String) -> JSONPlace? {
        guard let index = left.firstIndex(where: { $0.name == name }) else { return nil }
        let value = left.remove(at: index).value
        return value.isNull ? nil : value
    }

    /// What nobody has taken, and says something.
    var rest: [JSONMember] { left.filter { !$0.value.isUnset } }
}

/// Counts lines from place to place, so that none is counted twice.
private struct LineCount {
    private var place = 0
    private var line = 1

    /// - Parameter next: not before the last one.
    mutating func line(of next: Int, in file: RawSpan) -> Int {
        while place < next {
            if file.byte(at: place) == 0x0A { line += 1 }
            place += 1
        }
        return line
    }
}
