/// Who is connected to an address, and who makes room for the next: a value without I/O.
///
/// Room is made at the expense of the user who takes the most of it, and there of whoever has waited longest without
/// having asked for anything: somebody who fills the places keeps out himself.
struct PageCrowd {
    struct Guest: Equatable {
        /// In milliseconds since the machine started.
        var since: UInt64
        /// Its user; nil where the kernel does not say.
        var user: UInt32?
        var isAnswered = false
    }

    /// At a time.
    let most: Int
    /// Whose server this is.
    let owner: UInt32
    private(set) var guests: [Int32: Guest] = [:]

    init(most: Int, owner: UInt32) {
        self.most = most
        self.owner = owner
    }

    var isFull: Bool { guests.count >= most }

    mutating func enter(_ socket: Int32, at time: UInt64) { guests[socket] = Guest(since: time) }

    mutating func leave(_ socket: Int32) { guests[socket] = nil }

    /// Its request was whole, and its answer is on the way.
    mutating func markAnswered(_ socket: Int32) { guests[socket]?.isAnswered = true }

    mutating func learn(_ user: UInt32?, of socket: Int32) { guests[socket]?.user = user }

    /// Who has been there since before then.
    func guests(before time: UInt64) -> [Int32] { guests.filter { $0.value.since < time }.map(\.key) }

    /// Who makes room; nil where nobody is there.
    var whoMakesRoom: Int32? {
        let shares = Dictionary(grouping: guests.values, by: \.user).mapValues(\.count)
        func rank(_ guest: Guest) -> (Int, Int, Int, UInt64) {
            // The greatest makes room: the largest crowd, others before the owner, silent ones, the oldest.
            (
                shares[guest.user] ?? 0, guest.user == owner ? 0 : 1, guest.isAnswered ? 0 : 1,
                UInt64.max - guest.since
            )
        }
        return guests.max { rank($0.value) < rank($1.value) }?.key
    }
}
