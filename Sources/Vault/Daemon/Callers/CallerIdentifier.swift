import EventLoop
import KeychainStore
import Linux
import Protection
import Wire

/// Finds out which program is at the other end of a connection, by what the kernel vouches for.
///
/// A program says *identify*, and is looked at; what was seen holds for the connections that its process makes from
/// then on, and for none that it made before: a socket that was shared with another process, by fork(2), must not gain
/// by what its maker executes later. Ours say it as they start, before they hide from others (PR_SET_DUMPABLE).
final class CallerIdentifier {
    private static let mostRemembered = 1024

    /// A process, as it was looked at.
    final class Seen {
        fileprivate let evidence: CallerEvidence
        fileprivate let file: FileIdentity?
        fileprivate let group: UInt32
        /// The last connection that had been accepted by then.
        fileprivate let connection: UInt64
        fileprivate var identity: CallerIdentity
        /// Which state of the registry the identity follows from, and until when it does, in microseconds since 1970.
        fileprivate var generation: UInt64 = 0
        fileprivate var validUntil: UInt64 = 0
        /// What it was told first: a running program does not see a reset.
        var advertising: AdvertisingIdentity?

        fileprivate init(_ evidence: CallerEvidence, _ file: FileIdentity?, group: UInt32, connection: UInt64) {
            self.evidence = evidence
            self.file = file
            self.group = group
            self.connection = connection
            identity = CallerIdentifier.unknown
        }
    }

    private let witness: CallerWitness
    private let apps: () -> AppRegister
    private var remembered: [ProcessName: Seen] = [:]

    /// - Parameter apps: the registered apps; asked each time, as another store may take the place of this one.
    init(witness: CallerWitness = CallerWitness(), apps: @escaping () -> AppRegister) {
        self.witness = witness
        self.apps = apps
    }

    /// Who made a connection.
    ///
    /// - Returns: nil where the process that connected has ended: whoever holds its socket is not it.
    /// - Throws: `LinuxError` where it could not be looked up this time.
    func identity(of connection: Connection) throws(LinuxError) -> CallerIdentity? {
        guard connection.peer.isAlive else { return nil }
        if !connection.isCallerSettled {
            connection.caller = try seen(by: connection)
            connection.isCallerSettled = true
        }
        return connection.caller.map(current) ?? Self.unknown
    }

    /// What was seen of the process that made a connection, once its identity was asked for.
    func settled(_ connection: Connection) -> Seen? { connection.caller }

    /// Whether a process runs a program of ours, hidden or not.
    func isOurs(_ peer: borrowing PeerProcess) -> Bool {
        if let seen = remembered[ProcessName(peer)], (try? peer.executable()) == nil {
            return seen.evidence.executable?.isOurs == true
        }
        return witness.isOurs(peer)
    }

    /// What a look at a connection's process came to.
    enum Look {
        /// Who it is, and whether that holds for this connection, too.
        case known(CallerIdentity, holdsHere: Bool)
        /// Its file has to be read before; then look again, with that.
        case unread(ContentReading)
        /// The process has ended.
        case gone
        /// It could not be looked up this time.
        case failed(LinuxError)
    }

    /// Looks at a connection's process, for the connections that it will make.
    ///
    /// - Parameters:
    ///   - content: what was read of its file, where an earlier look asked for it.
    ///   - acceptWaiting: accepts whoever waits, and returns the number of the last; nil where that failed.
    func look(at connection: Connection, content: ContentReading? = nil, acceptWaiting: () -> UInt64?) -> Look {
        do {
            if connection.peer.isAlive, let seen = try seen(by: connection), !wantsMore(seen) {
                (connection.caller, connection.isCallerSettled) = (seen, true)
                return .known(current(seen), holdsHere: true)
            }
            return try lookAnew(at: connection, content, acceptWaiting)
        } catch { return connection.peer.isAlive ? .failed(error) : .gone }
    }

    /// Whether an app was registered since that is known by its content, which was not looked at.
    private func wantsMore(_ seen: Seen) -> Bool {
        guard apps().registry.needsDigests, let executable = seen.evidence.executable else { return false }
        return executable.digest == nil && !executable.isOurs
    }

    private func lookAnew(
        at connection: Connection, _ content: ContentReading?, _ acceptWaiting: () -> UInt64?
    ) throws(LinuxError) -> Look {
        let file = try Self.file(of: connection)
        let wantsDigest = apps().registry.needsDigests
        if content == nil, let unread = try witness.content(of: connection.peer, file, wantsDigest: wantsDigest) {
            return .unread(unread)
        }
        let evidence = try witness.evidence(of: connection.peer, file, wantsDigest: wantsDigest, content: content)
        // Only now is it certain that /proc told of this process.
        guard connection.peer.isAlive else { return .gone }
        let group = connection.peer.group
        // What waits to be accepted was connected before the look, perhaps by what the process ran then.
        guard var last = acceptWaiting() else { return .known(Self.unknown, holdsHere: false) }
        let process = connection.process
        if let known = remembered[process], known.file == file, known.file != nil, known.group == group {
            // The same program says it twice: what it connected in between is its own.
            last = min(known.connection, last)
        }
        let seen = Seen(evidence, file, group: group, connection: last)
        remember(seen, process)
        return .known(current(seen), holdsHere: false)
    }

    /// What was seen of a connection's process before that made it, and while it runs the same file still.
    private func seen(by connection: Connection) throws(LinuxError) -> Seen? {
        guard let seen = remembered[connection.process], connection.id > seen.connection,
            seen.group == connection.peer.group
        else { return nil }
        guard let file = try Self.file(of: connection) else {
            // Ours hide, and execute nothing in their place. Another program that hides may have become one whose file
            // nobody can read; it keeps the connection that it had before.
            return seen.file == nil || seen.evidence.executable?.isOurs == true ? seen : nil
        }
        return seen.file.map(file.isStill) == true ? seen : nil
    }

    /// What a connection's process runs; nil where it hides.
    private static func file(of connection: Connection) throws(LinuxError) -> FileIdentity? {
        do { return try connection.peer.executable() } catch {
            guard !error.isPassing else { throw error }
            return nil
        }
    }

    private func current(_ seen: Seen) -> CallerIdentity {
        let apps = apps()
        let now = UInt64(clamping: SystemClock.wallMicroseconds())
        guard seen.generation != apps.generation || now >= seen.validUntil else { return seen.identity }
        seen.identity = CallerIdentity(
            seen.evidence, apps: apps.registry.claims(now: now), granted: apps.registry.granted)
        seen.generation = apps.generation
        seen.validUntil = apps.registry.nextExpiry(after: now) ?? .max
        return seen.identity
    }

    private static let unknown = CallerIdentity(CallerEvidence(), apps: []) { _ in [] }

    private func remember(_ seen: Seen, _ process: ProcessName) {
        if remembered.count >= Self.mostRemembered && remembered[process] == nil {
            remembered = remembered.filter { PeerProcess.isRunning($0.key.id, since: $0.key.startTime) }
        }
        if remembered.count >= Self.mostRemembered && remembered[process] == nil {
            // Connections that are settled keep what they know; the program says it again for the next.
            let others = remembered.filter { $0.value.evidence.executable?.isOurs != true }
            guard let oldest = others.min(by: { $0.value.connection < $1.value.connection }) else { return }
            remembered[oldest.key] = nil
        }
        remembered[process] = seen
    }
}
