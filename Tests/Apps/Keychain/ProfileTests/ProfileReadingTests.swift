import Fuzzing
import Secrets
import Testing
import Tresor

@testable import Profiles

/// Profiles: what is read from them, and which field is named where they are refused.
@Suite struct ProfileReading {
    private typealias Text = ProfileText

    private static func items(_ payload: String) throws -> [ProfilePassword] {
        guard case .passwords(let passwords) = try Text.read(Text.profile([payload])).payloads[0].content else {
            return []
        }
        return passwords
    }

    private static func text(_ secret: ProfileSecret) -> String {
        secret.bytes.withBytes { String(decoding: $0.copyToArray(), as: UTF8.self) }
    }

    @Test func `a profile says who made it and what it brings`() throws {
        let more =
            Text.field("PayloadOrganization", "Example") + "<key>PayloadRemovalDisallowed</key><true/>"
            + Text.field("ConsentText", "unknown fields are left alone")
        let unknown = Text.payload("com.apple.font", "F", Text.data("Font", [1, 2, 3]))
        let profile = try Text.read(Text.profile([unknown, try Text.authority()], more: more))
        #expect(profile.identifier == "org.example.office" && profile.organization == "Example")
        #expect(profile.displayName == "Office" && profile.isRemovalDisallowed && profile.uuid == "P")
        guard case .unknown = profile.payloads[0].content, case .certificates(let found) = profile.payloads[1].content
        else { throw ProfileError(.field, "", "other contents") }
        #expect(found.count == 1)
    }

    @Test func `passwords of networks and accounts become items under their names`() throws {
        let enterprise = Text.payload(
            "com.apple.wifi.managed", "E",
            Text.field("SSID_STR", "Office")
                + "<key>EAPClientConfiguration</key><dict>" + Text.field("UserName", "anna")
                + Text.field("UserPassword", "secret 1") + "</dict>")
        let wireless = try Self.items(enterprise)
        #expect(wireless.map(\.attributes.service) == ["wifi/Office"] && wireless[0].attributes.account == "anna")
        #expect(Self.text(wireless[0].secret) == "secret 1")

        let mail = Text.payload(
            "com.apple.mail.managed", "A",
            Text.field("EmailAccountType", "EmailTypeIMAP") + Text.field("IncomingMailServerHostName", "in.example")
                + Text.number("IncomingMailServerPortNumber", 993) + Text.field("IncomingMailServerUsername", "anna")
                + Text.field("OutgoingMailServerHostName", "out.example") + Text.field("IncomingPassword", "secret 2")
                + "<key>OutgoingPasswordSameAsIncomingPassword</key><true/>")
        let servers = try Self.items(mail)
        #expect(servers.map(\.attributes.server) == ["in.example", "out.example"])
        #expect(servers.map(\.attributes.protocolName) == ["imps", "smtp"] && servers[0].attributes.port == 993)
        #expect(servers.map { Self.text($0.secret) } == ["secret 2", "secret 2"])

        let network = Text.payload(
            "com.apple.vpn.managed", "V",
            Text.field("VPNType", "IPSec") + Text.field("UserDefinedName", "Office") + "<key>IPSec</key><dict>"
                + Text.data("SharedSecret", Array("secret 3".utf8)) + Text.field("XAuthName", "anna")
                + Text.field("XAuthPassword", "secret 4") + "</dict>")
        let secrets = try Self.items(network)
        #expect(secrets.map(\.attributes.service) == ["vpn/Office/IPSec/SharedSecret", "vpn/Office/IPSec"])
        #expect(secrets.map { Self.text($0.secret) } == ["secret 3", "secret 4"])
    }

    @Test func `an empty password is none`() throws {
        #expect(try Self.items(Text.wirelessNetwork("W", "")).isEmpty)
        #expect(try Self.items(Text.wirelessNetwork("W", " ")).count == 1)
    }

    @Test func `a policy of the passcode is read in characters and minutes, and what is not enforced is named`() throws
    {
        let policy = Text.payload(
            "com.apple.mobiledevice.passwordpolicy", "C",
            Text.number("minLength", 6) + Text.number("maxInactivity", 5) + Text.number("pinHistory", 3)
                + "<key>allowSimple</key><false/>")
        let read = try Text.read(Text.profile([policy])).passcodePolicy
        #expect(read?.minimumLength == 6 && read?.idleLockSeconds == 300)
        #expect(read?.unenforced == ["allowSimple", "pinHistory"])
    }

    @Test func `a field that is missing, or of another kind, refuses the profile by its name`() throws {
        func one(_ type: String, _ fields: String) -> String { Text.profile([Text.payload(type, "X", fields)]) }
        let host = Text.field("EmailAccountType", "EmailTypeIMAP") + Text.field("IncomingMailServerHostName", "a")
        let cases: [(String, String)] = [
            (one("com.apple.wifi.managed", ""), "PayloadContent[0].SSID_STR"),
            (one("com.apple.wifi.managed", Text.number("SSID_STR", 1)), "PayloadContent[0].SSID_STR"),
            (one("com.apple.wifi.managed", Text.field("SSID_STR", "")), "PayloadContent[0].SSID_STR"),
            (
                one("com.apple.wifi.managed", Text.field("SSID_STR", "a") + Text.number("Password", 1)),
                "PayloadContent[0].Password"
            ),
            (
                one("com.apple.wifi.managed", Text.field("SSID_STR", "a") + Text.field("EAPClientConfiguration", "")),
                "PayloadContent[0].EAPClientConfiguration"
            ),
            (
                one("com.apple.wifi.managed", Text.field("SSID_STR", "a") + Text.field("PayloadCertificateUUID", "Z")),
                "PayloadContent[0].PayloadCertificateUUID"
            ),
            (one("com.apple.mail.managed", ""), "PayloadContent[0].EmailAccountType"),
            (one("com.apple.mail.managed", host), "PayloadContent[0].OutgoingMailServerHostName"),
            (
                one("com.apple.mail.managed", host + Text.number("IncomingMailServerPortNumber", 70_000)),
                "PayloadContent[0].IncomingMailServerPortNumber"
            ),
            (one("com.apple.vpn.managed", ""), "PayloadContent[0].VPNType"),
            (one("com.apple.security.root", ""), "PayloadContent[0].PayloadContent"),
            (one("com.apple.security.root", Text.data("PayloadContent", [1, 2])), "PayloadContent[0].PayloadContent"),
            (
                one("com.apple.security.root", Text.data("PayloadContent", try Text.vector("p256.pem"))),
                "PayloadContent[0].PayloadContent"
            ),
            (
                one("com.apple.security.pkcs12", Text.data("PayloadContent", try Text.vector("default.p12"))),
                "PayloadContent[0].Password"
            ),
            (
                one(
                    "com.apple.security.pkcs12",
                    Text.data("PayloadContent", try Text.vector("default.p12")) + Text.field("Password", "wrong")),
                "PayloadContent[0].PayloadContent"
            ),
            (one("com.apple.mobiledevice.passwordpolicy", Text.field("minLength", "6")), "PayloadContent[0].minLength"),
            (one("com.apple.mobiledevice.passwordpolicy", Text.number("minLength", -1)), "PayloadContent[0].minLength"),
            (one("com.apple.mdm", Text.field("ServerURL", "a")), "PayloadContent[0].IdentityCertificateUUID"),
            (Text.profile([Text.management()]), "PayloadContent[0].IdentityCertificateUUID"),
            (Text.profile([try Text.authority(), Text.wirelessNetwork("R")]), "PayloadContent[1].PayloadUUID"),
            (Text.profile(["<string>a</string>"]), "PayloadContent[0]"),
            (Text.profile(try (0..<9).map { try Text.identity("I\($0)", "few-rounds.p12") }), "PayloadContent"),
            ("<plist><dict><key>PayloadType</key><string>Configuration</string></dict></plist>", "PayloadIdentifier"),
            (Text.profile([]).replacing("<integer>1</integer>", with: "<integer>2</integer>"), "PayloadVersion"),
        ]
        for (text, field) in cases {
            let failure = Text.failure(text)
            #expect(
                failure?.code == .field && failure?.field == field, "\(failure?.description ?? "read") for \(field)")
        }
    }

    @Test func `what is no profile, encrypted, or no list at all is refused with the reason`() {
        #expect(Text.failure("<plist><array/></plist>")?.code == .notProfile)
        #expect(Text.failure("<plist><dict/></plist>")?.field == "PayloadType")
        #expect(Text.failure(Text.profile([]).replacing("Configuration", with: "Other"))?.code == .notProfile)
        #expect(Text.failure("hello")?.code == .notProfile)
        let encrypted = Text.failure(Text.profile([], more: Text.data("EncryptedPayloadContent", [1])))
        #expect(encrypted?.code == .unsupported && encrypted?.description.contains("encrypted") == true)
        let bomb = (0..<30).map { [0xA2, UInt8($0 + 1), UInt8($0 + 1)] } + [[0x51, 0x61]]
        let refused = #expect(throws: ProfileError.self) {
            try ProfileTargets.binary(bomb).withSpan { _ = try ProfileFile(SecretBytes(copying: $0)) }
        }
        #expect(refused?.code == .notProfile)
    }

    /// What a file of a megabyte can be made to say by naming one object often.
    @Test func `a list that says one file in every payload counts it as often as it is said`() throws {
        func text(_ text: String) -> [UInt8] {
            let count = UInt8(text.utf8.count)
            return (count < 15 ? [0x50 | count] : [0x5F, 0x10, count]) + Array(text.utf8)
        }
        let file = Array(String(repeating: "Words.\n", count: 1600).utf8) + (try Text.vector("p384-certificate.pem"))
        let head = ["PayloadType", "PayloadIdentifier", "PayloadUUID", "PayloadVersion", "PayloadContent"].map(text)
        // 0 the profile, 1 to 5 its fields' names, 6 to 8 its values, 9 its payloads, 10 the version, 11 the file,
        // and payloads of which each has a UUID of its own.
        let count = 100
        var objects: [[UInt8]] = [[0xD5, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8, 0, 10, 0, 9]] + head
        objects += [text("Configuration"), text("org.example"), text("P")]
        objects.append([0xAF, 0x10, UInt8(count)] + (0..<count).flatMap { ProfileTargets.bigEndian(13 + 2 * $0, 2) })
        objects.append([0x10, 1])
        objects.append([0x4F] + [0x11] + ProfileTargets.bigEndian(file.count, 2) + file)
        objects.append(text("com.apple.security.pem"))
        for number in 0..<count {
            let uuid = ProfileTargets.bigEndian(14 + 2 * number, 2)
            objects.append([0xD5, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 12, 0, 7] + uuid + [0, 10, 0, 11])
            objects.append(text("U\(number)"))
        }
        do {
            let bytes = ProfileTargets.binary(objects, referenceSize: 2)
            _ = try bytes.withSpan { span in try ProfileFile(SecretBytes(copying: span)).profile }
            Issue.record("it was read")
        } catch let error as ProfileError {
            #expect(error.description.contains("makes more than 1 MiB of certificates"), "\(error)")
        }
    }

    @Test func `a password of a megabyte is refused`() throws {
        let long = Text.payload(
            "com.apple.wifi.managed", "E",
            Text.field("SSID_STR", "Office") + Text.field("EncryptionType", "WPA2")
                + Text.field("Password", String(repeating: "a", count: 4097)))
        #expect(throws: ProfileError.self) { _ = try Text.read(Text.profile([long])) }
    }

    @Test func `no error has a value of the profile in it`() throws {
        let marked = Text.payload(
            "com.apple.wifi.managed", "X", Text.number("SSID_STR", 1) + Text.field("Password", "MARK"))
        #expect(Text.failure(Text.profile([marked]))?.description.contains("MARK") == false)
        let twice =
            Text.wirelessNetwork("W", "MARK 1")
            + Text.payload(
                "com.apple.wifi.managed", "Z", Text.field("SSID_STR", "Office-W") + Text.field("Password", "MARK 2"))
        let profile = try Text.read(Text.profile([twice]))
        let refused = #expect(throws: ProfileError.self) { _ = try InstallationPlan(profile, .iOS) }
        #expect(refused?.field == "PayloadContent[1].Password" && refused?.description.contains("MARK") == false)
    }

    @Test func `mutated profiles are read or refused, and never crash the reader`() throws {
        let samples = [
            Text.profile([try Text.authority(), Text.wirelessNetwork()]),
            Text.profile([try Text.identity("I", "few-rounds.p12"), Text.management()]),
        ].map { Array($0.utf8) }
        var mutator = Mutator(seed: UInt64.random(in: .min ... .max))
        var read = 0
        // Few of them stay whole: fewer rounds would now and then read none.
        for _ in 0..<max(2_000, ProfileFuzz.count / 40) {
            let bytes = mutator.mutated(samples)
            let file = bytes.withSpan { span in
                guard let secret = try? SecretBytes(copying: span) else { return false }
                return (try? ProfileFile(secret)) != nil
            }
            if file { read += 1 }
        }
        #expect(read > 0)
    }
}
