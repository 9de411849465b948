import DiaryClient
package import DiaryViews
package import Wire

/// The diary in the terminal.
package enum DiaryTerminal {
    /// Shows the diary until the person quits; every start asks for its password.
    ///
    /// What was opened here is locked at its end, however that comes.
    ///
    /// - Parameters:
    ///   - language: in which it speaks.
    ///   - isPlain: whether to talk in lines, for screen readers, instead of filling the screen; what was read out then
    ///     stays in the terminal's scrollback, and it says so.
    ///   - ownerIsActive: called when a key was pressed, at most once a second.
    /// - Throws: `DiaryError` when tresor-diary cannot be reached, or what was typed could not be kept; `LinuxError`
    ///   when there is no terminal, `TresorError` where the kernel grants no timer.
    package static func run(
        home: Home, language: DiaryLanguage, isPlain: Bool = false, ownerIsActive: @escaping () -> Void = {}
    ) throws {
        // What is said by others, such as why the device stays locked, is heard in the diary's language too.
        try language.speaking {
            if isPlain {
                try PlainDriver(home: home, language: language, ownerIsActive: ownerIsActive).run()
            } else {
                try DiaryDriver(home: home, language: language, ownerIsActive: ownerIsActive).run()
            }
        }
    }
}
