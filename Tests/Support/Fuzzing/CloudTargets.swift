import CloudWire
import Secrets

/// What clients send to the cloud's server, and what they believe its answers are.
///
/// The parts that stay in the body are written from there: what is told of where they lie has to be right.
enum CloudTargets {
    static func modify(_ body: RawSpan) throws -> [UInt8] { try Modify(from: body).encoded(from: body) }
    static func changes(_ body: RawSpan) throws -> [UInt8] { try ChangesPage(from: body).encoded(from: body) }
    static func modified(_ body: RawSpan) throws -> [UInt8] { try Modified(from: body).encoded }
}
