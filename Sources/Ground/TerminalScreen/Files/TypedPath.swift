import Linux

/// Paths that somebody types: from the working folder, from the home with `~/`, or whole.
package enum TypedPath {
    /// The path as the system takes it.
    package static func full(_ path: String) -> String {
        path.hasPrefix("~/") ? (CurrentProcess.environment("HOME") ?? "~") + path.dropFirst() : path
    }

    /// What Tab makes of a path; the same path where its folder cannot be read.
    package static func complete(_ typed: String) -> Completion {
        let typed = typed == "~" ? "~/" : typed
        let folder = Completion.split(typed).folder
        let place = full(folder.isEmpty ? "." : folder)
        let names = (try? FileSystem.names(in: place)) ?? []
        return Completion(
            typed,
            among: names.map { name in
                // The period behind the slash follows a link to a folder.
                let status = try? FileSystem.status(place + "/" + name + "/.")
                return (text: name, isFolder: status?.isDirectory ?? false)
            })
    }

    /// A name that somebody else has given, as one in a folder of ours: no path, nothing hidden, nothing unseen.
    package static func fileName(_ name: String, otherwise: String) -> String {
        let last = name.split(separator: "/").last.map { String($0) } ?? ""
        let seen = String(String.UnicodeScalarView(last.unicodeScalars.filter { SafeText.isShown($0) }))
        var visible = String(seen.drop { $0 == "." || $0 == " " }.prefix(100))
        while visible.utf8.count > mostBytes { visible.removeLast() }
        return visible.isEmpty ? otherwise : visible
    }

    /// A file system takes 255 bytes; some are for what is put behind a name.
    private static let mostBytes = 200

    /// What Tab makes of a path that is being typed.
    package struct Completion: Equatable, Sendable {
        /// As far as there is only one way.
        package let path: String
        /// The names from there on, folders with a slash; empty where the path is one.
        package let choices: [String]

        /// More names than anybody reads are not listed.
        private static let mostChoices = 40

        /// - Parameters:
        ///   - path: as far as there is only one way.
        ///   - choices: the ways from there on.
        package init(path: String, choices: [String]) {
            self.path = path
            self.choices = choices
        }

        /// - Parameter names: what is in the folder that is typed.
        package init(_ typed: String, among names: [(text: String, isFolder: Bool)]) {
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
        package static func split(_ typed: String) -> (folder: String, start: String) {
            guard let slash = typed.lastIndex(of: "/") else { return ("", typed) }
            return (String(typed[...slash]), String(typed[typed.index(after: slash)...]))
        }
    }
}
