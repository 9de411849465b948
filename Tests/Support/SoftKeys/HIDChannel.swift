import Linux

/// The framing of CTAPHID (CTAP 2.1, section 11.2), as the key's side of a stream of reports.
struct HIDChannel: ~Copyable {
    static let initialize: UInt8 = 0x06
    static let cbor: UInt8 = 0x10
    static let cancel: UInt8 = 0x11
    static let keepAlive: UInt8 = 0x3b
    static let error: UInt8 = 0x3f

    struct Message {
        let channel: [UInt8]
        let command: UInt8
        let body: [UInt8]
    }

    private let descriptor: FileDescriptor

    init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

    /// The next message; nil when the other end is gone or breaks the rules.
    func receive() -> Message? {
        guard let first = report(), first.count == 64, first[4] & 0x80 != 0 else { return nil }
        let count = Int(first[5]) << 8 | Int(first[6])
        var body = Array(first[7...])
        var sequence: UInt8 = 0
        while body.count < count {
            guard let next = report(), next[..<4] == first[..<4], next[4] == sequence else { return nil }
            body += next[5...]
            sequence += 1
        }
        return Message(channel: Array(first[..<4]), command: first[4] & 0x7f, body: Array(body.prefix(count)))
    }

    func send(_ message: Message) {
        let count = message.body.count
        var rest = message.body[...]
        var head = message.channel + [message.command | 0x80, UInt8(count >> 8), UInt8(count & 255)]
        var sequence: UInt8 = 0
        repeat {
            let room = 64 - head.count
            let report = head + rest.prefix(room) + [UInt8](repeating: 0, count: max(0, room - rest.count))
            guard (try? descriptor.writeAll(report.span.bytes)) == true else { return }
            rest = rest.dropFirst(room)
            head = message.channel + [sequence]
            sequence += 1
        } while !rest.isEmpty
    }

    /// 64 bytes, behind the report's number, which is 0.
    private func report() -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < 65 {
            guard case .moved? = try? descriptor.read(into: &bytes, room: 65 - bytes.count) else { return nil }
        }
        return bytes[0] == 0 ? Array(bytes.dropFirst()) : nil
    }
}
