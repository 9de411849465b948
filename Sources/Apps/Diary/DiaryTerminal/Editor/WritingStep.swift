import DiaryClient
import DiaryViews
import TerminalScreen

/// What is done to an entry in words, without a screen.
enum WritingStep: Equatable, Sendable {
    /// A line behind the text.
    case line(String)
    /// The line of this number, from 1, becomes another.
    case change(line: Int, String)
    /// A line before the line of this number.
    case insert(line: Int, String)
    case delete(line: Int)
    /// A field becomes what is said; nothing said clears it.
    case fill(EntryEditor.Field, String)
    /// The file of this number, from 1, and where it goes; nil for out.
    case move(file: Int, to: Int?)
    /// Date and place become what a photo says.
    case takeOffer(file: Int)
}

extension EntryEditor {
    /// - Returns: false where the words mean nothing there.
    mutating func obey(_ step: WritingStep, _ zone: DiaryZone, _ language: DiaryLanguage, at now: UInt64) -> Bool {
        switch step {
        case .line(let line):
            change(at: now) { $0.replace(with: $0.buffer.isEmpty ? line : $0.buffer.text + "\n" + line) }
        case .change(let number, let words): return changeLines(number, at: now) { $0[number - 1] = Array(words) }
        case .insert(let number, let words):
            return changeLines(number, at: now) { $0.insert(Array(words), at: number - 1) }
        case .delete(let number): return changeLines(number, at: now) { $0.remove(at: number - 1) }
        case .fill(let field, let words): return fill(field, words.trimmed, language, at: now)
        case .move(let file, let place):
            guard files.all.indices.contains(file - 1) else { return false }
            guard let place else {
                removeFile(file - 1, at: now)
                return true
            }
            guard files.all.indices.contains(place - 1) else { return false }
            moveFile(file - 1, to: place - 1, at: now)
        case .takeOffer(let file):
            files.select(file - 1)
            field = .files
            guard files.all.indices.contains(file - 1), offer(zone) != nil else { return false }
            takeOffer(zone, at: now)
        }
        return true
    }

    private mutating func changeLines(
        _ number: Int, at now: UInt64, _ change: (inout [[Character]]) -> Void
    ) -> Bool {
        var lines = buffer.lines
        guard lines.indices.contains(number - 1) else { return false }
        change(&lines)
        self.change(at: now) { $0.replace(with: lines.map { String($0) }.joined(separator: "\n")) }
        return true
    }

    private mutating func fill(_ field: Field, _ words: String, _ language: DiaryLanguage, at now: UInt64) -> Bool {
        switch field {
        case .date: date = TypedLine(words)
        case .place: place = TypedLine(words)
        case .tags: tags = TypedLine(words)
        case .mood:
            let found = Mood.allCases.first { $0.rawValue == words || $0.text(in: language) == words }
            guard found != nil || words.isEmpty else { return false }
            mood = found
        case .star: isStarred.toggle()
        case .files:
            path = TypedLine(words)
            takePath(at: now)
        case .text: return false
        }
        changed(at: now)
        return true
    }
}
