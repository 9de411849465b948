package import Secrets
package import Tresor
package import Wire

/// A keychain under the acceptance suite, and the device under it: in one process, or behind the daemon.
package struct Bench {
    package var transport: any Transport
    /// The caller's first access group.
    package var defaultGroup: String
    package var setPasscode: () throws -> Void
    package var removePasscode: () throws -> Void
    package var lock: () throws -> Void
    package var unlock: () throws -> Void
    /// Starts the device anew; requests go on over a fresh connection.
    package var restart: () throws -> any Transport

    package init(
        transport: any Transport, defaultGroup: String = "user", setPasscode: @escaping () throws -> Void,
        removePasscode: @escaping () throws -> Void,
        lock: @escaping () throws -> Void, unlock: @escaping () throws -> Void,
        restart: @escaping () throws -> any Transport
    ) {
        self.transport = transport
        self.defaultGroup = defaultGroup
        self.setPasscode = setPasscode
        self.removePasscode = removePasscode
        self.lock = lock
        self.unlock = unlock
        self.restart = restart
    }
}

/// What a case talks to: requests with literals, answers as status codes.
package final class Probe {
    package var bench: Bench
    private var failures: [String] = []

    package init(_ bench: Bench) { self.bench = bench }

    /// One found item.
    package struct Found: Equatable {
        package var reference: PersistentReference
        package var attributes: Attributes?
        package var data: [UInt8]?
        package subscript(_ code: String) -> AttributeValue? {
            AttributeCode(code).flatMap { attributes?[$0] }
        }
    }

    package struct Answer: Equatable {
        package var status: Int32
        package var items: [Found] = []
        package var end = PageEnd()
        package var reason = KeychainError.Reason.none
    }

    /// What went wrong so far; a case with none has passed.
    package var complaints: [String] { failures }

    package func expect(_ condition: Bool, _ what: String, line: Int = #line) {
        if !condition { failures.append("line \(line): \(what)") }
    }

    package func expect(_ wanted: Int32, _ answer: Answer, line: Int = #line) {
        expect(answer.status == wanted, "status \(answer.status) instead of \(wanted)", line: line)
    }

    package func restart() throws { bench.transport = try bench.restart() }

    @discardableResult
    package func add(
        _ kind: String?, _ values: [String: AttributeValue], data: String? = "secret",
        returns: KeychainQuery.Returns = []
    ) -> Answer {
        exchange {
            let secret = try data.map { try SecretBytes(text: $0) }
            return .add(
                ItemAddition(
                    kind: kind.flatMap { AttributeCode($0) }, attributes: Attributes(values), secret: secret,
                    returns: returns))
        }
    }

    package func find(
        _ kind: String?, _ values: [String: AttributeValue] = [:], returns: KeychainQuery.Returns = [],
        limit: UInt32? = 1, _ adjust: (inout KeychainQuery) -> Void = { _ in }
    ) -> Answer {
        var query = self.query(kind, values)
        query.returns = returns
        query.limit = limit
        adjust(&query)
        let sent = query
        return exchange { .find(sent) }
    }

    @discardableResult
    package func update(
        _ kind: String?, _ values: [String: AttributeValue] = [:], to changes: [String: AttributeValue],
        data: String? = nil, _ adjust: (inout KeychainQuery) -> Void = { _ in }
    ) -> Answer {
        var query = self.query(kind, values)
        adjust(&query)
        let sent = query
        return exchange {
            let secret = try data.map { try SecretBytes(text: $0) }
            return .update(ItemUpdate(query: sent, changes: Attributes(changes), secret: secret))
        }
    }

    @discardableResult
    package func remove(
        _ kind: String?, _ values: [String: AttributeValue] = [:],
        _ adjust: (inout KeychainQuery) -> Void = { _ in }
    ) -> Answer {
        var query = self.query(kind, values)
        adjust(&query)
        let sent = query
        return exchange { .remove(sent) }
    }

    package func provePresence(_ passcode: String, _ item: Identifier, operation: UInt8) -> Answer {
        exchange {
            .provePresence(
                PresenceClaim(
                    passcode: try SecretBytes(text: passcode), connection: 0, item: item, operation: operation))
        }
    }

    private func query(_ kind: String?, _ values: [String: AttributeValue]) -> KeychainQuery {
        var query = KeychainQuery()
        query.kind = kind.flatMap { AttributeCode($0) }
        query.attributes = Attributes(values)
        return query
    }

    private func exchange(_ request: () throws -> KeychainRequest) -> Answer {
        var answer = Answer(status: 0)
        do {
            try bench.transport.exchange(try request()) { payload in
                var reader = ByteReader(payload)
                let head = try KeychainReply.header(&reader)
                switch head.tag {
                case .error:
                    let error = try KeychainError(from: &reader)
                    answer.status = error.status.rawValue
                    answer.reason = error.reason
                case .page:
                    answer.end = try Page(from: &reader) { reference, attributes, data in
                        answer.items.append(
                            Found(reference: reference, attributes: attributes, data: data?.copyToArray()))
                    }.end
                default: break
                }
            }
        } catch {
            failures.append("the request failed below the keychain: \(error)")
            answer.status = 1
        }
        return answer
    }
}

extension SecretBytes {
    package init(text: String) throws {
        self = try Array(text.utf8).withSpan { (span) throws in try SecretBytes(copying: span) }
    }
}

extension Attributes {
    package init(_ values: [String: AttributeValue]) {
        self.init()
        for (name, value) in values {
            if let code = AttributeCode(name) { self[code] = value }
        }
    }
}

extension AttributeValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// A string attribute.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A number attribute.
    public init(integerLiteral value: Int64) { self = .number(value) }
}
