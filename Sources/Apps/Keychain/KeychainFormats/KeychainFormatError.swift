import Localization
import Tresor

/// Why a file of another program's passwords cannot be read, and on which line.
///
/// It never holds what stands there.
package struct KeychainFormatError: Error, Hashable, CustomStringConvertible {
    /// What is wrong.
    package enum Problem: Hashable, Sendable {
        /// Not what JSON or XML allows.
        case malformed
        /// Cut off.
        case endsEarly
        case notUTF8
        /// Half of a pair of `\u` escapes.
        case halfCharacter
        /// A member stands in an object twice.
        case repeatedName
        case tooDeep
        case tooManyValues
        /// XML with a document type, which could name other files and grow without end.
        case documentType
        /// Something else stands in this place than the format has there.
        case unexpected(String)
        /// JSON or XML, or a database, of a program that we don't know.
        case unknownFormat
        /// Sealed by the other program.
        case encrypted
        /// A KeePass database.
        case database
    }

    package let problem: Problem
    /// From 1; nil for the file as a whole.
    package let line: Int?

    init(_ problem: Problem, line: Int? = nil) {
        self.problem = problem
        self.line = line
    }

    /// Whether the file is damaged, rather than one that is not read here.
    package var isDamage: Bool {
        switch problem {
        case .unknownFormat, .encrypted, .database, .documentType: false
        default: true
        }
    }

    /// The place and the problem, in words.
    package var description: String { line.map { localized("line \($0): \(words)") } ?? words }

    private var words: String {
        switch problem {
        case .malformed: localized("this is not how the format is written")
        case .endsEarly: localized("the file ends in the middle")
        case .notUTF8: localized("the text is not UTF-8")
        case .halfCharacter: localized("half of a character")
        case .repeatedName: localized("a name stands twice in one object")
        case .tooDeep: localized("values are nested too deeply")
        case .tooManyValues: localized("there are more values than are read")
        case .documentType: localized("a document type; exports of passwords have none")
        case .unexpected(let name): localized("'\(name)' is not what the format has there")
        case .unknownFormat:
            localized("not the export of \(CSVFormat.allCases.map(\.name).joined(separator: ", "))")
        case .encrypted: localized("this export is encrypted")
        case .database: localized("this is a KeePass database, not an export")
        }
    }

    /// What to do about it; nil where the words say all.
    package var advice: String? {
        switch problem {
        case .encrypted:
            localized("in Bitwarden choose the file format .json, not \".json (Encrypted)\", and export again")
        case .database:
            localized("export it: in KeePass as 'KeePass XML (2.x)', in KeePassXC as XML or CSV")
        case .unknownFormat:
            localized("Bitwarden's JSON has 'items', KeePass's XML begins with <KeePassFile>; most programs export CSV")
        case .endsEarly, .malformed: localized("export anew")
        default: nil
        }
    }
}
