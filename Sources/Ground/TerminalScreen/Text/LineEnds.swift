/// The line ends of a text that is being edited, which a ``TextBuffer`` holds with line feeds alone.
///
/// What is handed in has them as they were: lines that nobody touched keep theirs, and a new line ends as those beside
/// it.
package struct LineEnds: Sendable {
    private let lines: [Line]
    /// Whether there is anything to put back.
    private let hasReturns: Bool

    private struct Line: Sendable {
        let content: [UInt8]
        /// Of the last line, which has no end: as the line before it.
        let endsInReturn: Bool
    }

    /// - Parameter text: as it was before anybody edited it.
    package init(_ text: String = "") {
        let pieces = Self.lines(of: text)
        hasReturns = pieces.dropLast().contains { $0.last == Self.carriageReturn }
        guard hasReturns else {
            lines = []
            return
        }
        var lines: [Line] = []
        for piece in pieces.dropLast() {
            let isReturn = piece.last == Self.carriageReturn
            lines.append(Line(content: isReturn ? piece.dropLast() : piece, endsInReturn: isReturn))
        }
        lines.append(Line(content: pieces.last ?? [], endsInReturn: lines.last?.endsInReturn ?? false))
        self.lines = lines
    }

    /// - Parameter text: from the buffer, with line feeds.
    package func restored(_ text: String) -> [UInt8] {
        guard hasReturns else { return Array(text.utf8) }
        let edited = Self.lines(of: text)
        var result: [UInt8] = []
        for (number, line) in zip(edited, returns(in: edited)).enumerated() {
            result += line.0
            guard number + 1 < edited.count else { break }
            if line.1 { result.append(Self.carriageReturn) }
            result.append(Self.lineFeed)
        }
        return result
    }

    /// How far an equal line is looked for, where both kinds of ends are there.
    private static let reach = 100

    /// For each line whether a carriage return belongs to its end.
    private func returns(in edited: [[UInt8]]) -> [Bool] {
        if lines.allSatisfy(\.endsInReturn) { return edited.map { _ in true } }
        let most = min(lines.count, edited.count)
        let head = (0..<most).first { lines[$0].content != edited[$0] } ?? most
        let tail =
            (0..<most - head).first { lines[lines.count - 1 - $0].content != edited[edited.count - 1 - $0] }
            ?? most - head
        var returns = lines[..<head].map(\.endsInReturn)
        var next = head
        for content in edited[head..<edited.count - tail] {
            let rest = lines[next..<lines.count - tail].prefix(Self.reach)
            if let same = rest.firstIndex(where: { $0.content == content }) {
                returns.append(lines[same].endsInReturn)
                next = same + 1
            } else {
                // Written to, or new.
                returns.append(rest.first?.endsInReturn ?? returns.last ?? lines.first?.endsInReturn ?? false)
            }
        }
        return returns + lines[(lines.count - tail)...].map(\.endsInReturn)
    }

    private static func lines(of text: String) -> [[UInt8]] {
        text.utf8.split(separator: lineFeed, omittingEmptySubsequences: false).map { Array($0) }
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
}
