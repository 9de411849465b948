import Linux
import Localization
import ResidentClient
import Tresor
package import Widgets
package import Wire

/// The frames of some widgets, as they change, for a host that shows them.
///
/// With each connection come frames for the time without one: they are shown as soon as the connection is lost, be it
/// that the daemon died or that the device locks.
package final class FrameStream {
    /// Milliseconds between two attempts to reach tresor-widgets, at first and at most.
    private static let (firstRetry, longestRetry): (UInt64, UInt64) = (500, 10_000)

    /// Milliseconds that tresor-widgets has at a lock.
    private static let grace: UInt64 = 250

    private let home: Home
    private let orders: [WidgetOrder]
    private var connection: WidgetConnection?
    private var question: UInt32?
    /// When it is tried again to connect, and how long is waited after that; milliseconds since the machine started.
    private var nextTry: UInt64 = 0
    private var retry = FrameStream.firstRetry
    /// What tresord says itself: tresor-widgets may be stopped, and say nothing.
    private var watch: LockWatch?
    /// When frames are hidden unless tresor-widgets has spoken by then; milliseconds since the machine started.
    private var hidesAt: UInt64?
    /// What stands for the frames where nobody says what may be seen.
    package private(set) var fallbacks: [WidgetFrame] = []
    /// How many connections there were.
    package private(set) var connections = 0
    /// What the host shows, by the orders' positions.
    package private(set) var frames: [WidgetFrame] = []

    /// What happened.
    package enum Change: Equatable, Sendable {
        case none
        case changed
        /// What was shown is hidden now: what is left of it in this process is to be wiped.
        case hidden
    }

    /// Connects, and takes the frames as they are now; where there is nobody, placeholders without a name.
    ///
    /// - Throws: ``WidgetError`` for an order that is not known.
    package init(home: Home, orders: [WidgetOrder]) throws {
        self.home = home
        self.orders = orders
        fallbacks = orders.map { order in
            let configuration = WidgetConfiguration(
                kind: order.kind, displayName: "Tresor", summary: "", symbol: .lock, families: [], protection: .complete
            )
            return WidgetFrame(
                configuration, family: WidgetFamily(name: order.family) ?? .accessoryInline, state: .placeholder,
                root: .mask(.text(.body, columns: Mask.privateColumns))
            ).spoken
        }
        frames = fallbacks
        _ = try isConnectedAnew()
    }

    /// To poll; -1 without a connection.
    package var descriptor: Int32 { connection?.descriptor ?? -1 }

    /// To poll beside it; -1 without one.
    package var watchDescriptor: Int32 { watch?.descriptor ?? -1 }

    /// Milliseconds to wait for the descriptors at most; nil for ever.
    package var patience: Int? {
        guard let time = connection == nil ? nextTry : hidesAt else { return nil }
        let now = SystemClock.bootMilliseconds()
        return time > now ? Int(time - now) : 0
    }

    /// Takes what has come, or tries to connect anew.
    ///
    /// - Throws: ``WidgetError`` for an order that is not known any more.
    package func advance(isReadable: Bool, isWatchReadable: Bool) throws -> Change {
        if isWatchReadable { hearOfLock() }
        guard connection != nil else { return try reconnect() }
        if let hidesAt, SystemClock.bootMilliseconds() >= hidesAt {
            let before = frames
            hide()
            return Self.change(from: before, to: frames)
        }
        guard isReadable, let connection, let question else { return .none }
        let before = frames
        do {
            let answer = try connection.finish(question)
            try take(answer.reply, answer.body)
            self.question = try connection.begin(.next)
        } catch { try lose() }
        return Self.change(from: before, to: frames)
    }

    /// At a lock tresor-widgets ends this connection, after it has sent what may be seen; one that does neither is not
    /// waited for.
    private func hearOfLock() {
        do {
            repeat {
                guard let watch else { return }
                if try watch.next() == .unlocked { continue }
                hidesAt = hidesAt ?? SystemClock.bootMilliseconds() + Self.grace
            } while watch?.hasWaiting == true
        } catch {
            watch = nil
            hidesAt = hidesAt ?? SystemClock.bootMilliseconds() + Self.grace
        }
    }

    private func hide() {
        disconnect()
        nextTry = SystemClock.bootMilliseconds() + retry
        for index in frames.indices where frames[index].state != .unavailable { frames[index] = fallbacks[index] }
    }

    private func disconnect() {
        connection = nil
        question = nil
        watch = nil
        hidesAt = nil
    }

    /// Nobody says any more what may be seen.
    private func lose() throws {
        disconnect()
        // Where nothing is seen, a program that replaced itself may go on without a change on the screen.
        if try frames.allSatisfy({ $0.state != .shown }) && isConnectedAnew() { return }
        for index in frames.indices where frames[index].state != .unavailable { frames[index] = fallbacks[index] }
    }

    private func reconnect() throws -> Change {
        // Something else may have woken the loop, such as the end of what was started in vain.
        guard SystemClock.bootMilliseconds() >= nextTry else { return .none }
        let before = frames
        _ = try isConnectedAnew()
        return Self.change(from: before, to: frames)
    }

    private func isConnectedAnew() throws -> Bool {
        do {
            try connect()
            retry = Self.firstRetry
        } catch let error as WidgetError where error.code == .unavailable {
            disconnect()
            nextTry = SystemClock.bootMilliseconds() + retry
            // Where nobody serves, asking costs little; a program that does not start costs more each time.
            let hasDaemon = (try? UnixSocket.connect(home.socket)) != nil
            retry = hasDaemon ? min(retry * 2, Self.longestRetry) : Self.firstRetry
        }
        return connection != nil
    }

    private func connect() throws {
        let connection = try WidgetConnection(home: home)
        // Before the frames are asked for: a lock in between must not be missed.
        let watch = try? LockWatch(home)
        let answer = try connection.ask(.watch(orders))
        guard case .frames(let list) = answer.reply, let sizes = list.fallbackSizes, sizes.count == orders.count,
            list.sizes.count == orders.count
        else { throw Self.garbled }
        let all = try Self.frames(answer.body, sizes: list.sizes + sizes)
        frames = Array(all.prefix(orders.count))
        fallbacks = Array(all.suffix(orders.count))
        question = try connection.begin(.next)
        self.connection = connection
        self.watch = watch
        connections += 1
    }

    private func take(_ reply: WidgetReply, _ body: [UInt8]) throws {
        guard case .frames(let list) = reply, list.indices.count == list.sizes.count else { throw Self.garbled }
        for (index, frame) in zip(list.indices, try Self.frames(body, sizes: list.sizes)) {
            guard frames.indices.contains(index) else { throw Self.garbled }
            frames[index] = frame
        }
    }

    private static func change(from before: [WidgetFrame], to after: [WidgetFrame]) -> Change {
        guard before != after else { return .none }
        let isHidden = zip(before, after).contains { $0.state == .shown && $1.state != .shown }
        return isHidden ? .hidden : .changed
    }

    private static var garbled: WidgetError {
        WidgetError(.unavailable, marked("the answer of tresor-widgets cannot be read; its version may be another"))
    }

    private static func frames(_ body: [UInt8], sizes: [Int]) throws -> [WidgetFrame] {
        var frames: [WidgetFrame] = []
        var offset = 0
        for size in sizes {
            guard size >= 0, size <= body.count - offset else { throw garbled }
            do { frames.append(try WidgetFrame(received: Array(body[offset..<offset + size]))) } catch { throw garbled }
            offset += size
        }
        guard offset == body.count else { throw garbled }
        return frames
    }
}

extension ResidentConnection<WidgetMessages> {
    /// One frame.
    ///
    /// - Throws: ``WidgetError``.
    package func frame(_ order: WidgetOrder) throws -> WidgetFrame {
        let answer = try ask(.render(order))
        guard case .frames = answer.reply, let frame = try? WidgetFrame(received: answer.body) else {
            throw WidgetError(
                .unavailable, marked("the answer of tresor-widgets cannot be read; its version may be another"))
        }
        return frame
    }
}
