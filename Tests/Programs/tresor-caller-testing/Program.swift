import Glibc
import Linux
import Protection
import Secrets
import Tresor
import Wire

/// A program of somebody's, for tests of who may open what: never installed.
///
/// `tresor-caller-testing add|find|update|delete SERVICE [GROUP]` prints the status code; `groups` prints the access
/// groups that the daemon gives it, `identifiers` its identifiers; `hold SERVICE` keeps a secret until a lock evicts
/// it, and then waits for the end of its standard input. With `--wait` in front it first waits for the end of its
/// standard input; `biometry` and `evaluate` are what LocalAuthentication says; `identifiers-twice` and
/// `groups-twice` wait in between.
@main
enum Program {
    static func main() {
        var arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "--wait" {
            arguments.removeFirst()
            if arguments.first?.hasSuffix("-twice") != true { waitForEnd() }
        }
        do {
            let home = try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
            if arguments.first == "groups-twice" {
                let before = try SocketTransport(home).report?.accessGroups.first ?? ""
                waitForEnd()
                print(before)
                print(try SocketTransport(home).report?.accessGroups.first ?? "")
                return
            }
            if arguments.first == "hold" { return try hold(arguments.last ?? "", home) }
            if arguments.first == "biometry" { return Fingers.describe() }
            if arguments.first == "evaluate" { return Fingers.evaluate() }
            print(try answer(arguments, SocketTransport(home)))
        } catch let error as KeychainError { print(error.status.rawValue) } catch {
            print("failed: \(error)")
            exit(1)
        }
    }

    private static func answer(_ arguments: [String], _ transport: SocketTransport) throws -> String {
        guard let call = arguments.first else { return "nothing to do" }
        if call == "groups" { return transport.report?.accessGroups.joined(separator: "\n") ?? "" }
        var query = KeychainQuery(kind: .password)
        query.returns = .data
        if arguments.count > 1 { query.attributes[.service] = .string(arguments[1]) }
        if arguments.count > 2 { query.attributes[.accessGroup] = .string(arguments[2]) }
        if call == "identifiers" { return try identifiers(transport).joined(separator: "\n") }
        if call == "identifiers-twice" {
            let before = try identifiers(transport)[1]
            waitForEnd()
            return try [before, identifiers(transport)[1]].joined(separator: "\n")
        }
        let secret = try Array("secret of \(arguments.last ?? "")".utf8).withSpan { try SecretBytes(copying: $0) }
        switch call {
        case "add":
            let code = ItemKind.password.code
            try exchange(.add(ItemAddition(kind: code, attributes: query.attributes, secret: secret)), transport)
        case "find": try exchange(.find(query), transport)
        case "update":
            var changes = Attributes()
            changes[.comment] = .string("changed")
            try exchange(.update(ItemUpdate(query: query, changes: changes, secret: nil)), transport)
        case "delete": try exchange(.remove(query), transport)
        default: return "unknown call"
        }
        return "0"
    }

    /// As a program of somebody's does that keeps what it has read: it says *hold*, and lets go when it is told to.
    private static func hold(_ service: String, _ home: Home) throws {
        var state = LockState.locked
        var notices: LockNotices? = try LockNotices(home, state: &state)
        var secret: SecretBytes? = try DaemonLink(home).readPassword(service: service, account: "")
        print("holds \(secret?.count ?? 0)")
        fflush(nil)
        while let heard = notices {
            // A device without its daemon is before first unlock.
            guard (try? heard.next()) ?? .evict == .evict else { continue }
            secret = nil
            notices = nil
        }
        print("let go")
        fflush(nil)
        waitForEnd()
        _ = consume secret
    }

    private static func waitForEnd() { while getchar() != EOF {} }

    /// The vendor's, the one for advertising, and whether tracking is allowed.
    private static func identifiers(_ transport: SocketTransport) throws -> [String] {
        var lines: [String] = []
        try transport.exchange(.identifiers) { payload in
            var reader = ByteReader(payload)
            if try KeychainReply.header(&reader).tag == .error { throw try KeychainError(from: &reader) }
            let report = try IdentifiersReport(from: &reader)
            lines = [
                report.vendor?.description ?? "none", report.advertising.identifier.description,
                "\(report.advertising.isTrackingAllowed)",
            ]
        }
        return lines
    }

    private static func exchange(_ request: consuming KeychainRequest, _ transport: SocketTransport) throws {
        try transport.exchange(request) { payload in
            var reader = ByteReader(payload)
            if try KeychainReply.header(&reader).tag == .error { throw try KeychainError(from: &reader) }
        }
    }
}
