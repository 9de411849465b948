import Linux
import Localization
import Protection
import Secrets
import TerminalScreen
import Tresor
import Wire

/// The desktop's clipboard, for the commands that lend it a secret.
enum Clipboard {
    /// Copies a secret and returns; a process of its own clears the clipboard later.
    ///
    /// - Parameter state: how the device stood before the secret was read; nil for a secret that is in no keychain. It
    ///   is not copied where the device has been locked since.
    static func lend(_ secret: borrowing SecretBytes, readIn state: LockState?) throws {
        guard try DesktopClipboard.find() != nil else { throw Self.missing }
        guard secret.count > 0 else {
            throw Failure(Wire.ExitCode.usage, localized("the secret is empty; nothing was copied"))
        }
        switch try ClipboardKeeper.start(secret, readIn: state) {
        case .copied:
            let seconds = ClipboardKeeper.seconds
            Output.error(
                state == nil
                    ? localized("copied; the clipboard is cleared in \(seconds) seconds")
                    : localized(
                        "copied; the clipboard is cleared in \(seconds) seconds, or when the device locks before"))
        case .locked:
            throw Failure(Wire.ExitCode.locked, localized("the device was locked meanwhile; nothing was copied"))
        case .failed:
            throw Failure(
                Wire.ExitCode.unavailable, localized("the clipboard's program failed; nothing was copied"),
                hint: localized(
                    "look whether it works by itself: echo x | wl-copy, or echo x | xclip -selection clipboard"))
        }
    }

    private static var missing: Failure {
        switch DesktopClipboard.desktop {
        case .wayland:
            Failure(
                Wire.ExitCode.unavailable, localized("there is no wl-copy to reach the clipboard; nothing was copied"),
                hint: localized("install it: apt install wl-clipboard"))
        case .x11:
            Failure(
                Wire.ExitCode.unavailable,
                localized("there is neither xclip nor xsel to reach the clipboard; nothing was copied"),
                hint: localized("install one: apt install xclip"))
        case .none:
            Failure(
                Wire.ExitCode.unavailable,
                localized("there is no desktop session with a clipboard; nothing was copied"),
                hint: localized("WAYLAND_DISPLAY and DISPLAY are not set; 'tresor browse' hands it to the terminal"))
        }
    }
}

/// The process that keeps a secret on the clipboard, and takes it away: `tresor` itself, by a word that help does not
/// show, in a session of its own.
///
/// The secret goes to it over a pipe, once it has said that it hides from other programs.
enum ClipboardKeeper {
    /// How long the clipboard holds it.
    static let seconds = 30

    enum Answer: UInt8 {
        /// It hides, and waits for the secret.
        case ready = 0x72
        case copied = 0x63
        case failed = 0x66
        case locked = 0x6C
    }

    enum Outcome { case copied, failed, locked }

    /// How long it may take, in milliseconds.
    private static let patience = 5_000

    private static let link = "/proc/self/exe"

    static func start(_ secret: borrowing SecretBytes, readIn state: LockState?) throws -> Outcome {
        let toKeeper = try BytePipe()
        let fromKeeper = try BytePipe()
        let file = try FileSystem.target(ofLink: link)
        var arguments = [KeepClipboard.name]
        if let state { arguments += [state == .unlocked ? "--read-while-unlocked" : "--read-while-locked"] }
        let keeper = try ChildProcess(
            // By its path, which is its name for others too; where that was replaced, by itself.
            aside: file.hasSuffix(" (deleted)") ? link : file, arguments: arguments, input: toKeeper.reading,
            output: fromKeeper.writing, livesOn: true)
        let output = fromKeeper.closeWriting()
        do {
            guard try answer(output) == .ready, try hand(secret, to: toKeeper) else {
                keeper.kill()
                return .failed
            }
            switch try answer(output) {
            case .copied: return .copied
            case .locked: return .locked
            case .ready, .failed, nil:
                keeper.kill()
                return .failed
            }
        } catch {
            keeper.kill()
            throw error
        }
    }

    /// The end of the pipe is the end of the secret.
    private static func hand(_ secret: borrowing SecretBytes, to pipe: consuming BytePipe) throws -> Bool {
        let input = pipe.closeReading()
        return try secret.withBytes { try input.writeAll($0) }
    }

    /// - Returns: nil where none comes.
    private static func answer(_ output: borrowing FileDescriptor) throws -> Answer? {
        var bytes: [UInt8] = []
        let end = SystemClock.bootMilliseconds() + UInt64(patience)
        while true {
            let now = SystemClock.bootMilliseconds()
            guard now < end else { return nil }
            guard try Poll.wait(untilReadable: output.raw, milliseconds: Int(end - now)) == .ready else { continue }
            guard case .moved = try output.read(into: &bytes, room: 1), let byte = bytes.first else { return nil }
            return Answer(rawValue: byte)
        }
    }
}
