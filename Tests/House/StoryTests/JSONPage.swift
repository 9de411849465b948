import Checkout
import Foundation

/// docs/guides/json.md, as a test reads it: what each command prints, and every field of that.
struct JSONPage {
    /// What stands at a place: a document, or a list of documents of these kinds.
    enum Shape {
        case one(String)
        case list([String])
    }

    struct Field {
        let type: String
        let mayBeLeftOut: Bool
    }

    /// By the command's words, without the option.
    private(set) var commands: [String: [Shape]] = [:]
    private(set) var commandsWithout: Set<String> = []
    private(set) var documents: [String: [String: Field]] = [:]

    init() throws {
        let page = Checkout.root.appendingPathComponent("docs/guides/json.md")
        var (section, document) = ("", "")
        for line in try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n") {
            if line.hasPrefix("## ") { section = String(line.dropFirst(3)) }
            if line.hasPrefix("### ") {
                document = String(line.dropFirst(4))
                documents[document] = [:]
            }
            guard line.hasPrefix("| `") else { continue }
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let name = cells[0].trimmingCharacters(in: ["`"])
            switch section {
            case "Commands": commands[String(name.dropLast(" --json".count))] = Self.shapes(cells[1])
            case "Without it": commandsWithout.insert(name)
            default:
                let mayBeLeftOut = cells[1].hasSuffix("?")
                documents[document]?[name] = Field(
                    type: mayBeLeftOut ? String(cells[1].dropLast()) : cells[1], mayBeLeftOut: mayBeLeftOut)
            }
        }
    }

    /// Such as `health, array of item, damaged item`: what follows an array's first kind is of the array as well.
    private static func shapes(_ text: String) -> [Shape] {
        var (shapes, list): ([Shape], [String]?) = ([], nil)
        for part in text.components(separatedBy: ", ") {
            if part.hasPrefix("array of ") {
                list = (list ?? []) + [String(part.dropFirst("array of ".count))]
            } else if list != nil {
                list?.append(part)
            } else {
                shapes.append(.one(part))
            }
        }
        return shapes + (list.map { [.list($0)] } ?? [])
    }

    /// What in a value is not as the page says it; empty where one of the shapes fits.
    func problems(_ value: JSONValue, as shapes: [Shape]) -> [String] {
        var least: [String]?
        for shape in shapes {
            let found = problems(value, as: shape)
            if found.isEmpty { return [] }
            if found.count < least?.count ?? .max { least = found }
        }
        return least ?? ["the page names no shape"]
    }

    private func problems(_ value: JSONValue, as shape: Shape) -> [String] {
        switch (shape, value) {
        case (.one(let name), _): problems(value, of: name, at: name)
        case (.list(let names), .list(let elements)):
            elements.flatMap { element in problems(element, as: names.map { .one($0) }) }
        case (.list, _): ["no array"]
        }
    }

    private func problems(_ value: JSONValue, of type: String, at place: String) -> [String] {
        if type.hasPrefix("array of ") {
            guard case .list(let elements) = value else { return ["\(place) is no array"] }
            return elements.flatMap { problems($0, of: String(type.dropFirst("array of ".count)), at: place + "[]") }
        }
        if type.hasPrefix("object of ") {
            guard case .object(let members) = value else { return ["\(place) is no object"] }
            return members.values.flatMap {
                problems($0, of: String(type.dropFirst("object of ".count)), at: place + "{}")
            }
        }
        switch (type, value) {
        case ("text", .text), ("number", .number), ("yes/no", .truth), ("object", .object): return []
        case ("time", .text(let text)):
            let isTime = text.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/#) != nil
            return isTime ? [] : ["\(place) is no time"]
        case (_, .object(let members)): return problems(members, of: type, at: place)
        default: return ["\(place) is no \(type)"]
        }
    }

    private func problems(_ members: [String: JSONValue], of document: String, at place: String) -> [String] {
        guard let fields = documents[document] else { return ["the page has no document '\(document)'"] }
        let missing = fields.filter { members[$0.key] == nil && !$0.value.mayBeLeftOut }
        var problems = missing.keys.map { "\(place).\($0) is not there" }
        for (name, value) in members {
            guard let field = fields[name] else {
                problems.append("\(place).\(name) is not on the page")
                continue
            }
            problems += self.problems(value, of: field.type, at: "\(place).\(name)")
        }
        return problems.sorted()
    }
}

/// Any JSON.
enum JSONValue: Decodable {
    case text(String)
    case number(Double)
    case truth(Bool)
    case list([JSONValue])
    case object([String: JSONValue])
    case nothing

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .nothing
        } else if let truth = try? container.decode(Bool.self) {
            self = .truth(truth)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([JSONValue].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }
}
