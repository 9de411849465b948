package import ResidentClient
import Secrets

/// A request whose body may still be coming, frame by frame.
package protocol IncomingRequest: AnyObject {
    associatedtype Message: Decodable
    associatedtype Failure: Error

    var id: UInt32 { get }
    /// Why it will be refused when the rest of its body has come.
    var failure: Failure? { get set }

    init(id: UInt32, _ request: Message, _ secrets: consuming MessageSecrets)

    /// Lets go of what has come of the body.
    func dropBody()
}

/// A client that sends requests with bodies, one at a time.
package protocol BodyTaking: AnyObject {
    associatedtype Request: IncomingRequest

    /// The one whose body is still coming.
    var request: Request? { get set }
}

extension BodyTaking {
    /// Takes a request's head, or a part of its body.
    ///
    /// What fails on the way is told when the rest of the body has come, which nobody keeps.
    ///
    /// - Parameters:
    ///   - begin: looks at a request that a body follows.
    ///   - add: takes a part of the body.
    ///   - meaning: what an error of theirs means to the client.
    /// - Returns: the request, once all of it is here.
    /// - Throws: `DecodingError` for a frame that has no place here; the connection is of no use any more.
    package func assemble(
        _ received: consuming MessageFrame, begin: (Request) throws -> Void, add: ([UInt8], Request) throws -> Void,
        meaning: (any Error) -> Request.Failure
    ) throws -> Request? {
        var frame = received
        guard frame.part == .head else { return try takeBody(frame, add: add, meaning: meaning) }
        guard request == nil, frame.id != 0 else { throw DecodingError.invalid }
        let message = try frame.message(as: Request.Message.self)
        let (id, hasMore) = (frame.id, frame.hasMore)
        let new = Request(id: id, message, frame.takeSecrets())
        guard hasMore else { return new }
        request = new
        do { try begin(new) } catch { new.failure = meaning(error) }
        return nil
    }

    private func takeBody(
        _ frame: borrowing MessageFrame, add: ([UInt8], Request) throws -> Void,
        meaning: (any Error) -> Request.Failure
    ) throws -> Request? {
        guard let current = request, current.id == frame.id else { throw DecodingError.invalid }
        do {
            if current.failure == nil { try add(frame.bytes, current) }
        } catch {
            current.dropBody()
            current.failure = meaning(error)
        }
        guard !frame.hasMore else { return nil }
        request = nil
        return current
    }
}
