import Certificates
import Foundation
import Profiles
import Secrets

/// Configuration profiles as a whole, bare and signed.
extension ProfileTargets {
    /// A bare profile says the same when its list is written as XML; a signed one says what somebody signed.
    static func profile(_ bytes: [UInt8]) throws -> Bool {
        let once = try said(bytes)
        return holds {
            guard try said(bytes) == once else { return false }
            let isSigned = bytes.first == 0x30
            guard !isSigned else { return saidBySigned.contains(once) }
            let text = try bytes.withSpan { (span) throws in try xml(try PropertyList(span)) }
            return try said(Array(text.utf8)) == once
        }
    }

    /// Everything that installing one asks for.
    private static func said(_ bytes: [UInt8]) throws -> [String] {
        let file = try bytes.withSpan { (span) throws in try ProfileFile(SecretBytes(copying: span)) }
        let profile = file.profile
        guard profile.payloads.count <= 200, profile.identifier.utf8.count <= 255, profile.uuid.utf8.count <= 255 else {
            throw ProfileError(.field, "", "is larger than it may be")
        }
        var said = [
            profile.identifier, profile.uuid, profile.displayName ?? "-", profile.organization ?? "-",
            profile.summary ?? "-", "\(profile.isRemovalDisallowed)", "\(file.signer?.publicKey ?? [])",
            "\(String(describing: profile.passcodePolicy))",
        ]
        for payload in profile.payloads {
            said += [payload.path, payload.type, payload.uuid, payload.displayName ?? "-"] + Self.said(payload.content)
        }
        // Refused or not, and both without a crash.
        for rule in AvailabilityRule.allCases {
            said.append((try? InstallationPlan(profile, rule)).map { "\($0.items.count)" } ?? "refused")
        }
        return said
    }

    private static func said(_ content: Payload.Content) -> [String] {
        switch content {
        case .certificates(let certificates): return certificates.map { "\($0.fingerprint)" }
        case .identity(let certificates, let keys):
            return certificates.map { "\($0.fingerprint)" } + keys.map { "\($0.publicKeyHash)" }
        case .passwords(let passwords):
            return passwords.map { password in
                let secret = password.secret.bytes.withBytes { $0.copyToArray() }
                let attributes = password.attributes
                return [
                    password.field, attributes.service ?? "-", attributes.account ?? "-", attributes.server ?? "-",
                    attributes.protocolName ?? "-", "\(attributes.port ?? 0)", "\(secret)",
                ].joined(separator: "|")
            }
        case .passcodePolicy(let policy): return ["\(policy)"]
        case .management(let management): return [management.identity, management.serverURL]
        case .unknown: return []
        }
    }
}

// First inputs: every type of payload, in a list in either form, and signed.
extension ProfileTargets {
    static let profiles: [[UInt8]] = [everyType, identity, binaryProfile] + signedProfiles

    private static let signedProfiles: [[UInt8]] = CertificateSeeds.signers.flatMap { signer in
        [false, true].compactMap { try? MessageTargets.signed(smallest, signer, isBER: $0) }
    }

    private static let saidBySigned = signedProfiles.compactMap { try? said($0) }

    private static let smallest = profile([payload("com.apple.font", "F", "")])

    /// PKCS#12 with two rounds of hashing.
    private static let identity = profile([
        payload(
            "com.apple.security.pkcs12", "I",
            data("PayloadContent", CertificateSeeds.file("few-rounds.p12"))
                + field("Password", CertificateSeeds.passphraseText)),
        payload(
            "com.apple.mdm", "M", field("IdentityCertificateUUID", "I") + field("ServerURL", "https://mdm.example/")),
    ])

    private static let everyType = profile([
        payload("com.apple.security.root", "R", data("PayloadContent", CertificateSeeds.authority)),
        payload(
            "com.apple.wifi.managed", "W",
            field("SSID_STR", "Office") + field("Password", "over the air") + field("PayloadCertificateUUID", "R")
                + "<key>EAPClientConfiguration</key><dict>\(field("UserName", "anna"))"
                + "\(field("UserPassword", "secret 1"))</dict>"),
        payload(
            "com.apple.mail.managed", "A",
            field("EmailAccountType", "EmailTypeIMAP") + field("IncomingMailServerHostName", "in.example")
                + number("IncomingMailServerPortNumber", 993) + field("IncomingMailServerUsername", "anna")
                + field("OutgoingMailServerHostName", "out.example") + field("IncomingPassword", "secret 2")
                + "<key>OutgoingPasswordSameAsIncomingPassword</key><true/>"),
        payload(
            "com.apple.vpn.managed", "V",
            field("VPNType", "IPSec") + field("UserDefinedName", "Office") + "<key>IPSec</key><dict>"
                + data("SharedSecret", Array("secret 3".utf8)) + field("XAuthName", "anna")
                + field("XAuthPassword", "secret 4") + "</dict>"),
        payload(
            "com.apple.mobiledevice.passwordpolicy", "C",
            number("minLength", 6) + number("maxInactivity", 5) + "<key>allowSimple</key><false/>"),
        payload(
            "com.apple.mobiledevice.passwordpolicy", "D",
            number("minLength", 4) + number("maxInactivity", 0) + number("pinHistory", 3)
                + "<key>forcePIN</key><true/>"),
    ])

    /// The four fields of a head, and a network.
    private static let binaryProfile: [UInt8] = {
        let names = [
            ("PayloadType", "Configuration"), ("PayloadIdentifier", "org.example"), ("PayloadUUID", "P"),
        ]
        let network = [
            ("PayloadType", "com.apple.wifi.managed"), ("PayloadIdentifier", "org.example.w"), ("PayloadUUID", "W"),
            ("SSID_STR", "Office"), ("Password", "over the air"),
        ]
        // The profile, its list of payloads and the payload; then the version, and each text.
        var objects: [[UInt8]] = [[], [], [], [0x10, 1]]
        func text(_ text: String) -> UInt8 {
            let bytes = Array(text.utf8)
            let head: [UInt8] = bytes.count < 15 ? [0x50 | UInt8(bytes.count)] : [0x5F, 0x10, UInt8(bytes.count)]
            objects.append(head + bytes)
            return UInt8(objects.count - 1)
        }
        func dictionary(_ fields: [(String, String)], _ others: [(String, UInt8)]) -> [UInt8] {
            let keys = fields.map { text($0.0) } + others.map { text($0.0) }
            let values = fields.map { text($0.1) } + others.map(\.1)
            return [0xD0 | UInt8(keys.count)] + keys + values
        }
        objects[0] = dictionary(names, [("PayloadVersion", 3), ("PayloadContent", 1)])
        objects[1] = [0xA1, 2]
        objects[2] = dictionary(network, [("PayloadVersion", 3)])
        return binary(objects)
    }()

    private static func payload(_ type: String, _ uuid: String, _ fields: String) -> String {
        """
        <dict>\(field("PayloadType", type))\(field("PayloadIdentifier", "a." + uuid))\(field("PayloadUUID", uuid))
        \(number("PayloadVersion", 1))\(fields)</dict>
        """
    }

    private static func profile(_ payloads: [String]) -> [UInt8] {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><dict>\(field("PayloadType", "Configuration"))
            \(field("PayloadIdentifier", "org.example.office"))\(field("PayloadUUID", "P"))
            \(number("PayloadVersion", 1))\(field("PayloadDisplayName", "Office"))
            <key>PayloadRemovalDisallowed</key><true/>
            <key>PayloadContent</key><array>\(payloads.joined())</array></dict></plist>
            """
        return Array(text.utf8)
    }

    private static func field(_ name: String, _ text: String) -> String {
        "<key>\(name)</key><string>\(text)</string>"
    }

    private static func number(_ name: String, _ number: Int) -> String {
        "<key>\(name)</key><integer>\(number)</integer>"
    }

    private static func data(_ name: String, _ bytes: [UInt8]) -> String {
        "<key>\(name)</key><data>\(base64(bytes))</data>"
    }
}
