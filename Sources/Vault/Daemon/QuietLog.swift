import Linux
import Logging
import Protection

/// The log, where clients decide how often something is said: a few lines of each kind, then a number; and no more
/// bytes than two files hold.
final class QuietLog {
    private static let linesOfOneKind = 20
    /// After which lines are said again.
    private static let pause = Duration.seconds(60)
    /// Bytes of one file.
    static let limit = 1 << 20
    /// After which that is looked at again.
    private static let rotation = Duration.seconds(1)

    private struct Said {
        var since: UInt64
        var lines = 0
        var left = 0
    }

    private let log: Logger
    private let path: String
    private var said: [String: Said] = [:]
    private var rotatesFrom: UInt64 = 0

    /// - Parameter path: the file that standard error may lead to.
    init(_ log: Logger, path: String) {
        self.log = log
        self.path = path
    }

    /// - Parameters:
    ///   - kind: one of few texts, none made of what a client sent.
    ///   - code: what is different from time to time.
    func warning(_ kind: String, code: String, now: UInt64 = SystemClock.bootMilliseconds()) {
        var known = said[kind] ?? Said(since: now)
        if known.lines < Self.linesOfOneKind {
            known.lines += 1
            log.warning("\(kind)", metadata: ["code": "\(code)"])
        } else {
            known.left += 1
        }
        said[kind] = known
    }

    /// Whether something is still to be said, when the pause is over.
    var hasMore: Bool { !said.isEmpty }

    /// Says how much was left unsaid, once the pause is over, and begins the file anew when it has grown.
    func goOn(_ now: UInt64) {
        for (kind, known) in said where now >= known.since + Self.pause.wholeMilliseconds {
            if known.left > 0 { log.warning("\(kind)", metadata: ["left out": "\(known.left)"]) }
            said[kind] = nil
        }
        guard now >= rotatesFrom else { return }
        rotatesFrom = now + Self.rotation.wholeMilliseconds
        do { try ErrorStream.rotate(path, to: path + ".1", limit: Self.limit) } catch {
            rotatesFrom = now + Self.pause.wholeMilliseconds
            log.warning("the log could not be begun anew", metadata: ["error": "\(error)"])
        }
    }
}
