import Linux
import Synchronization

/// Where threads hand in what they have worked out, for the loop that takes it in its own time.
///
///     let done = try Mailbox<Answer>()
///     let source = try loop.add(done.descriptor)
///     // on a thread: done.put(answer)
///     if loop.isReadable(source) { for answer in done.takeAll() { … } }
package final class Mailbox<Item: Sendable>: Sendable {
    private let counter: WakeCounter
    private let waiting = Mutex<[Item]>([])

    /// - Throws: `LinuxError` where descriptors are short.
    package init() throws { counter = try WakeCounter() }

    /// To watch: readable exactly while something waits.
    package var descriptor: Int32 { counter.descriptor.raw }

    /// Hands something in, from any thread; the loop wakes.
    package func put(_ result: Item) {
        waiting.withLock { items in
            items.append(result)
            counter.raise()
        }
    }

    /// Takes what was handed in, in its order.
    package func takeAll() -> [Item] {
        waiting.withLock { items in
            counter.clear()
            defer { items = [] }
            return items
        }
    }
}
