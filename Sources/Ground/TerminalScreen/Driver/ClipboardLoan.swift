import Linux
import Secrets

/// A secret on the desktop's clipboard, until this ends.
///
/// The desktop's program owns the clipboard as our child: it ends when another program copies something, and when this
/// process ends, be it killed. So what it held is gone as soon as it is, but for a desktop or a program that brings
/// back the last text; that is why ``end()`` looks whether our text is still there, and puts an empty one in its place.
package final class ClipboardLoan {
    private let clipboard: DesktopClipboard
    private let secret: SecretBytes
    private let folder: LoanFolder?
    private var owner: ChildProcess?

    /// How long the desktop's program may take for what it is asked, in milliseconds.
    private static let patience: UInt64 = 300
    /// How long it may take to find out that it can't, in milliseconds.
    private static let settling: UInt64 = 60
    /// How long it may take to read the secret, in milliseconds: more than a pipe holds waits for it.
    private static let readingTime: UInt64 = 3_000

    /// - Throws: `LinuxError` where the desktop's program does not start, does not read, or ends with a failure.
    init(_ clipboard: DesktopClipboard, _ secret: consuming SecretBytes) throws {
        self.clipboard = clipboard
        self.secret = secret
        folder = clipboard.program == .wlCopy ? LoanFolder() : nil
        let child: ChildProcess
        do { child = try Self.start(clipboard, self.secret, folder) } catch {
            folder?.remove()
            throw error
        }
        guard child.ends(within: Self.settling) else {
            owner = child
            return
        }
        // Somebody took it over at once, or the program stays in the background: it is there all the same.
        guard child.waitForEnd() == .success else {
            folder?.remove()
            throw LinuxError(call: "copy", code: LinuxError.Code.noProcess, path: clipboard.path)
        }
    }

    /// Takes it off the clipboard, where it is still there, and leaves what others have put there.
    package func end() {
        let wasOurs = stopOwner()
        defer { folder?.remove() }
        switch holding() {
        case .ours: empty()
        case .another: break
        // Nobody can look. Where it was ours a moment ago, nobody else's text is lost.
        case .unknown: if wasOurs { empty() }
        }
    }

    /// Ends it where another loan of ours came after it: what is there now is not this one's.
    package func endBehindAnother() {
        _ = stopOwner()
        folder?.remove()
    }

    /// - Returns: whether it owned the clipboard until now.
    private func stopOwner() -> Bool {
        guard let child = owner else { return false }
        owner = nil
        let hasEnded = child.hasEnded()
        child.terminate(milliseconds: Self.patience)
        return !hasEnded
    }

    private func empty() {
        for arguments in clipboard.emptyingArguments {
            _ = try? ChildProcess.succeeds(clipboard.path, arguments, within: Self.patience)
        }
    }

    private enum Holding { case ours, another, unknown }

    private func holding() -> Holding {
        guard let reader = clipboard.readerPath else { return .unknown }
        do {
            let text = try Self.read(
                reader, clipboard.readingArguments, limit: secret.count + 1, milliseconds: Self.patience)
            return secret.equals(text) ? .ours : .another
        } catch { return .unknown }
    }

    private static func start(
        _ clipboard: DesktopClipboard, _ secret: borrowing SecretBytes, _ folder: LoanFolder?
    ) throws -> ChildProcess {
        let null = try FileDescriptor.open("/dev/null", FileFlags.readWrite)
        let pipe = try BytePipe()
        let arguments = clipboard.owningArguments()
        let former = folder?.enter()
        defer { folder?.leave(former ?? nil) }
        let child = try ChildProcess(
            aside: clipboard.path, arguments: arguments, input: pipe.reading, output: null, livesOn: false)
        let input = pipe.closeReading()
        do { try secret.withBytes { try hand($0, to: input) } } catch {
            child.kill()
            throw error
        }
        return child
    }

    /// Writes all of it; what reads nothing and ends shows itself by its end.
    ///
    /// - Throws: `LinuxError` where nobody reads for too long: whoever copies must not wait for ever.
    private static func hand(_ secret: RawSpan, to input: borrowing FileDescriptor) throws(LinuxError) {
        try input.setNonblocking(true)
        let end = SystemClock.bootMilliseconds() + readingTime
        var used = 0
        while used < secret.byteCount {
            switch try input.write(secret.extracting(droppingFirst: used)) {
            case .moved(let count): used += count
            case .closed: return
            case .wouldBlock:
                let now = SystemClock.bootMilliseconds()
                guard now < end else { throw LinuxError(call: "write", code: LinuxError.Code.again) }
                var poll = Poll()
                _ = poll.add(input.raw, reading: false, writing: true)
                _ = try poll.wait(milliseconds: Int(end - now))
            }
        }
    }

    /// What a program prints, at most `limit` bytes of it, in locked memory.
    ///
    /// - Throws: also where it takes too long.
    private static func read(
        _ path: String, _ arguments: [String], limit: Int, milliseconds: UInt64
    ) throws -> SecretBytes {
        let null = try FileDescriptor.open("/dev/null", FileFlags.readWrite)
        let pipe = try BytePipe()
        let child = try ChildProcess(
            aside: path, arguments: arguments, input: null, output: pipe.writing, livesOn: false)
        defer { child.kill() }
        let output = pipe.closeWriting()
        var bytes = try LockedBuffer(capacity: limit)
        let end = SystemClock.bootMilliseconds() + milliseconds
        while bytes.count < limit {
            let now = SystemClock.bootMilliseconds()
            guard now < end else { throw LinuxError(call: "read", code: LinuxError.Code.again, path: path) }
            guard try Poll.wait(untilReadable: output.raw, milliseconds: Int(end - now)) == .ready else { continue }
            guard case .moved = try output.read(into: &bytes, room: limit - bytes.count) else { break }
        }
        return SecretBytes(bytes)
    }
}

/// A folder in memory for wl-copy, which writes what it gets to a file and, before 2.2, leaves that when it is ended.
private final class LoanFolder {
    private let folder: PrivateFolder

    /// Nil where there is no memory for it; then wl-copy takes its own.
    init?() {
        do { folder = try PrivateFolder.make(inMemoryFor: "tresor-clipboard") } catch { return nil }
    }

    /// - Returns: what is to be said again behind the start of wl-copy.
    func enter() -> String? { folder.takeTemporaryFiles() }

    func leave(_ former: String?) { PrivateFolder.endTemporaryFiles(former) }

    func remove() { folder.wipe() }
}
