import ArgumentParser
import FoundationEssentials
import KeychainNames
import Linux
import Localization
import Secrets
import SoughtNames
import TerminalScreen
import Tresor
import Wire

/// Takes in what one-time codes are made from, beside the login that has the name, if there is one.
///
/// The code is an item of its own. It goes with a login by its names alone: `get NAME --code` finds it so.
struct CodeAddition {
    /// By what the login is known, or the codes will be; nil for the issuer that an otpauth address names.
    var name: String?
    /// Whether the name is taken as it is, and no login is looked for.
    var isVerbatim = false
    var account: String?
    var server: String?
    var protectionClass: ProtectionClass?

    /// - Parameters:
    ///   - source: has the otpauth address or the secret in base32.
    ///   - typing: how it is asked for at a terminal.
    /// - Throws: `Failure` where several logins have the name, or nothing says what the codes are for; `TresorError`.
    func add(from source: SecretSource, typing: SecretSource.Typing) async throws {
        guard name?.isEmpty != true else {
            throw Failure(Wire.ExitCode.usage, localized("a name has at least one character"))
        }
        let keychain = try Keychain()
        let login = isVerbatim ? nil : try await login(in: keychain)
        // Nothing is no seed either, and that is said in its words.
        let secret = try source.readSecret(allowsEmpty: true, typing: typing)
        let own = try OneTimeCodeName(in: secret)
        guard let title = login?.title ?? name ?? own?.title else {
            throw Failure(
                Wire.ExitCode.usage, localized("codes need a name, and the secret brings none; nothing was added"),
                hint: localized("give a NAME, and --account"))
        }
        if protectionClass?.availability == .always {
            Output.remark(localized("warning: class always is readable whenever this machine runs, locked or not"))
        }
        // Beside a login the account is its own, also where it has none: by another the code would not be found.
        let called = login ?? OneTimeCodeName(title: title, account: account ?? own?.account, server: server)
        let reference = try await keychain.addOneTimeCode(secret, called, protectionClass: protectionClass)
        if Question.canBeAsked { try await tell(reference, in: keychain) }
    }

    /// What codes beside the login of this name are called; nil where there is none.
    private func login(in keychain: Keychain) async throws -> OneTimeCodeName? {
        guard let name else { return nil }
        var narrowing = NamedItems.Narrowing()
        narrowing.kinds = [.password, .internetPassword]
        narrowing.account = account
        narrowing.accepts = { item in
            ["password", "internet"].contains(item.kindName) && item.part == nil
                && (server == nil || item.server == server)
        }
        let found = try await NamedItems(in: keychain, narrowing).find(name)
        guard found.tier?.isSure == true else { return nil }
        if found.tier == .exact, let locked = found.locked {
            // Says of what class it is, and how the device stands: which of them is meant cannot be known.
            _ = try await keychain.find(locked)
        }
        guard let login = found.items.first else { return nil }
        guard found.items.count == 1 else {
            throw ItemChoice(name: name, narrowing: narrowing, narrowingOptions: "--account").several(found.items)
        }
        let title = [login.label, login.service, login.server].compactMap(\.self).first { !$0.isEmpty }
        return OneTimeCodeName(title: title ?? name, account: login.account, server: login.server)
    }

    /// Says what was kept, and the code that it makes: whoever sees the same elsewhere knows that it is the right one.
    private func tell(_ reference: PersistentReference, in keychain: Keychain) async throws {
        guard let kept = try? await keychain.find(ItemQuery(reference)), let account = OneTimeCodeAccount(kept),
            let code = try? await keychain.oneTimeCode(of: account)
        else { return }
        for line in [localized("kept:")] + account.keptLines(code) { Output.error(line) }
        let left = code.secondsLeft(at: Date())
        var line = try SecretBuffer(capacity: 160)
        try line.append(Array(localized("the code now: ").utf8))
        try line.append(code.digits)
        let words = localized(left, one: ", good for \(left) more second", many: ", good for \(left) more seconds")
        try line.append(Array((words + "\n").utf8))
        _ = try line.withBytes { try StandardStream.error.write($0) }
    }
}

extension OneTimeCodeAccount {
    /// What people see of it behind its addition: whose codes they are, and how they are made.
    ///
    /// - Parameter code: one that it has made.
    fileprivate func keptLines(_ code: borrowing OneTimeCode) -> [String] {
        var table = TextTable([localized("for"), title])
        let (digits, period, algorithm) = (code.digits.count, code.period, code.algorithm)
        let values: [(title: String, value: String?)] = [
            (localized("account"), name), (localized("server"), server),
            (localized("codes"), localized("\(digits) digits, a new one every \(period) s, by \(algorithm)")),
            (localized("keychain"), item.keychain), (localized("class"), item.protectionClass?.name),
        ]
        for (title, value) in values {
            if let value, !value.isEmpty { table.add([title, value]) }
        }
        return table.lines.map { "  " + $0 }
    }
}
