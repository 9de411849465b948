import EventLoop
import Foundation
import Linux
import Testing

/// A socket pair: one end is the loop's.
final class Pair {
    let near: FileDescriptor
    private var far: FileDescriptor?

    init() throws {
        let (one, other) = try UnixSocket.makePair()
        near = FileDescriptor(owning: one)
        far = FileDescriptor(owning: other)
        try near.setNonblocking(true)
    }

    func write(_ text: String = "x") throws {
        switch far {
        case .some(let far):
            let isTaken = try far.writeAll(text)
            #expect(isTaken)
        case .none: Issue.record("it has hung up")
        }
    }

    func hangUp() { far = nil }

    /// Takes what is there.
    func drain() throws {
        var bytes: [UInt8] = []
        _ = try near.read(into: &bytes, room: 65_536)
    }
}

/// What a loop hears of its descriptors, and of those of libraries.
@Suite struct SourceTests {
    @Test func `what is wanted is heard until it is taken, and nothing else`() throws {
        let (loop, pair) = (try EventLoop(), try Pair())
        let source = try loop.add(pair.near.raw)
        #expect(try !loop.wait(milliseconds: 0))
        try pair.write()
        #expect(try loop.wait(milliseconds: 1000) && loop.isReadable(source))
        #expect(try loop.wait(milliseconds: 0) && loop.isReadable(source), "it is there still")
        try loop.want(source, reading: false, writing: true)
        #expect(try loop.wait(milliseconds: 0) && loop.readiness(of: source) == .writable)
        try loop.want(source, reading: true)
        try pair.drain()
        #expect(try !loop.wait(milliseconds: 0) && !loop.isReadable(source))
    }

    @Test func `an end is heard whatever is wanted, but of one that is muted`() throws {
        let (loop, pair) = (try EventLoop(), try Pair())
        let source = try loop.add(pair.near.raw, reading: false)
        pair.hangUp()
        #expect(try loop.wait(milliseconds: 1000) && loop.readiness(of: source).contains(.broken))
        loop.mute(source)
        #expect(try !loop.wait(milliseconds: 0) && loop.readiness(of: source).isEmpty)
        try loop.want(source, reading: true)
        #expect(try loop.wait(milliseconds: 0) && loop.isReadable(source))
        loop.remove(source)
        #expect(try !loop.wait(milliseconds: 0))
    }

    @Test func `a glance leaves what the last wait has found`() throws {
        let (loop, one, other) = (try EventLoop(), try Pair(), try Pair())
        let (first, second) = (try loop.add(one.near.raw), try loop.add(other.near.raw))
        try one.write()
        #expect(try loop.wait(milliseconds: 1000))
        try one.drain()
        try other.write()
        let glance = try loop.peek()
        #expect(glance.readiness(of: first).isEmpty && glance.readiness(of: second) == .readable)
        #expect(loop.isReadable(first) && !loop.isReadable(second))
    }

    @Test func `a number that a library has given back is heard as what it is now`() throws {
        let loop = try EventLoop()
        // A descriptor of a library's, which closes it without a word.
        let (number, other) = try UnixSocket.makePair()
        try loop.watch(others: [DescriptorInterest(number)])
        let next = try Pair()
        close(number)
        close(other)
        #expect(dup2(next.near.raw, number) == number)
        defer { close(number) }
        // The library has another one under this number.
        try loop.watch(others: [DescriptorInterest(number)])
        try next.write()
        #expect(try loop.wait(milliseconds: 1000) && loop.isReady(other: number))
        // Or it is the program's own by now.
        let own = try Pair()
        #expect(dup2(own.near.raw, number) == number)
        let source = try loop.add(number)
        try loop.watch(others: [])
        try own.write()
        #expect(try loop.wait(milliseconds: 1000) && loop.isReadable(source) && !loop.isReady(other: number))
    }

    @Test func `a library's descriptor is heard as long as it is named`() throws {
        let (loop, pair) = (try EventLoop(), try Pair())
        try pair.write()
        try loop.watch(others: [DescriptorInterest(pair.near.raw)])
        #expect(try loop.wait(milliseconds: 1000) && loop.isReady(other: pair.near.raw))
        try loop.watch(others: [DescriptorInterest(pair.near.raw, reading: false)])
        #expect(try !loop.wait(milliseconds: 0) && !loop.isReady(other: pair.near.raw))
        try loop.watch(others: [])
        #expect(try !loop.wait(milliseconds: 0))
    }
}

/// What threads hand in.
@Suite struct MailboxTests {
    @Test func `what threads hand in wakes the loop, and comes whole and in each one's order`() throws {
        let (loop, mailbox) = (try EventLoop(), try Mailbox<[Int]>())
        let source = try loop.add(mailbox.descriptor)
        #expect(try !loop.wait(milliseconds: 0) && mailbox.takeAll().isEmpty)
        for thread in 0..<4 {
            Thread.detachNewThread { for number in 0..<500 { mailbox.put([thread, number]) } }
        }
        var taken: [[Int]] = []
        while taken.count < 2000, try loop.wait(milliseconds: 30_000) {
            #expect(loop.isReadable(source))
            taken += mailbox.takeAll()
        }
        for thread in 0..<4 {
            #expect(taken.filter { $0[0] == thread }.map { $0[1] } == Array(0..<500))
        }
        #expect(try !loop.wait(milliseconds: 0), "nothing wakes it any more")
    }
}
