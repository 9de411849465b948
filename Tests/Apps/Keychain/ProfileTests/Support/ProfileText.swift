import Checkout
import Foundation
import Fuzzing
import Secrets

@testable import Profiles

/// Profiles as somebody would write them by hand.
enum ProfileText {
    static func payload(_ type: String, _ uuid: String, _ fields: String) -> String {
        """
        <dict><key>PayloadType</key><string>\(type)</string><key>PayloadIdentifier</key><string>a.\(uuid)</string>
        <key>PayloadUUID</key><string>\(uuid)</string><key>PayloadVersion</key><integer>1</integer>\(fields)</dict>
        """
    }

    static func profile(_ payloads: [String], identifier: String = "org.example.office", more: String = "") -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict>
        <key>PayloadType</key><string>Configuration</string><key>PayloadIdentifier</key><string>\(identifier)</string>
        <key>PayloadUUID</key><string>P</string><key>PayloadVersion</key><integer>1</integer>
        <key>PayloadDisplayName</key><string>Office</string>\(more)
        <key>PayloadContent</key><array>\(payloads.joined())</array></dict></plist>
        """
    }

    static func field(_ name: String, _ text: String) -> String { "<key>\(name)</key><string>\(text)</string>" }
    static func number(_ name: String, _ number: Int) -> String { "<key>\(name)</key><integer>\(number)</integer>" }
    static func data(_ name: String, _ bytes: [UInt8]) -> String {
        "<key>\(name)</key><data>\(ProfileTargets.base64(bytes))</data>"
    }

    /// Of CertificateTests; the passphrase of the PKCS#12 files is "correct horse".
    static func vector(_ name: String) throws -> [UInt8] {
        let folder = Checkout.root.appendingPathComponent("Tests/SDK/CertificateTests/Vectors")
        return [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    static func wirelessNetwork(_ uuid: String = "W", _ password: String = "over the air") -> String {
        payload("com.apple.wifi.managed", uuid, field("SSID_STR", "Office-\(uuid)") + field("Password", password))
    }

    static func authority(_ uuid: String = "R") throws -> String {
        payload("com.apple.security.root", uuid, data("PayloadContent", try vector("p384-certificate.pem")))
    }

    static func identity(_ uuid: String = "I", _ name: String = "default.p12") throws -> String {
        payload(
            "com.apple.security.pkcs12", uuid,
            data("PayloadContent", try vector(name)) + field("Password", "correct horse"))
    }

    static func management(_ uuid: String = "M", identity: String = "I") -> String {
        payload(
            "com.apple.mdm", uuid,
            field("IdentityCertificateUUID", identity) + field("ServerURL", "https://mdm.example/"))
    }

    static func read(_ text: String) throws -> ConfigurationProfile {
        try Array(text.utf8).withSpan { span in try ProfileFile(SecretBytes(copying: span)).profile }
    }

    static func failure(_ text: String) -> ProfileError? {
        do {
            _ = try read(text)
            return nil
        } catch { return error as? ProfileError }
    }
}
