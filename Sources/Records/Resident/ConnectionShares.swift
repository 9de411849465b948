import EventLoop

/// How many connections a resident program serves, how many of them one process has, and who makes room for the next:
/// its numbers of `PeerShares`.
///
/// A connection that says nothing is not closed for that: a screen may stand open for a day. It goes when another one
/// comes and there is no place, the longest silent first. A window (whoever listens for events or has an edit open)
/// stays; so that commands find a place whatever happens, windows never take all of them.
package struct ConnectionShares: Sendable, Equatable {
    let places: PeerShares

    /// - Parameters:
    ///   - most: at a time.
    ///   - mostOfOne: of one process.
    ///   - mostWindows: that are windows.
    ///   - mostWindowsOfOne: that are windows of one process.
    package init(most: Int, mostOfOne: Int, mostWindows: Int, mostWindowsOfOne: Int) {
        let pool = PeerShares.Pool(ofOneProcess: mostOfOne, inAll: most)
        let windows = PeerShares.Pool(ofOneProcess: mostWindowsOfOne, inAll: mostWindows)
        // No program of ours is known here: all are alike.
        places = PeerShares(ours: pool, others: pool, windows: windows)
    }
}
