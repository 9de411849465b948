/// Words that people type for a command of another name: the one table of them.
///
/// A word that means plainly one command is understood. Any other is answered with the commands that may be meant.
package enum OtherWords {
    /// One word, where it is typed, and what it may mean.
    package struct Row: Sendable {
        /// The words before it, the program's name first.
        package let group: String
        /// What is typed.
        package let word: String
        /// Whole commands, the likeliest first; capitals stand for what somebody puts in.
        package let commands: [String]
        /// Whether it is taken for the one that there is, which begins with the group's words.
        package let isUnderstood: Bool
    }

    /// Words for one thing: some groups of commands have the one and some the other, and each is understood in both.
    package static let same = [
        ["ls", "list"], ["rm", "delete", "remove"], ["find", "search"], ["add", "new"], ["get", "show"],
    ]

    /// What other programs call a command here; answered in each group that has the command.
    package static let foreign = [
        "update": "edit", "change": "edit", "modify": "edit", "rename": "edit", "del": "rm", "grep": "find",
        "password": "generate", "make": "generate", "clip": "copy", "totp": "code", "otp": "code", "cat": "get",
    ]

    /// Words that mean something in one group alone.
    package static let rows: [Row] = top + parts + diary

    private static let top = [
        understood("tresor", "start", "tresor up"),
        understood("tresor", "stop", "tresor admin down"),
        asked("tresor", "quit", "tresor lock", "tresor admin down"),
        asked("tresor", "exit", "tresor lock", "tresor admin down"),
        asked("tresor", "logout", "tresor lock"),
        asked("tresor", "login", "tresor unlock", "tresor up"),
        asked("tresor", "init", "tresor up", "tresor passcode set"),
        asked("tresor", "setup", "tresor up", "tresor passcode set"),
        asked("tresor", "import", "tresor vault import", "tresor notes import", "tresor diary import"),
        asked("tresor", "export", "tresor vault export", "tresor notes export", "tresor diary export"),
        asked("tresor", "backup", "tresor vault export", "tresor notes export", "tresor diary export"),
        asked("tresor", "wifi", "tresor add NAME --preset wifi", "tresor get NAME"),
        understood("tresor", "where", "tresor admin where"),
        asked("tresor", "uninstall", "tresor admin where"),
        asked("tresor", "deinstall", "tresor admin where"),
    ]

    private static let parts = [
        understood("tresor notes", "write", "tresor notes new"),
        asked("tresor notes", "open", "tresor notes show", "tresor notes browse"),
        asked("tresor notes", "cat", "tresor notes show"),
        asked("tresor notes", "trash", "tresor notes list --trash"),
        asked("tresor vault", "ls", "tresor ls"),
        asked("tresor vault", "list", "tresor ls"),
        asked("tresor vault", "find", "tresor find"),
        asked("tresor vault", "search", "tresor find"),
        asked("tresor vault", "add", "tresor add"),
        asked("tresor vault", "get", "tresor get"),
        asked("tresor vault", "rm", "tresor rm"),
        asked("tresor vault", "delete", "tresor rm"),
        asked("tresor vault", "backup", "tresor vault export"),
        asked("tresor admin", "start", "tresor up"),
        understood("tresor admin", "stop", "tresor admin down"),
        asked("tresor admin", "uninstall", "tresor admin where"),
        asked("tresor admin", "deinstall", "tresor admin where"),
    ]

    private static let diary = [
        understood("tresor diary", "write", "tresor diary add"),
        understood("tresor diary", "unlock", "tresor diary sign-in"),
        asked("tresor diary", "open", "tresor diary browse", "tresor diary sign-in", "tresor diary show"),
        asked("tresor diary", "login", "tresor diary sign-in"),
        asked("tresor diary", "logout", "tresor diary lock"),
        asked("tresor diary", "sign-out", "tresor diary lock"),
        asked("tresor diary", "trash", "tresor diary list --trash"),
    ]

    private static func understood(_ group: String, _ word: String, _ command: String) -> Row {
        Row(group: group, word: word, commands: [command], isUnderstood: true)
    }

    private static func asked(_ group: String, _ word: String, _ commands: String...) -> Row {
        Row(group: group, word: word, commands: commands, isUnderstood: false)
    }

    /// What a word stands for in a group of commands.
    ///
    /// - Parameters:
    ///   - group: the words before it, the program's name first.
    ///   - names: of the commands that the group shows.
    /// - Returns: nil where nothing is known of it.
    package static func row(for word: String, in group: String, having names: [String]) -> Row? {
        if let row = rows.first(where: { $0.group == group && $0.word == word }) { return row }
        let others = same.first { $0.contains(word) }?.filter { names.contains($0) } ?? []
        if !others.isEmpty {
            return Row(
                group: group, word: word, commands: others.map { "\(group) \($0)" }, isUnderstood: others.count == 1)
        }
        guard let other = foreign[word], names.contains(other) else { return nil }
        return asked(group, word, "\(group) \(other)")
    }
}
