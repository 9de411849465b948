/// Times at which something is due, each under a key, the soonest at hand: a binary heap, as a value without a clock.
///
///     var alarms = DeadlineHeap<Alarm>()
///     alarms[.scrub] = now + 500
///     alarms[.idle] = nil
///     alarms.next
package struct DeadlineHeap<Key: Hashable & Sendable>: Sendable {
    private struct Entry: Sendable {
        let key: Key
        let time: UInt64
        /// Where times are the same, who was set first is due first.
        let order: UInt64

        func isBefore(_ other: Entry) -> Bool { (time, order) < (other.time, other.order) }
    }

    private var entries: [Entry] = []
    private var places: [Key: Int] = [:]
    private var nextOrder: UInt64 = 0

    /// Makes one in which nothing is due.
    package init() {}

    /// How many times there are.
    package var count: Int { entries.count }

    /// The soonest time; nil where there is none.
    package var next: UInt64? { entries.first?.time }

    /// Milliseconds until the soonest time, for a wait; nil where there is none.
    package func milliseconds(at now: UInt64) -> Int? { next.map { $0 > now ? Int(clamping: $0 - now) : 0 } }

    /// When something is due; nil where it never is.
    package subscript(key: Key) -> UInt64? {
        get { places[key].map { entries[$0].time } }
        set {
            guard newValue != self[key] else { return }
            remove(key)
            if let newValue { insert(key, newValue) }
        }
    }

    /// Takes what is due by now, the soonest first.
    package mutating func takeDue(at now: UInt64) -> [Key] {
        var due: [Key] = []
        while let first = entries.first, first.time <= now {
            due.append(first.key)
            remove(first.key)
        }
        return due
    }

    private mutating func insert(_ key: Key, _ time: UInt64) {
        entries.append(Entry(key: key, time: time, order: nextOrder))
        nextOrder += 1
        places[key] = entries.count - 1
        rise(entries.count - 1)
    }

    private mutating func remove(_ key: Key) {
        guard let place = places[key] else { return }
        exchange(place, entries.count - 1)
        entries.removeLast()
        places[key] = nil
        guard place < entries.count else { return }
        rise(place)
        sink(place)
    }

    private mutating func rise(_ start: Int) {
        var place = start
        while place > 0, entries[place].isBefore(entries[(place - 1) / 2]) {
            exchange(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func sink(_ start: Int) {
        var place = start
        while true {
            let children = [2 * place + 1, 2 * place + 2].filter { $0 < entries.count }
            let first = children.min { entries[$0].isBefore(entries[$1]) }
            guard let first, entries[first].isBefore(entries[place]) else { return }
            exchange(place, first)
            place = first
        }
    }

    private mutating func exchange(_ one: Int, _ other: Int) {
        entries.swapAt(one, other)
        places[entries[one].key] = one
        places[entries[other].key] = other
    }
}
