import Testing

/// What one target offers to others says what it means: habit 7 of CONTRIBUTING.md.
///
/// Of `public` declarations `make lint` demands it for each; of those with `package` nine of ten have it, and here they
/// are counted together.
@Suite struct DocumentationRules {
    struct Count: Equatable {
        var documented = 0
        var all = 0

        /// Of a hundred, rounded down.
        var percent: Int { all == 0 ? 100 : 100 * documented / all }

        mutating func add(_ other: Count) {
            documented += other.documented
            all += other.all
        }
    }

    private static let modifiers: Set = [
        "final", "static", "nonisolated", "nonisolated(unsafe)", "mutating", "borrowing", "consuming", "convenience",
        "required", "override", "indirect", "lazy", "weak", "unowned", "prefix", "postfix", "infix", "distributed",
    ]
    private static let keywords: Set = [
        "class", "struct", "enum", "actor", "protocol", "func", "var", "let", "subscript", "typealias",
        "associatedtype", "init",
    ]

    /// Whether a line begins a declaration that other targets may use.
    static func isOffered(_ line: String) -> Bool {
        var hasAccess = false
        for word in HouseRules.code(line).split(separator: " ") {
            // Of `init(`, `init?<` and `subscript(`.
            let name = String(word.prefix { $0.isLetter })
            if ["package", "public", "open"].contains(String(word)) {
                hasAccess = true
            } else if keywords.contains(name), word == name || ["init", "subscript"].contains(name) {
                return hasAccess
            } else if !word.hasPrefix("@"), !word.hasSuffix("(set)"), !modifiers.contains(String(word)) {
                return false
            }
        }
        return false
    }

    /// Counts the declarations that are offered, and those with a `///` directly above them or above their attributes.
    static func count(_ lines: [String]) -> Count {
        var count = Count()
        for (number, line) in lines.enumerated() where isOffered(line) {
            let above = lines[..<number].last {
                !$0.drop { $0 == " " }.hasPrefix("@") && !$0.drop { $0 == " " }.hasPrefix("#")
            }
            count.all += 1
            if above?.drop(while: { $0 == " " }).hasPrefix("///") == true { count.documented += 1 }
        }
        return count
    }

    @Test func `nine of ten declarations that other targets may use say what they mean`() {
        var targets: [String: Count] = [:]
        for file in HouseRules.files { targets[file.target, default: Count()].add(Self.count(file.lines)) }
        var all = Count()
        for count in targets.values { all.add(count) }
        let missing = targets.map { (name: $0.key, count: $0.value.all - $0.value.documented) }
            .sorted { ($1.count, $0.name) < ($0.count, $1.name) }.prefix(8)
            .map { "\($0.name) \($0.count)" }.joined(separator: ", ")
        #expect(all.all > 4000, "the declarations are not found any more")
        #expect(
            all.documented * 10 >= all.all * 9,
            "\(all.documented) of \(all.all) are documented, \(all.percent) %; most are missing in \(missing)")
    }

    @Test func `the rule about documentation sees what is offered, and what says nothing`() {
        let lines = [
            "/// Says what it means.", "package struct Door: Sendable {", "    package let width: Int",
            "    /// In metres.", "    @available(*, deprecated)", "    public private(set) var height = 2",
            "    package static func < (left: Door, right: Door) -> Bool { left.width < right.width }",
            "    // A comment is none.", "    package init?(width: Int) { self.width = width }",
            "    private let hidden = 1", "    let inside = 2", "}", "package import Linux",
            "extension Door { package var area: Int { width * height } }",
        ]
        #expect(Self.count(lines) == Count(documented: 2, all: 5))
        #expect(Self.isOffered("    package mutating func open() {"))
        #expect(Self.isOffered("    package subscript(_ index: Int) -> Door { doors[index] }"))
        #expect(Self.isOffered("nonisolated public var unownedExecutor: UnownedSerialExecutor {"))
        #expect(!Self.isOffered("    // package let doors: [Door]"))
        #expect(!Self.isOffered("    case package"))
    }
}
