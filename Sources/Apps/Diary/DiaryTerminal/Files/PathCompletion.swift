import DiaryClient

/// What Tab makes of the path of a file that is being typed.
struct PathCompletion: Equatable, Sendable {
    /// A name in a folder.
    struct Name: Equatable, Sendable {
        let text: String
        let isFolder: Bool
    }

    /// As far as there is only one way.
    let path: String
    /// The names from there on, folders with a slash; empty where the path is one.
    let choices: [String]

    /// More names than anybody reads are not listed.
    static let mostChoices = 40

    /// - Parameter names: what is in the folder that is typed.
    init(_ typed: String, among names: [Name]) {
        let (folder, start) = Self.split(typed)
        // As a shell does, names that begin with a period only where one was typed.
        let fitting = names.filter { $0.text.hasPrefix(start) && (start.hasPrefix(".") || !$0.text.hasPrefix(".")) }
            .sorted { $0.text < $1.text }
        guard let first = fitting.first else {
            (path, choices) = (typed, [])
            return
        }
        if fitting.count == 1 {
            (path, choices) = (folder + first.text + (first.isFolder ? "/" : ""), [])
            return
        }
        let common = fitting.dropFirst().reduce(first.text[...]) { common, name in
            common.prefix(zip(common, name.text).prefix { $0 == $1 }.count)
        }
        path = folder + common
        choices = fitting.prefix(Self.mostChoices).map { $0.text + ($0.isFolder ? "/" : "") }
    }

    /// The folder that is typed, with its slash, and the beginning of a name in it.
    static func split(_ typed: String) -> (folder: String, start: String) {
        guard let slash = typed.lastIndex(of: "/") else { return ("", typed) }
        return (String(typed[...slash]), String(typed[typed.index(after: slash)...]))
    }
}
