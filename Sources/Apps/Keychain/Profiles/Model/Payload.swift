package import Certificates
package import Tresor

/// One of the things that a profile brings.
package struct Payload: Sendable {
    package enum Content: Sendable {
        case certificates([DERCertificate])
        /// Certificates and the private keys that belong to some of them.
        case identity([DERCertificate], [PrivateKey])
        /// Of networks, mail accounts and virtual private networks; none where the payload has none.
        case passwords([ProfilePassword])
        case passcodePolicy(PasscodePolicy)
        case management(Management)
        /// Of a type that is not installed.
        case unknown
    }

    /// A field that names another payload.
    struct Reference: Sendable {
        let field: String
        let uuid: String
    }

    /// As `com.apple.wifi.managed`.
    package let type: String
    package let uuid: String
    package let displayName: String?
    package let content: Content
    /// As `PayloadContent[2]`.
    package let path: String
    let references: [Reference]

    /// Whether it says that its certificates are roots; of `.pkcs1` and `.pem` a profile says nothing.
    var isOfRoots: Bool { type == "com.apple.security.root" }

    init(_ fields: Fields, _ list: borrowing PropertyList) throws(ProfileError) {
        let type = try fields.text("PayloadType", list)
        let head = try PayloadHead(fields, list)
        self.type = type
        uuid = head.uuid
        displayName = head.displayName
        path = fields.path
        switch type {
        case "com.apple.security.root", "com.apple.security.pkcs1", "com.apple.security.pem":
            content = .certificates(try CertificatePayload.certificates(fields, list))
        case "com.apple.security.pkcs12":
            let opened = try CertificatePayload.identity(fields, list)
            content = .identity(opened.certificates, opened.keys)
        case "com.apple.wifi.managed": content = .passwords(try AccountPayload.wirelessNetwork(fields, list))
        case "com.apple.mail.managed": content = .passwords(try AccountPayload.mail(fields, list))
        case "com.apple.vpn.managed": content = .passwords(try AccountPayload.privateNetwork(fields, list))
        case "com.apple.mobiledevice.passwordpolicy": content = .passcodePolicy(try PasscodePolicy(fields))
        case "com.apple.mdm": content = .management(try Management(fields, list))
        default: content = .unknown
        }
        references = try Self.references(type, fields, list)
    }

    private static func references(
        _ type: String, _ fields: Fields, _ list: borrowing PropertyList
    ) throws(ProfileError) -> [Reference] {
        var found: [Reference] = []
        var places: [(Fields, String)] = []
        switch type {
        case "com.apple.mdm": places = [(fields, "IdentityCertificateUUID")]
        case "com.apple.wifi.managed": places = [(fields, "PayloadCertificateUUID")]
        case "com.apple.vpn.managed":
            for name in ["IPSec", "IKEv2", "VPN"] {
                if let part = try fields.optionalFields(name) { places.append((part, "PayloadCertificateUUID")) }
            }
        default: break
        }
        for (fields, name) in places {
            guard let uuid = try fields.optionalText(name, list) else { continue }
            found.append(Reference(field: fields.name(name), uuid: uuid))
        }
        return found
    }
}

/// A password, and the item that it shall be.
package struct ProfilePassword: Sendable {
    package let kind: ItemKind
    package let attributes: ItemAttributes
    package let secret: ProfileSecret
    /// The field that it stands in.
    package let field: String
}

/// A server that wants to manage the device (`com.apple.mdm`).
///
/// Nobody here enrolls: only the identity that it names is installed.
package struct Management: Sendable {
    /// The PayloadUUID of the identity by which the device would prove itself.
    package let identity: String
    package let serverURL: String

    init(_ fields: Fields, _ list: borrowing PropertyList) throws(ProfileError) {
        identity = try fields.text("IdentityCertificateUUID", list)
        serverURL = try fields.text("ServerURL", list)
    }
}
