/// Writes a note's body as Apple does.
struct BodyFixture {
    /// A stretch of text with its attributes.
    struct Run {
        var text: String
        /// Apple's number of the paragraph's style; nil for plain text.
        var style: Int?
        var indent = 0
        var isDone: Bool?
        var isQuoted = false
        /// 1 bold, 2 italic, 3 both.
        var weight = 0
        var isStruck = false
        var isUnderlined = false
        var link: String?
        var font: String?
        var attachment: (identifier: String, type: String)?

        static func title(_ text: String) -> Run { Run(text: text + "\n", style: 0) }
        static func plain(_ text: String) -> Run { Run(text: text) }
        static func attachment(_ identifier: String, _ type: String) -> Run {
            Run(text: "\u{FFFC}", attachment: (identifier, type))
        }
    }

    /// An unpacked document.
    static func document(_ runs: [Run]) -> [UInt8] {
        ProtobufWriter.message { document in
            document.message(2) { outer in
                outer.number(2, 0)
                outer.field(3, note(runs))
            }
        }
    }

    /// A packed document, as the database holds it.
    static func body(_ runs: [Run]) -> [UInt8] { Gzip.pack(document(runs)) }

    /// A note message, which is also what a table's cell is.
    static func note(_ runs: [Run]) -> [UInt8] {
        ProtobufWriter.message { note in
            note.text(2, runs.map(\.text).joined())
            for run in runs { note.message(5) { write(run, into: &$0) } }
        }
    }

    private static func write(_ run: Run, into message: inout ProtobufWriter) {
        message.number(1, run.text.utf16.count)
        message.message(2) { style in
            if let number = run.style { style.number(1, number) }
            if run.indent > 0 { style.number(4, run.indent) }
            if let isDone = run.isDone {
                style.message(5) { checklist in
                    checklist.field(1, Array(repeating: 7, count: 16))
                    checklist.number(2, isDone ? 1 : 0)
                }
            }
            if run.isQuoted { style.number(8, 1) }
        }
        if let font = run.font { message.message(3) { $0.text(1, font) } }
        if run.weight > 0 { message.number(5, run.weight) }
        if run.isUnderlined { message.number(6, 1) }
        if run.isStruck { message.number(7, 1) }
        if let link = run.link { message.text(9, link) }
        if let attachment = run.attachment {
            message.message(12) { info in
                info.text(1, attachment.identifier)
                info.text(2, attachment.type)
            }
        }
        message.number(13, 1_754_048_586)
    }
}
