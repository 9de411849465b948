import Linux
package import Secrets

/// Standard input in lines, for programs that talk without filling a screen; it need not be a terminal.
///
/// What has been read lies in locked memory until it is taken, because a line may be a password.
package final class LineInput {
    /// To poll.
    package let descriptor: Int32 = 0
    private var typed: SecretBuffer
    private var hidden: HiddenInput?
    private var owner: OwnerPulse
    private let isTerminal: Bool
    /// Whether the input has ended.
    package private(set) var isOver = false

    /// Bytes of one line.
    private static let longestLine = 1024 * 1024

    /// - Parameter ownerIsActive: called when a line was typed at a terminal, at most once a second.
    package init(ownerIsActive: @escaping () -> Void = {}) throws(SecretMemoryError) {
        typed = try SecretBuffer(capacity: 4096)
        owner = OwnerPulse(ownerIsActive)
        isTerminal = Terminal.isTerminal(descriptor)
    }

    /// Whether a terminal shows what is typed.
    package var isHidden: Bool {
        get { hidden != nil }
        set {
            if !newValue {
                hidden = nil
            } else if hidden == nil {
                hidden = HiddenInput(descriptor)
            }
        }
    }

    /// Reads what has come, and tells of each whole line; whoever is told takes it.
    ///
    /// - Parameter tell: gets how many bytes the line has, and says whether to go on.
    package func read(_ tell: (Int) throws -> Bool) throws {
        let input = FileDescriptor(owning: descriptor)
        let transfer = Result { try input.read(into: &typed.storage, room: 4096) }
        _ = input.release()
        guard case .moved = try transfer.get() else {
            isOver = true
            return
        }
        if isTerminal { owner.keyPressed(at: SystemClock.bootMilliseconds()) }
        try readWaiting(tell)
    }

    /// Tells of whole lines that have been read already.
    package func readWaiting(_ tell: (Int) throws -> Bool) throws {
        while let end = try lineEnd() { if try !tell(end) { return } }
    }

    /// Takes the lines that were typed into a text before it vanished: those that wait, and at a terminal also the one
    /// that has not been ended.
    ///
    /// - Parameter isText: whether a line belongs to the text; the first that does not, and what follows, stay.
    package func takeLateLines(_ isText: (String) -> Bool) -> [String] {
        var lines: [String] = []
        do {
            if isTerminal, !isHidden { try Terminal.readUnfinishedLine(descriptor, into: &typed.storage) }
            while let end = try lineEnd() {
                guard isText(peekLine(end)) else { return lines }
                lines.append(try takeLine(end))
            }
            guard isTerminal, !isHidden, typed.count > 0, isText(peekLine(typed.count)) else { return lines }
            lines.append(peekLine(typed.count))
            typed.removeAll()
        } catch {
            // What could be read of it is taken.
        }
        return lines
    }

    private func peekLine(_ count: Int) -> String {
        typed.withBytes { String(decoding: $0.extracting(first: count).copyToArray(), as: UTF8.self) }
    }

    /// Whether a line has more than 1 MiB, which nobody types.
    package var isTooLong: Bool { typed.count >= Self.longestLine }

    /// The first bytes as words; their line feed goes with them.
    package func takeLine(_ count: Int) throws -> String {
        let line = try typed.withBytes { bytes in
            var reader = ByteReader(bytes)
            return String(decoding: try reader.bytes(count), as: UTF8.self)
        }
        typed.removeFirst(count + 1)
        return line
    }

    /// The first bytes as a secret; their line feed goes with them.
    package func takeSecret(_ count: Int) throws -> SecretBytes {
        let secret = try typed.withBytes { bytes in try SecretBytes(copying: bytes.extracting(first: count)) }
        typed.removeFirst(count + 1)
        return secret
    }

    private func lineEnd() throws -> Int? {
        try typed.withBytes { bytes in
            var reader = ByteReader(bytes)
            while reader.remaining > 0 {
                let at = bytes.byteCount - reader.remaining
                if try reader.uint8() == 0x0A { return at }
            }
            return nil
        }
    }
}
