import Certificates
import Localization
import Secrets

/// A configuration profile: who made it, and what it brings (Apple, "Configuration Profile Reference").
///
///     let profile = try ConfigurationProfile(list)
///     for payload in profile.payloads { print(payload.type) }
///
/// Everything in it has been read and opened, PKCS#12 files too: what is wrong shows before anything is installed.
package struct ConfigurationProfile: Sendable {
    /// By which a newer one replaces an older one.
    package let identifier: String
    package let uuid: String
    package let displayName: String?
    package let organization: String?
    package let summary: String?
    package let isRemovalDisallowed: Bool
    package let payloads: [Payload]

    /// More than any that people write.
    private static let mostPayloads = 200
    /// Opening one may cost 20,000,000 rounds of hashing, which are seconds.
    private static let mostIdentities = 8
    static let longestIdentifier = 255

    package init(_ list: borrowing PropertyList) throws(ProfileError) {
        guard case .dictionary = list.root else {
            throw ProfileError(.notProfile, "", localized("the file is a property list, and no profile"))
        }
        let fields = try Fields(list.root, "")
        try Self.refuseEncrypted(fields)
        let type = try fields.text("PayloadType", list)
        guard type == "Configuration" else {
            throw ProfileError(.notProfile, "PayloadType", localized("is not Configuration: the file is no profile"))
        }
        let head = try PayloadHead(fields, list)
        identifier = head.identifier
        uuid = head.uuid
        displayName = head.displayName
        organization = try fields.optionalText("PayloadOrganization", list)
        summary = try fields.optionalText("PayloadDescription", list)
        isRemovalDisallowed = try fields.optionalBool("PayloadRemovalDisallowed") ?? false
        let contents = try fields.array("PayloadContent")
        guard contents.count <= Self.mostPayloads else {
            throw fields.failure("PayloadContent", localized("has more than \(Self.mostPayloads) payloads"))
        }
        var payloads: [Payload] = []
        var identityCount = 0
        var dataByteCount = 0
        for (index, content) in contents.enumerated() {
            let own = try Fields(content, "PayloadContent[\(index)]")
            // A binary list may say one file of certificates in every payload: it counts as often as it is said.
            if case .data(let data)? = own.values["PayloadContent"] { dataByteCount += data.count }
            guard dataByteCount <= PropertyList.byteLimit else {
                throw fields.failure(
                    "PayloadContent", localized("makes more than 1 MiB of certificates, some said repeatedly"))
            }
            let payload = try Payload(own, list)
            if case .identity = payload.content { identityCount += 1 }
            guard identityCount <= Self.mostIdentities else {
                throw fields.failure("PayloadContent", localized("has more than \(Self.mostIdentities) identities"))
            }
            payloads.append(payload)
        }
        self.payloads = payloads
        try checkReferences()
    }

    private static func refuseEncrypted(_ fields: Fields) throws(ProfileError) {
        guard fields.values["EncryptedPayloadContent"] == nil else {
            throw ProfileError(
                .unsupported, "EncryptedPayloadContent",
                localized("the profile is encrypted, for a key that only a managed device has"))
        }
    }

    /// The payload that another one names by its PayloadUUID.
    private func checkReferences() throws(ProfileError) {
        var known: [String: Int] = [:]
        for (index, payload) in payloads.enumerated() {
            guard known.updateValue(index, forKey: payload.uuid) == nil else {
                throw ProfileError(
                    .field, payload.path + ".PayloadUUID",
                    localized("is that of \(payloads[known[payload.uuid] ?? 0].path), too"))
            }
        }
        for payload in payloads {
            for reference in payload.references where known[reference.uuid] == nil {
                throw ProfileError(.field, reference.field, localized("names no payload of this profile"))
            }
        }
    }

    /// The strictest of the profile's passcode policies; nil where it has none.
    package var passcodePolicy: PasscodePolicy? {
        let policies = payloads.compactMap { payload in
            if case .passcodePolicy(let policy) = payload.content { policy } else { nil }
        }
        guard let first = policies.first else { return nil }
        return policies.dropFirst().reduce(first) { $0.stricter($1) }
    }

    /// The identities that a payload com.apple.mdm names.
    var managementIdentities: Set<String> {
        Set(
            payloads.compactMap { payload in
                if case .management(let management) = payload.content { management.identity } else { nil }
            })
    }
}

/// What every payload begins with, and the profile itself.
struct PayloadHead {
    let identifier: String
    let uuid: String
    let displayName: String?

    init(_ fields: Fields, _ list: borrowing PropertyList) throws(ProfileError) {
        for name in ["PayloadIdentifier", "PayloadUUID"] {
            let text = try fields.text(name, list)
            guard text.utf8.count <= ConfigurationProfile.longestIdentifier else {
                throw fields.failure(name, localized("has more than \(ConfigurationProfile.longestIdentifier) bytes"))
            }
        }
        identifier = try fields.text("PayloadIdentifier", list)
        uuid = try fields.text("PayloadUUID", list)
        displayName = try fields.optionalText("PayloadDisplayName", list)
        guard try fields.optionalInteger("PayloadVersion", 1...1) != nil else {
            throw fields.failure("PayloadVersion", localized("is missing"))
        }
    }
}
