package import DiaryFormats
import DiaryClient
import DiaryViews
import PrintStream

/// A JPEG of a photo for print, of at most 2048 pixels a side, upright and without metadata: it goes into the book as
/// it is.
///
/// Nil where there is none; the photo is then named in words. What it throws ends the printing.
package typealias MediaPreview = (_ media: ImportedMedia) throws -> [UInt8]?

/// Says of each entry what is to be printed.
struct EntryPages {
    private let language: DiaryLanguage
    private let words: PrintedWords
    private var month: YearMonth?
    private(set) var entryCount: UInt32 = 0
    private var monthCount = 0

    init(_ language: DiaryLanguage) {
        self.language = language
        words = PrintedWords(language)
    }

    /// Hands on an entry's messages, its photos one after the other.
    ///
    /// - Throws: what `preview` and `send` throw.
    mutating func add(
        _ entry: ImportedEntry, preview: MediaPreview, send: (PrintMessage) throws -> Void
    ) throws {
        let time = entry.head.localTime
        if month != time.day.yearMonth {
            month = time.day.yearMonth
            monthCount += 1
            let name = language.name(ofMonth: time.day.month)
            let heading = name.prefix(1).uppercased() + name.dropFirst()
            try send(.month(PrintMonth(year: UInt16(clamping: time.day.year), name: heading)))
        }
        entryCount += 1
        let heading = language.heading(time.day)
        try send(.entry(PrintEntry(heading: heading, facts: facts(of: entry, time), isStarred: entry.head.isStarred)))
        var shown: Set<Int> = []
        func show(_ number: Int, _ caption: String) throws {
            shown.insert(number)
            try send(picture(entry.media[number], caption, preview))
        }
        for block in PageBlock.blocks(of: entry.text, hasMedia: entry.media.indices.contains) {
            try add(block, show: show, send: send)
        }
        for number in entry.media.indices where !shown.contains(number) { try show(number, "") }
    }

    /// What stands behind the last entry: of one month there is nothing to look up.
    var lastMessages: [PrintMessage] {
        let contents: [PrintMessage] = monthCount > 1 ? [.contents(words.contents)] : []
        return contents + [.end(entryCount: entryCount)]
    }

    private func facts(of entry: ImportedEntry, _ time: LocalTime) -> String {
        var facts = [time.label]
        let place = entry.head.place
        var names: [String] = []
        for name in [place?.name, place?.locality, place?.country] {
            if let name, !name.isEmpty, !names.contains(name) { names.append(name) }
        }
        if !names.isEmpty { facts.append(names.joined(separator: ", ")) }
        if let mood = entry.head.mood { facts.append(mood.text(in: words.language)) }
        if !entry.head.tags.isEmpty { facts.append(entry.head.tags.map { "#" + $0 }.joined(separator: " ")) }
        return PrintWords.line(facts.joined(separator: " · "), limit: PrintLimits.facts)
    }

    private func add(
        _ block: PageBlock, show: (Int, String) throws -> Void, send: (PrintMessage) throws -> Void
    ) throws {
        switch block {
        case .paragraph(let lines): try add(.paragraph, lines, show: show, send: send)
        case .quote(let lines): try add(.quote, lines, show: show, send: send)
        case .heading(let level, let line):
            let kind: PrintText.Kind = level == 1 ? .title : level == 2 ? .section : .subsection
            try add(kind, [line], show: show, send: send)
        case .list(let items):
            var numbers = ListNumbers()
            for item in items {
                let number = numbers.next(item)
                let (marker, line) = number.map { ("\($0).", item.line) } ?? Self.ticked(item.line)
                let level = UInt8(clamping: item.level)
                try add(.item, level: level, marker: marker, [line], show: show, send: send)
            }
        case .code(let text):
            let code = PrintWords.lines(text)
            for part in PrintedText.texts(.code, code.isEmpty ? [] : [PrintSpan(code)]) { try send(.text(part)) }
        case .rule: try send(.rule)
        }
    }

    private func add(
        _ kind: PrintText.Kind, level: UInt8 = 0, marker: String = "", _ lines: [[PageInline]],
        show: (Int, String) throws -> Void, send: (PrintMessage) throws -> Void
    ) throws {
        let parts = PrintedText.parts(of: lines)
        var marker = marker
        // An item without words is seen by its marker.
        if kind == .item, parts.first.map({ if case .media = $0 { true } else { false } }) ?? true {
            try send(.text(PrintText(.item, level: level, marker: marker, [PrintSpan(" ")])))
        }
        for part in parts {
            switch part {
            case .spans(let spans):
                for text in PrintedText.texts(kind, level: level, marker: marker, spans) { try send(.text(text)) }
                marker = ""
            case .media(let number, let caption): try show(number, caption)
            }
        }
    }

    /// A box before an item takes the place of the bullet.
    private static func ticked(_ item: [PageInline]) -> (marker: String, item: [PageInline]) {
        if case .text(let text) = item.first {
            for box in ["☐", "☑"] where text.hasPrefix(box + " ") {
                return (box, [.text(String(text.dropFirst(2)))] + item.dropFirst())
            }
        }
        return ("•", item)
    }

    private func picture(_ item: ImportedMedia, _ caption: String, _ preview: MediaPreview) throws -> PrintMessage {
        if item.kind == .photo, let jpeg = try preview(item), !jpeg.isEmpty, jpeg.count <= PrintLimits.picture {
            let caption = PrintWords.line(caption, limit: PrintLimits.caption)
            return .picture(PrintPicture(caption: caption, jpeg: jpeg))
        }
        var facts = [caption, item.name].filter { !$0.isEmpty }
        if item.byteCount > 0 { facts.append(words.size(item.byteCount)) }
        return .note(PrintWords.line("\(words.kind(item.kind)): " + facts.joined(separator: " · ")))
    }
}
