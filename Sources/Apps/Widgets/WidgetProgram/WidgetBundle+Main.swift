import FoundationEssentials
import Linux
@_exported public import Widgets

extension WidgetBundle {
    /// Reads a request from standard input and writes the answer to standard output.
    ///
    /// `@main` calls it. The program ends with code 0 where it has answered, 65 (EX_DATAERR of sysexits.h) where it was
    /// asked nothing that it knows, and 70 (EX_SOFTWARE) where its answer would be too large.
    public static func main() {
        guard let bytes = try? StandardInput.readAll(limit: 1 << 16), let request = ProgramRequest(json: bytes) else {
            ProcessExit.end(with: 65)
        }
        let output = FileDescriptor(owning: 1)
        guard let answer = try? Self().answer(to: request),
            (try? output.writeAll(unsafe answer.span.bytes)) == true
        else { ProcessExit.end(with: 70) }
        ProcessExit.end(with: 0)
    }
}

extension ProgramRequest {
    /// A request as a host writes it; members that are not known may come with later hosts.
    private struct Message: Decodable {
        struct Nothing: Decodable {}
        struct Timeline: Decodable {
            let kind: String
            let families: [String]
            let now: Int64
        }
        struct Placeholder: Decodable { let kind: String }
        let describe: Nothing?
        let timeline: Timeline?
        let placeholder: Placeholder?
    }

    /// - Parameter bytes: JSON; nil where it asks nothing that is known here.
    fileprivate init?(json bytes: [UInt8]) {
        guard let message = try? JSONDecoder().decode(Message.self, from: Data(bytes)) else { return nil }
        if message.describe != nil {
            self = .describe
        } else if let timeline = message.timeline {
            // A size that is not known here is none that a widget could come in.
            let families = timeline.families.compactMap { WidgetFamily(name: $0) }
            self = .timeline(kind: timeline.kind, families: families, now: Moment(seconds: timeline.now))
        } else if let placeholder = message.placeholder {
            self = .placeholder(kind: placeholder.kind)
        } else {
            return nil
        }
    }
}
