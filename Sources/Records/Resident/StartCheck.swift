import Localization
import Tresor
import Wire
import ResidentClient

/// The integrity check that a resident program makes before it opens anything.
enum StartCheck {
    /// - Returns: whether the program may go on.
    static func mayStart(_ home: Home, _ program: ResidentProgram) -> Bool {
        // What it sees goes to the log, and into a file that whoever is told of it reads in another language.
        Localization.speaking(nil) { mayStartInEnglish(home, program) }
    }

    private static func mayStartInEnglish(_ home: Home, _ program: ResidentProgram) -> Bool {
        let settings = IntegritySettings(home: home)
        guard settings.policy != .off else { return true }
        let verdict = IntegrityCheck(rules: settings.rules).startVerdict()
        let log = ResidentLog(program: program.name)
        do {
            let isToBeTold = settings.policy != .log
            let notes = IntegrityNotes(program.name, folder: program.folder)
            for sign in try notes.take(verdict.badSigns, isToBeTold: isToBeTold) {
                log.note("integrity: \(sign.name): \(sign.seen)")
            }
        } catch { log.error("what the integrity check found was not kept", error) }
        guard settings.policy == .refuse, verdict.isCompromised else { return true }
        log.note("integrity: \(verdict.sum) of \(verdict.threshold): refused to start, as its owner chose")
        return false
    }
}
