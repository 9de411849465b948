import Testing

/// A type that one can hold in the head: all its files together, its extensions included.
@Suite struct TypeLengthTests {
    static let limit = 600
    /// What is longer still: a coast as points.
    ///
    /// Nothing may be added, and what has become shorter must go.
    static let longer: Set = ["DiaryViews.CoastData"]

    /// Lines of each type at the top level, its extensions included, by target and name.
    static func lengths(_ files: [HouseRules.SourceFile]) -> [String: Int] {
        var lengths: [String: Int] = [:]
        for file in files {
            var open: (name: String, line: Int)?
            for (number, line) in file.lines.enumerated() {
                if open == nil, let name = typeName(HouseRules.code(line)) { open = (name: name, line: number) }
                guard let type = open, line.hasPrefix("}") || isWhole(line) && type.line == number else { continue }
                lengths["\(file.target).\(type.name)", default: 0] += number - type.line + 1
                open = nil
            }
        }
        return lengths
    }

    /// Whether it begins and ends here, as `struct Empty {}` does.
    private static func isWhole(_ line: String) -> Bool { line.hasSuffix("}") && !line.hasPrefix(" ") }

    /// The first name of what a line at the left margin declares or extends: `extension One.Another` adds to `One`.
    private static func typeName(_ line: String) -> String? {
        line.firstMatch(
            of: #/^(?:[@a-z]\w*(?:\([^)]*\))? )*(?:struct|class|enum|actor|protocol|extension) (\w+)/#
        ).map { String($0.output.1) }
    }

    @Test func `no type is longer than 600 lines over all its files`() {
        let lengths = Self.lengths(HouseRules.files)
        #expect(lengths.count > 500)
        let tooLong = lengths.filter { $0.value > Self.limit }
        #expect(tooLong.filter { !Self.longer.contains($0.key) }.isEmpty)
        #expect(Self.longer.subtracting(tooLong.keys).isEmpty, "they are short enough now")
    }

    @Test func `extensions count, of types within it too`() {
        let one = HouseRules.SourceFile(
            target: "T", path: "T/One.swift",
            lines: ["package final class One {", "    var a = 1", "}", "", "struct Small {}"])
        let two = HouseRules.SourceFile(
            target: "T", path: "T/One+Two.swift",
            lines: ["// One", "extension One {", "    func b() {", "    }", "}", "extension One.Inner: Error {", "}"])
        #expect(Self.lengths([one, two]) == ["T.One": 9, "T.Small": 1])
    }
}
