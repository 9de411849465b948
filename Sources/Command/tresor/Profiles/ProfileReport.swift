import Certificates
import FoundationEssentials
import Localization
import Profiles
import TerminalScreen
import Tresor

/// What a profile would install, as `--json` prints it and in words; never a secret of it.
struct ProfileDocument: Encodable {
    struct PayloadDocument: Encodable {
        let type: String
        let name: String?
        let installed: Bool
        let items: [ItemDocument]
    }

    struct ItemDocument: Encodable {
        let kind: String
        let label: String
        let `class`: String
    }

    let identifier: String
    let uuid: String
    let name: String?
    let organization: String?
    let description: String?
    let removalDisallowed: Bool
    let rule: String
    let signer: String?
    /// Whether the signer is trusted; nil where nobody signed.
    let trusted: Bool?
    /// Why not, in one word.
    let reason: String?
    let payloads: [PayloadDocument]
    private let message: String?

    private enum CodingKeys: String, CodingKey {
        case identifier, uuid, name, organization, description, removalDisallowed, rule, signer, trusted, reason
        case payloads
    }

    init(_ plan: InstallationPlan, signer: DERCertificate?, _ verdict: TrustVerdict?) {
        let profile = plan.profile
        identifier = profile.identifier
        uuid = profile.uuid
        name = profile.displayName
        organization = profile.organization
        description = profile.summary
        removalDisallowed = profile.isRemovalDisallowed
        rule = plan.rule.rawValue
        self.signer = signer?.subject
        trusted = verdict.map { $0.failure == nil }
        reason = verdict?.failure?.code
        message = verdict?.failure?.description
        payloads = profile.payloads.map { payload in
            PayloadDocument(
                type: payload.type, name: payload.displayName, installed: payload.isInstalled,
                items: plan.items.filter { $0.payload == payload.uuid }.map {
                    ItemDocument(kind: $0.kind.name, label: $0.label, class: $0.protectionClass.name)
                })
        }
    }

    /// All names are the profile's; a terminal must not obey them.
    var lines: [String] {
        var lines = [localized("identifier    \(identifier)")]
        if let name { lines.append(localized("name          \(name)")) }
        if let organization { lines.append(localized("organization  \(organization)")) }
        if let description { lines.append(localized("description   \(description)")) }
        lines.append(signature)
        if removalDisallowed { lines.append(localized("removal       not allowed, without --force")) }
        for payload in payloads {
            let name = payload.name.map { "  \($0)" } ?? ""
            lines.append(
                payload.installed ? "\(payload.type)\(name)" : localized("\(payload.type)\(name)  (not installed)"))
            lines += payload.items.map { "  \($0.kind)  \($0.label)  \($0.class)" }
        }
        return lines.map(SafeText.line)
    }

    private var signature: String {
        guard let signer else { return localized("signed        by nobody") }
        guard let message else { return localized("signed        by \(signer)") }
        return localized("signed        by \(signer), who is not trusted: \(translated(message))")
    }
}

/// An installed profile, as `--json` prints it.
struct ProfileRecordDocument: Encodable {
    struct Item: Encodable {
        let kind: String
        let `class`: String
        let payload: String
    }

    let identifier: String
    let uuid: String
    let name: String
    let organization: String
    let rule: String
    let installed: Date
    /// False where an installation was interrupted: the next install or remove puts that right.
    let complete: Bool
    let removalDisallowed: Bool
    let minimumPasscode: Int
    let idleLockSeconds: UInt32
    let items: [Item]

    init(_ record: ProfileRecord) {
        identifier = record.identifier
        uuid = record.uuid
        name = record.displayName
        organization = record.organization
        rule = record.rule.rawValue
        installed = Date(timeIntervalSince1970: Double(record.installed) / 1_000_000)
        complete = record.state == .installed && record.superseded.isEmpty
        removalDisallowed = record.isRemovalDisallowed
        minimumPasscode = record.policy.minimumLength
        idleLockSeconds = record.policy.idleLockSeconds
        items = record.items.map {
            Item(kind: $0.kind.name, class: $0.protectionClass.name, payload: $0.payload)
        }
    }

    /// For a terminal.
    var cells: [String] {
        [identifier, "\(items.count)", rule, name, organization, complete ? "" : localized("interrupted")]
    }

    /// For scripts: the last field is there only where it says something.
    var line: String {
        (cells.dropLast() + (complete ? [] : ["interrupted"])).map(SafeText.line).joined(separator: "\t")
    }
}

/// A profile that was installed or removed just now, as `--json` prints it.
struct ProfileItemsDocument: Encodable {
    let identifier: String
    /// How many items came or went with it.
    let items: Int
}

extension Payload {
    fileprivate var isInstalled: Bool {
        switch content {
        case .unknown, .management: false
        case .certificates, .identity, .passwords, .passcodePolicy: true
        }
    }
}

/// What somebody should know who installs a profile.
enum ProfileNotice {
    static func all(_ plan: InstallationPlan) -> [String] {
        var notices: [String] = []
        for payload in plan.profile.payloads {
            switch payload.content {
            case .unknown:
                notices.append(localized("notice: \(payload.path): \(payload.type) is not installed"))
            case .management:
                notices.append(localized("notice: \(payload.path): this device does not enroll with its manager"))
            case .passcodePolicy(let policy) where !policy.unenforced.isEmpty:
                notices.append(
                    localized(
                        "notice: \(payload.path): not enforced: \(policy.unenforced.joined(separator: ", "))"))
            default: break
            }
        }
        let roots = plan.items.count { $0.role == .root }
        if roots > 0 {
            notices.append(
                localized(
                    roots,
                    one: """
                        notice: a root of the profile is trusted by 'tresor trust' for whatever it issued, as long as \
                        the profile is installed
                        """,
                    many: """
                        notice: \(roots) roots of the profile is trusted by 'tresor trust' for whatever it issued, as \
                        long as the profile is installed
                        """))
        }
        let open = plan.items.filter { $0.kind != .certificate && $0.protectionClass == .always }
        if !open.isEmpty {
            notices.append(
                localized(
                    open.count,
                    one: """
                        warning: \(open.count) passwords or keys are readable whenever this machine runs, locked or not
                        """,
                    many: """
                        warning: \(open.count) passwords or keys are readable whenever this machine runs, locked or not
                        """))
        }
        if let policy = plan.profile.passcodePolicy, policy.minimumLength > 0 {
            notices.append(
                localized(
                    """
                    notice: the commands take new passcodes of \(policy.minimumLength) characters and more; one that \
                    is set is not measured, and 'tresor settings --minimum-passcode' binds other programs too
                    """))
        }
        return notices.map(SafeText.line)
    }
}
