import FoundationEssentials
import Linux
import Secrets

/// What was typed and could not be handed in: requests that wait on this side, in locked memory, until they are taken.
///
/// A lock leaves nothing of a note in a client's memory, with this one exception; whoever holds something says so where
/// the person sees it. See docs/THREATS.md, "The hand-in".
package struct HeldRequests<Request: Codable & Sendable>: ~Copyable {
    /// One of them; its words are in no other memory.
    private final class Held {
        let head: SecretBytes
        let body: SecretBytes

        init(_ request: Request, _ text: [UInt8]) throws {
            head = try Array(try JSONEncoder().encode(request)).withSpan { try SecretBytes(copying: $0) }
            body = try text.withSpan { try SecretBytes(copying: $0) }
        }
    }

    private var held: [Held] = []
    /// Where no locked memory is left: words that are kept in plain memory are better than words that are gone.
    private var unlocked: [(request: Request, body: [UInt8])] = []

    /// Nothing is held.
    package init() {}

    /// Whether everything was handed in.
    package var isEmpty: Bool { held.isEmpty && unlocked.isEmpty }

    /// How many requests wait.
    package var count: Int { held.count + unlocked.count }

    /// Keeps a request with its text until ``removeFirst()``.
    package mutating func hold(_ request: Request, body: [UInt8]) {
        do { held.append(try Held(request, body)) } catch { unlocked.append((request: request, body: body)) }
    }

    /// The one that has waited longest, to be asked now; it stays here until ``removeFirst()``.
    package var first: (request: Request, body: [UInt8])? {
        guard let next = held.first else { return unlocked.first }
        guard
            let request = try? JSONDecoder().decode(Request.self, from: Data(next.head.withBytes { $0.copyToArray() }))
        else { return nil }
        return (request: request, body: next.body.withBytes { $0.copyToArray() })
    }

    /// It was taken.
    package mutating func removeFirst() {
        if !held.isEmpty {
            held.removeFirst()
        } else if !unlocked.isEmpty {
            unlocked.removeFirst()
        }
    }

    /// Puts another request in the place of the first, with the same text: what that one named is gone, or another.
    package mutating func replaceFirst(by request: Request) {
        guard let body = first?.body else { return }
        removeFirst()
        var rest = HeldRequests()
        rest.hold(request, body: body)
        (held, unlocked) = (rest.held + held, rest.unlocked + unlocked)
    }

    /// Wipes them: the person does not want them.
    package mutating func removeAll() { (held, unlocked) = ([], []) }
}
