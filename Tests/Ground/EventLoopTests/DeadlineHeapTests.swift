import EventLoop
import Testing
import Thoroughness

/// What is due when: a value without a clock.
@Suite struct DeadlineHeapTests {
    @Test func `the soonest is at hand, whatever was set in which order`() {
        var heap = DeadlineHeap<Int>()
        #expect(heap.next == nil && heap.milliseconds(at: 5) == nil)
        #expect(heap.takeDue(at: .max) == [])
        for (key, time) in [40, 10, 30, 50, 20, 60, 5].enumerated() { heap[key] = UInt64(time) }
        #expect(heap.next == 5 && heap.count == 7)
        #expect(heap.milliseconds(at: 1) == 4 && heap.milliseconds(at: 9) == 0)
        #expect(heap.takeDue(at: 30) == [6, 1, 4, 2])
        #expect(heap.next == 40)
        #expect(heap.takeDue(at: 39) == [])
        #expect(heap.takeDue(at: .max) == [0, 3, 5])
        #expect(heap.next == nil)
    }

    @Test func `a time that is set again, or taken back, is the one that counts`() {
        var heap = DeadlineHeap<String>()
        heap["scrub"] = 500
        heap["idle"] = 900
        heap["scrub"] = 1000
        #expect(heap["scrub"] == 1000 && heap.next == 900 && heap.count == 2)
        heap["idle"] = nil
        #expect(heap["idle"] == nil && heap.next == 1000)
        heap["never set"] = nil
        #expect(heap.count == 1)
        #expect(heap.takeDue(at: 1000) == ["scrub"])
        #expect(heap["scrub"] == nil)
    }

    @Test func `of those that are due at the same time, who was set first comes first`() {
        var heap = DeadlineHeap<Int>()
        for key in 0..<50 { heap[key] = 7 }
        heap[3] = 8
        heap[3] = 7
        #expect(heap.takeDue(at: 7) == Array(0..<3) + Array(4..<50) + [3])
    }

    @Test func `a thousand that are set, moved and taken back come out in their order`() {
        var random = Numbers(seed: 1)
        var heap = DeadlineHeap<Int>()
        var known: [Int: UInt64] = [:]
        for _ in 0..<Thoroughness.count(1500, soak: 5000) {
            let key = Int(random.next() % 1000)
            let time: UInt64? = random.next() % 4 == 0 ? nil : random.next() % 10_000
            heap[key] = time
            known[key] = time
            #expect(heap.next == known.values.min())
        }
        let due = heap.takeDue(at: 5000)
        #expect(due.map { known[$0] ?? .max } == known.values.filter { $0 <= 5000 }.sorted())
        #expect(heap.count == known.values.count { $0 > 5000 })
    }

    /// The same numbers each time (Marsaglia's xorshift64).
    private struct Numbers {
        private var state: UInt64

        init(seed: UInt64) { state = seed }

        mutating func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
    }
}
