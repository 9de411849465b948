/// The carriage return that may stand at the end of a line, before its line feed.
enum LineEnd {
    /// - Returns: the line without it, and what it was.
    static func split(_ line: String) -> (content: String, end: String) {
        guard line.utf8.last == 13 else { return (line, "") }
        return (String(line.unicodeScalars.dropLast()), "\r")
    }
}
