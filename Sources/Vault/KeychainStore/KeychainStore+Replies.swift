package import Secrets
package import Wire

// The replies to item requests, the same behind tresord's socket and in a keychain for tests.
extension KeychainStore {
    /// Adds an item and appends the reply frame.
    package func answerAdd(
        _ item: borrowing ItemAddition, id: UInt32, caller: Caller, into output: inout SecretBuffer
    ) throws {
        let reference = try add(item, caller: caller)
        let frame = try KeychainReply.begin(id: id, .page, in: &output)
        var page = try PageWriter(in: &output)
        try page.append(reference, attributes: nil, secret: nil, into: &output)
        try page.end(PageEnd(), in: &output)
        StreamFrame.end(frame, in: &output)
    }

    /// Finds items and appends the reply frame.
    package func answerFind(
        _ query: KeychainQuery, id: UInt32, caller: Caller, into output: inout SecretBuffer
    ) throws {
        let frame = try KeychainReply.begin(id: id, .page, in: &output)
        var page = try PageWriter(in: &output)
        let end = try find(query, caller: caller, into: &page, &output)
        try page.end(end, in: &output)
        StreamFrame.end(frame, in: &output)
    }
}

extension KeychainReply {
    /// Appends a reply frame that says nothing but success.
    package static func appendDone(id: UInt32, to output: inout SecretBuffer) throws(SecretMemoryError) {
        let frame = try begin(id: id, .done, in: &output)
        StreamFrame.end(frame, in: &output)
    }

    /// Appends a reply frame that carries an error.
    package static func append(
        _ error: KeychainError, id: UInt32, to output: inout SecretBuffer
    ) throws(SecretMemoryError) {
        let frame = try begin(id: id, .error, in: &output)
        try error.encode(into: &output)
        StreamFrame.end(frame, in: &output)
    }
}
