import ArgumentParser
import Localization
import PasswordMaking
import Secrets
import Wire

/// The options that say what password is wanted.
struct PasswordMakingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            localized(
                "How many characters, from 1 to 512; 20 where it is not said, or what comes nearest by the rules.")))
    var length: Int?
    @Option(
        help: ArgumentHelp(
            localized(
                """
                Which characters: letters, lower, upper, digits or symbols, several with commas; each kind is there. \
                With --length alone: letters,digits,symbols.
                """)))
    var characters: CharacterNames?
    @Option(
        help: ArgumentHelp(localized("A password of so many words, from a list of 7,776; six of them are 77 bits.")))
    var words: Int?
    @Option(help: ArgumentHelp(localized("With --words: the sign between words, a hyphen where it is not said.")))
    var separator: String?
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            localized("By the rules of this site, where Apple publishes them: its host, such as shop.example.com.")),
        completion: Completion.hosts)
    var host: String?
    @Option(
        help: ArgumentHelp(
            localized("By these rules, in the language of Apple's: 'minlength: 12; required: lower; required: digit;'.")
        ))
    var rules: String?

    func validate() throws {
        let forms = [
            characters == nil ? nil : "--characters", words == nil ? nil : "--words", host == nil ? nil : "--for",
            rules == nil ? nil : "--rules",
        ].compactMap { $0 }
        if forms.count > 1 {
            throw ValidationError(
                localized("\(forms[0]) and \(forms[1]) each say what password is wanted; give one of them"))
        }
        if words != nil && length != nil {
            throw ValidationError(localized("--length counts characters and --words words; give one of them"))
        }
        if separator != nil && words == nil { throw ValidationError(localized("--separator belongs to --words")) }
    }

    var isEmpty: Bool {
        length == nil && characters == nil && words == nil && separator == nil && host == nil && rules == nil
    }

    /// What the options say; where they say nothing, the rules of a server hold that are known, else Apple's form.
    func chosen(server: String? = nil) throws -> ChosenPassword {
        if let words { return ChosenPassword(maker: try PasswordMaker(words: words, separator: try separatorByte())) }
        if let rules {
            let given = try PasswordRules(rules)
            return ChosenPassword(maker: try PasswordMaker(given, length: length), rules: given)
        }
        if let characters {
            return ChosenPassword(maker: try PasswordMaker(PasswordRules(characters.kinds), length: length))
        }
        if let host { try Self.refuseAddress(host) }
        if let host = host ?? server, let site = SiteRules(host: host) {
            return ChosenPassword(
                maker: try PasswordMaker(site.rules, length: length), rules: site.rules, site: site.host)
        }
        guard let length else { return ChosenPassword(maker: .grouped, unknownSite: host) }
        let kinds: [CharacterKind] = [.letters, .digits, .symbols]
        return ChosenPassword(maker: try PasswordMaker(PasswordRules(kinds), length: length), unknownSite: host)
    }

    private func separatorByte() throws -> UInt8 {
        guard let separator else { return UInt8(ascii: "-") }
        guard separator.utf8.count == 1, let byte = separator.utf8.first else { throw PasswordMakingError.separator }
        return byte
    }

    /// An address would be looked up as a host that nobody knows, and its site's rules would be missed.
    private static func refuseAddress(_ host: String) throws {
        let ofHosts = Set("abcdefghijklmnopqrstuvwxyz0123456789-.".unicodeScalars)
        let isHost = host.lowercased().unicodeScalars.allSatisfy { ofHosts.contains($0) }
        guard isHost && !host.isEmpty else {
            throw Failure(
                Wire.ExitCode.usage, localized("--for takes a host"),
                hint: localized("such as shop.example.com, without 'https://', a port or a path"))
        }
    }
}

/// `--characters`.
struct CharacterNames: ExpressibleByArgument {
    let kinds: [CharacterKind]

    init?(argument: String) {
        var kinds: [CharacterKind] = []
        for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
            guard let kind = CharacterKind(rawValue: String(word)), !kinds.contains(kind) else { return nil }
            kinds.append(kind)
        }
        self.kinds = kinds
    }

    static var allValueStrings: [String] { CharacterKind.allCases.map(\.rawValue) }
}

/// What password is wanted, and by whose rules.
struct ChosenPassword {
    let maker: PasswordMaker
    var rules: PasswordRules?
    /// Whose rules those are, if they are a site's.
    var site: String?
    /// The site that was asked for, where nothing is known of it.
    var unknownSite: String?

    /// Rounded down.
    var bits: String {
        let tenths = Int((10 * maker.bits).rounded(.down))
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// For people, in words that go on.
    var description: String {
        let count = maker.count
        let size =
            maker.isOfWords
            ? localized(count, one: "\(count) word, \(bits) bits", many: "\(count) words, \(bits) bits")
            : localized(count, one: "\(count) character, \(bits) bits", many: "\(count) characters, \(bits) bits")
        if let site { return localized("\(size), by the rules of \(site)") }
        if rules != nil { return localized("\(size), by the rules that were given") }
        if let unknownSite { return localized("\(size); no rules of \(unknownSite) are known") }
        return size
    }
}

/// The options of commands that keep a secret, for one that is made here.
struct GeneratedSecretOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            localized(
                """
                Make the secret: a password as 'tresor generate' makes it, also with its options, such as --length 30. \
                Else by the rules of --server or --service, if it is a host that has some.
                """)))
    var generate = false
    @Flag(
        help: ArgumentHelp(
            localized("With --generate: print the password. Else: show the secret while it is typed, and ask once.")))
    var show = false
    @OptionGroup(title: localized("Options with --generate"), visibility: .hidden) var making: PasswordMakingOptions

    func validate() throws {
        guard generate || making.isEmpty else {
            throw ValidationError(
                localized("--length, --characters, --words, --separator, --for and --rules belong to --generate"))
        }
    }

    /// Refuses a second secret.
    func refuseOther(secretFd: Int32?, emptySecret: Bool, keepSecret: Bool = false) throws {
        guard generate, secretFd != nil || emptySecret || keepSecret else { return }
        throw ValidationError(
            localized("--generate makes the secret; leave --secret-fd, --empty-secret and --keep-secret out"))
    }

    /// How a secret is typed that is not made.
    var typing: SecretSource.Typing { show ? .shown : .twice }

    /// What is wanted; nil where the secret comes from elsewhere.
    func chosen(for item: ItemOptions) throws -> ChosenPassword? {
        let isPassword = [.password, .internetPassword].contains(item.resolvedKind) && item.kind != .note
        return try chosen(isPassword: isPassword, host: item.server ?? item.service)
    }

    /// The same for an item that is there.
    func chosen(isPassword: Bool, host: String?) throws -> ChosenPassword? {
        guard generate else { return nil }
        guard isPassword else {
            throw Failure(
                Wire.ExitCode.usage, localized("--generate makes passwords, and this is another kind of item"),
                hint: localized("leave --generate out, or give --kind password or internet"))
        }
        return try making.chosen(server: host)
    }

    /// Says what was kept, once it is.
    func tell(_ chosen: ChosenPassword, _ secret: borrowing SecretBytes) throws {
        Output.remark(localized("kept a password of \(chosen.description)"))
        if show { try Output.secretLine(secret) }
    }
}
