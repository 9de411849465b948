import Resident
import WidgetClient

/// One client of tresor-widgets: a bar, a lock screen, a command.
final class WidgetPeer: ResidentPeer {
    let pipe: MessagePipe
    /// What it shows.
    var watched: [WidgetOrder] = []
    /// The frames that it has of those.
    var sent: [[UInt8]] = []
    /// Its request for what changes next.
    var waitingNext: UInt32?
    /// Its request for a frame; where what is there may be old, since when the provider has to have been asked for it.
    var waitingRender: (id: UInt32, order: WidgetOrder, since: Int64, askedSince: Int64?)?
    /// Its request that may be about a widget of which nothing is known yet.
    var deferred: (id: UInt32, request: WidgetRequest)?

    init(_ pipe: MessagePipe) { self.pipe = pipe }

    /// A bar that shows something stays.
    var keepsItsPlace: Bool { !watched.isEmpty }

    var isWaiting: Bool { waitingNext != nil || waitingRender != nil || deferred != nil }

    func send(_ reply: WidgetReply, id: UInt32, body: [UInt8] = []) throws {
        try pipe.send(reply, id: id, body: body.isEmpty ? .none : .bytes(body))
    }
}
