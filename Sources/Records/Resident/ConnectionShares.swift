/// How many connections a resident program serves, how many of them one process has, and who makes room for the next: a
/// value without I/O.
///
/// A connection that says nothing is not closed for that: a screen may stand open for a day. It goes when another one
/// comes and there is no place, the longest silent first. A window (whoever listens for events or has an edit open)
/// stays; so that commands find a place whatever happens, windows never take all of them.
package struct ConnectionShares: Sendable, Equatable {
    /// At a time.
    package let most: Int
    /// Of one process.
    package let mostOfOne: Int
    /// That are windows.
    package let mostWindows: Int
    /// That are windows of one process.
    package let mostWindowsOfOne: Int

    /// - Parameter mostWindows: held below `most`, so that commands find a place.
    package init(most: Int, mostOfOne: Int, mostWindows: Int, mostWindowsOfOne: Int) {
        self.most = most
        self.mostOfOne = mostOfOne
        self.mostWindows = min(mostWindows, most - 1)
        self.mostWindowsOfOne = mostWindowsOfOne
    }

    /// A connection that is there.
    package struct Guest: Sendable, Equatable {
        /// The process id that the kernel says of it.
        package var process: Int32
        /// When a byte moved last, in milliseconds since the machine started.
        package var lastMoved: UInt64
        /// Whether it listens for events or has an edit open: then it is not closed for another.
        package var isWindow: Bool

        /// - Parameter lastMoved: milliseconds since the machine started.
        package init(process: Int32, lastMoved: UInt64, isWindow: Bool) {
            self.process = process
            self.lastMoved = lastMoved
            self.isWindow = isWindow
        }
    }

    /// Whether one who comes may stay.
    package enum Verdict: Sendable, Equatable {
        case welcome
        /// This one makes room, by its place in the list.
        case insteadOf(Int)
        case refused
    }

    /// What becomes of one who comes.
    package func verdict(on process: Int32, among guests: [Guest]) -> Verdict {
        let own = guests.indices.filter { guests[$0].process == process }
        if own.count >= mostOfOne { return room(among: own, guests) }
        guard guests.count >= most else { return .welcome }
        let shares = Dictionary(grouping: guests, by: \.process).mapValues(\.count)
        let silent = guests.indices.filter { !guests[$0].isWindow }
        // Whoever has taken most pays, also where another one has been silent for longer.
        let largest = silent.map { shares[guests[$0].process] ?? 0 }.max() ?? 0
        return room(among: silent.filter { shares[guests[$0].process] == largest }, guests)
    }

    private func room(among indices: [Int], _ guests: [Guest]) -> Verdict {
        let silent = indices.filter { !guests[$0].isWindow }
        return silent.min { guests[$0].lastMoved < guests[$1].lastMoved }.map { .insteadOf($0) } ?? .refused
    }

    /// Whether one more of a process may become a window.
    package func hasRoomForWindow(of process: Int32, among guests: [Guest]) -> Bool {
        let windows = guests.filter(\.isWindow)
        return windows.count < mostWindows && windows.count { $0.process == process } < mostWindowsOfOne
    }
}
