import Foundation
import Testing

/// One word for each thing, in what a person reads: docs/decisions/0041-words-for-locks-and-secrets.md has the table.
@Suite struct VocabularyTests {
    struct Sentence {
        let english: String
        /// Of each file that says it, the path.
        let sources: [String]
    }

    /// Words that never stand together: a secret beside what another one opens, a lock on what is opened otherwise.
    private static let wrong = [
        #"\bdevice['’]s (own )?(passphrase|password)\b"#, #"\b(passphrase|password) of (the|your) (Tresor )?device\b"#,
        #"\bnotes?['’]s? (passcode|password)\b"#, #"\b(passcode|password) of (the |this |a )?(locked )?notes?\b"#,
        #"\bdiary['’]s (passphrase|passcode)\b"#, #"\b(passphrase|passcode) of (the|a|your) diary\b"#,
        #"\bkeychain['’]s (own )?(passphrase|password)\b"#, #"\b(passphrase|password) of (the|a) keychain\b"#,
        #"\bitem['’]s (own )?(passphrase|passcode)\b"#, #"\b(passphrase|passcode) of (the|an) item\b"#,
        #"\bpasscode of the Tresor keychain\b"#,
        // A note's lock is taken away; locked notes are opened, and closed; a person signs in to the diary.
        #"\bunlock (the|this|a|that|your|all|its) (\w+ )?(notes?|diary|entry|entries)\b"#,
        #"\block (the|all|your) (\w+ )?notes\b"#,
        // Without its group a command of another one has the same name, and locks the device.
        #"['‘](lock|unlock)['’]"#,
    ]

    /// Folders, a word that is not said there, and what has to stand beside it where it is.
    private static let places: [(folders: [String], word: String, beside: String?)] = [
        (["Apps/Diary", "Command/tresor/Diary"], "passphrase", nil),
        (["Apps/Diary", "Command/tresor/Diary"], "passcode", "device"),
        (["Apps/Notes", "Command/tresor/Notes"], "password", nil),
        (["Apps/Notes", "Command/tresor/Notes"], "passcode", "device"),
        (["Vault", "Owner", "Command/tresor/Device"], "passphrase", nil),
    ]

    /// Sentences that these rules would refuse, and why each may stay.
    private static let allowed = [
        "it is locked with the device passcode, whose": "Apple's Notes calls it a password, and there it is looked for",
        "The passcode is wrong.": "it answers a prompt that names the device",
        "Type its passcode, and press Enter.": "the row above says that the device is locked",
        "This removes the diary:": "it names every way in, none of which helps",
        "passphrase": "a word of its own: what is damaged, of the notes' store",
    ]

    private static func isAllowed(_ sentence: String) -> Bool {
        allowed.keys.contains { $0 == sentence || ($0 != "passphrase" && sentence.hasPrefix($0)) }
    }

    static func isThere(_ pattern: String, in text: String) -> Bool {
        text.range(of: pattern, options: [.regularExpression, .caseInsensitive]) != nil
    }

    /// What is wrong with a sentence by these rules; nil where nothing is.
    static func fault(_ sentence: Sentence) -> String? {
        // What is typed is no word of a sentence.
        let words = sentence.english.replacingOccurrences(
            of: #"--[a-z-]+|'tresor [^']*'"#, with: "", options: .regularExpression)
        if let pattern = wrong.first(where: { isThere($0, in: words) }) { return pattern }
        for place in places where isThere(#"\b"# + place.word, in: words) {
            let isSaidThere =
                !sentence.sources.isEmpty
                && sentence.sources.allSatisfy { source in
                    place.folders.contains { source.hasPrefix("Sources/\($0)/") }
                }
            guard isSaidThere else { continue }
            if let beside = place.beside, words.contains(beside) { continue }
            return "'\(place.word)' in \(place.folders[0])"
        }
        return nil
    }

    /// A catalogue's entries: their fields by name, and their sources.
    private static func entries(_ file: String) throws -> [(fields: [String: String], sources: [String])] {
        try Document.text("locale/" + file).components(separatedBy: "\n\n").map { entry in
            var (fields, sources, name): ([String: String], [String], String) = ([:], [], "")
            for line in entry.components(separatedBy: "\n") {
                if line.hasPrefix("#: ") { sources += line.dropFirst(3).split(separator: " ").map(String.init) }
                guard let quote = line.firstIndex(of: "\""), line.hasSuffix("\""), !line.hasPrefix("#") else {
                    continue
                }
                if quote != line.startIndex { name = line[..<quote].trimmingCharacters(in: .whitespaces) }
                let text = line[line.index(after: quote)...].dropLast()
                fields[name, default: ""] += text.replacing("\\n", with: "\n").replacing("\\\"", with: "\"")
            }
            return (fields: fields, sources: sources)
        }.filter { $0.fields["msgid"]?.isEmpty == false }
    }

    @Test func `no sentence gives a thing the word of another`() throws {
        let entries = try Self.entries("tresor.pot")
        #expect(
            entries.count > 3000 && entries.contains { $0.sources.contains { $0.hasPrefix("Sources/Apps/Diary/") } })
        var faults: [String] = []
        for entry in entries {
            for english in [entry.fields["msgid"], entry.fields["msgid_plural"]].compactMap({ $0 }) {
                let sentence = Sentence(english: english, sources: entry.sources)
                guard !Self.isAllowed(english), let fault = Self.fault(sentence) else { continue }
                faults.append("\(fault): \(english)")
            }
        }
        #expect(faults == [])
        // An exception that is none any more goes.
        let sentences = entries.compactMap { $0.fields["msgid"] }
        for exception in Self.allowed.keys {
            #expect(sentences.contains { $0.hasPrefix(exception) }, "\(exception)")
        }
    }

    @Test(arguments: [
        ("de", "passphrase", #"passw[oö]rt"#), ("fr", #"phrases? secr"#, #"mots? de passe"#),
        ("nb", "passfrase", "passord"),
    ]) func `a translation names the passcode, the passphrase or the password where English does`(
        _ language: String, _ passphrase: String, _ password: String
    ) throws {
        let entries = try Self.entries(language + ".po")
        #expect(entries.count > 3000)
        for entry in entries {
            let english = entry.fields.filter { $0.key.hasPrefix("msgid") }.values.joined(separator: " ")
            let said = entry.fields.filter { $0.key.hasPrefix("msgstr") }.values.joined(separator: " ")
            guard Self.isThere("passcode|passphrase|password", in: english) else { continue }
            for (word, pattern) in [("passphrase", passphrase), ("password", password)] {
                #expect(Self.isThere(word, in: english) || !Self.isThere(pattern, in: said), "\(language): \(said)")
            }
        }
    }

    @Test func `pages for users keep to the same words`() throws {
        let pages = Document.all.filter { $0.hasPrefix("docs/guides/") || $0 == "README.md" }
        #expect(pages.count > 20)
        for page in pages {
            let text = try Document.text(page)
            for pattern in Self.wrong.dropLast() { #expect(!Self.isThere(pattern, in: text), "\(page): \(pattern)") }
        }
    }

    @Test(arguments: [
        ("the device's passphrase is wrong", "Sources/SDK/Tresor/A.swift"),
        ("give the notes' passcode", "Sources/SDK/Tresor/A.swift"),
        ("the passphrase of the diary", "Sources/SDK/Tresor/A.swift"),
        ("wrong passphrase", "Sources/Command/tresor/Device/A.swift"),
        ("the passphrase", "Sources/Apps/Diary/Diary/A.swift"), ("the passcode", "Sources/Apps/Notes/Notes/A.swift"),
        ("somebody is there; 'lock' first", "Sources/Command/tresor/Diary/A.swift"),
        ("unlock the note", "Sources/Apps/Notes/Notes/A.swift"),
    ]) func `the rules about words would see a wrong one`(_ english: String, _ source: String) {
        #expect(Self.fault(Sentence(english: english, sources: [source])) != nil)
    }

    @Test(arguments: [
        ("wrong passphrase", "Sources/Apps/Notes/Notes/A.swift"), ("wrong passcode", "Sources/SDK/Tresor/A.swift"),
        ("the device's passcode opens no note", "Sources/Apps/Notes/Notes/A.swift"),
        ("the password is wrong; 'tresor diary lock' ends it", "Sources/Apps/Diary/Diary/A.swift"),
        ("open a session with 'tresor notes unlock'", "Sources/Apps/Notes/Notes/A.swift"),
    ]) func `and leave a right one alone`(_ english: String, _ source: String) {
        #expect(Self.fault(Sentence(english: english, sources: [source])) == nil)
    }
}
