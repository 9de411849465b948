import EventLoop
import Testing

/// Who is waited for until something is over: a state machine without I/O.
@Suite struct EvictionTests {
    private func machine() -> Eviction<Int> { Eviction(patience: 2000, dying: 1000) }

    @Test func `where nobody holds anything there is nothing to wait for`() {
        var eviction = machine()
        #expect(eviction.begin([], at: 10) == [])
        #expect(!eviction.isUnderWay && eviction.deadline == nil)
        let isOver = eviction.takeEnd()
        #expect(!isOver)
        #expect(eviction.goOn(at: .max) == [])
    }

    @Test func `each holder is told once, and all of them are waited for`() {
        var eviction = machine()
        #expect(eviction.begin([1, 2], at: 10) == [.tell(1), .tell(2)])
        #expect(eviction.begin([1, 2, 3], at: 20) == [.tell(3)])
        #expect(eviction.isUnderWay && eviction.waits(for: 3))
        for peer in [1, 3] {
            eviction.left(peer)
            let isOver = eviction.takeEnd()
            #expect(!isOver, "2 has not let go")
        }
        eviction.left(2)
        let ends = [eviction.takeEnd(), eviction.takeEnd()]
        #expect(ends == [true, false], "it is over once")
        #expect(!eviction.isUnderWay)
    }

    @Test func `whoever is late is killed, and whoever does not end is given up`() {
        var eviction = machine()
        _ = eviction.begin([1, 2], at: 0)
        #expect(eviction.goOn(at: 1999) == [])
        #expect(eviction.deadline == 2000)
        eviction.left(2)
        #expect(eviction.goOn(at: 2000) == [.kill(1)])
        #expect(eviction.goOn(at: 2999) == [])
        #expect(eviction.waits(for: 1))
        #expect(eviction.goOn(at: 3000) == [.giveUp(1)])
        #expect(!eviction.waits(for: 1))
        let isOver = eviction.takeEnd()
        #expect(isOver)
    }

    @Test func `whoever was killed and ends in time is not given up`() {
        var eviction = machine()
        _ = eviction.begin([1], at: 0)
        _ = eviction.goOn(at: 2000)
        eviction.left(1)
        let isOver = eviction.takeEnd()
        #expect(isOver)
        #expect(eviction.goOn(at: 5000) == [])
    }

    @Test func `whoever is told later has no more time than the others`() {
        var eviction = machine()
        _ = eviction.begin([1], at: 0)
        _ = eviction.begin([2], at: 1500)
        #expect(eviction.goOn(at: 2000) == [.kill(1), .kill(2)])
        #expect(eviction.begin([3], at: 2500) == [.tell(3)])
        #expect(eviction.goOn(at: 3000) == [.giveUp(1), .giveUp(2), .kill(3)])
        #expect(eviction.goOn(at: 4000) == [.giveUp(3)])
    }

    @Test func `one that could not be told was killed then, and is not killed again`() {
        var eviction = machine()
        _ = eviction.begin([1, 2], at: 0)
        eviction.wasKilled(1)
        #expect(eviction.goOn(at: 2000) == [.giveUp(1), .kill(2)])
    }

    @Test func `a next one begins anew`() {
        var eviction = machine()
        _ = eviction.begin([1], at: 0)
        eviction.left(1)
        _ = eviction.takeEnd()
        #expect(eviction.begin([1], at: 10_000) == [.tell(1)])
        #expect(eviction.deadline == 12_000)
    }
}
