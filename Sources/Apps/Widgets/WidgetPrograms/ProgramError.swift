import Localization
package import Widgets

/// Why a widget program gave nothing that can be shown.
package enum ProgramError: Error, Equatable, Sendable {
    /// Its file's name, owner or mode is not what it has to be.
    case unfitFile(String)
    /// It does not start; an errno value, ENOENT where there is no such file, ENOEXEC where it is no program.
    case notStarted(code: Int32)
    /// It did not end in time.
    case tookTooLong
    /// It wrote more than an answer may have.
    case wroteTooMuch
    /// It ended with another code than 0.
    case exited(code: Int32)
    /// A signal ended it.
    case killed(signal: Int32)
    /// It answered with something else than what was asked for.
    case refused(ProgramRefusal)
    /// It says that it has nothing to show.
    case failed(ProviderFailure)
}

/// What is wrong with an answer, and where.
///
/// It holds none of the answer's values: only places, our own words, and names of members.
package struct ProgramRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    /// A path into the answer, such as `$.entries[0].views.systemSmall.vstack[2].tint`.
    package let path: String
    /// What is wrong there.
    package let reason: String

    package init(_ path: String, _ reason: String) {
        self.path = path
        self.reason = reason
    }

    package var description: String { "\(path): \(reason)" }
}

extension ProgramError: CustomStringConvertible {
    /// In words, for who writes the program.
    package var description: String {
        switch self {
        case .unfitFile(let reason): reason
        case .notStarted(let code):
            localized("does not start (error \(code)): is it executable, and does it begin with #!…?")
        case .tookTooLong: localized("did not end within \(ProgramLimit.milliseconds / 1000) seconds")
        case .wroteTooMuch: localized("wrote more than \(ProgramLimit.answerBytes >> 20) MiB")
        case .exited(let code): localized("ended with code \(code)")
        case .killed(let signal): localized("was ended by signal \(signal)")
        case .refused(let refusal): refusal.description
        case .failed(let failure): localized("answers that it has nothing to show: \(failure.word)")
        }
    }
}

/// What a widget program may take.
package enum ProgramLimit {
    /// From its start to its end.
    package static let milliseconds = 10_000
    /// Of its standard output.
    package static let answerBytes = 4 << 20
    /// Values in one answer: objects, lists, texts, numbers.
    package static let values = 200_000
    /// How deep objects and lists lie in each other; more than a view's depth needs.
    package static let depth = 256
    /// Widgets of one program.
    package static let widgets = 32
    /// Bytes of a program's name.
    package static let nameBytes = 24
    /// Bytes of a kind, as the program says it.
    package static let kindBytes = 32
    /// Bytes of a widget's name for people.
    package static let displayNameBytes = 80
    /// Bytes of the sentence about it.
    package static let summaryBytes = 240
}
