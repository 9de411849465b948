/// Why the bus could not be used.
package enum BusError: Error, Equatable, Sendable {
    /// It can't be reached, or it ended the connection.
    case unavailable
    /// A call can't be put together.
    case callFailed
}
