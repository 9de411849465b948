import Foundation
import Linux
import Protection
import Secrets
import Testing
import Wire

@testable import Enclave
@testable import Envelopes
@testable import KeychainStore
@testable import KeyEnvelopes

/// Every byte format against files that other code wrote: success, and each refusal by the layer that must refuse.
@Suite struct Vectors {
    @Test(arguments: Vector.all("root-key")) func rootKey(_ vector: Vector) throws {
        let outcome = vector.outcome {
            let copy = try vector.bytes("file").withSpan { try FileRootKey.decode($0) }
            #expect(try copy.key.copied == vector.bytes("key"))
            #expect(try copy.isChecked == (vector.number("is_checked") == 1))
            #expect(try copy.file.withBytes { $0.copyToArray() } == vector.bytes("encoded"))
        }
        #expect(outcome == vector.refusal)
    }

    @Test(arguments: Vector.all("slot-file")) func slotFile(_ vector: Vector) throws {
        let key = try vector.secret("mac_key")
        let slot = SlotFile.decode(try vector.bytes("slot"), purpose: vector["purpose"], macKey: key)
        guard vector.refusal == nil else {
            #expect(slot == nil)
            return
        }
        let wanted = SlotContent(
            generation: UInt64(try vector.number("generation")), content: try vector.bytes("content"))
        #expect(slot == wanted)
        #expect(SlotFile.encode(wanted, purpose: vector["purpose"], macKey: key) == (try vector.bytes("encoded")))
    }

    @Test(arguments: Vector.all("key-wrap")) func keyWrap(_ vector: Vector) throws {
        let purpose = try purpose(vector)
        if vector.fields["aad"] != nil && vector.refusal == nil {
            #expect(purpose.authenticatedData == (try vector.bytes("aad")))
        }
        guard let wrapped = WrappedKey(try vector.bytes("wrapped")) else {
            #expect(vector.refusal == "nil")
            return
        }
        let outcome = vector.outcome {
            let key = try KeyEnvelope.unwrap(wrapped, under: vector.secret("wrapping_key"), as: purpose)
            #expect(try key.copied == vector.bytes("key"))
        }
        #expect(outcome == vector.refusal)
    }

    private func protectionClass(_ vector: Vector) throws -> ProtectionClass {
        try #require(ProtectionClass(rawValue: UInt8(try vector.number("class"))))
    }

    private func purpose(_ vector: Vector) throws -> KeyPurpose {
        switch vector["purpose"] {
        case "class key":
            return .classKey(
                keybag: try vector.identifier("keybag"), id: try vector.identifier("id"),
                keyClass: try #require(KeyClass(rawValue: UInt8(try vector.number("class")))),
                wrap: try #require(ClassKeyWrap(rawValue: UInt8(try vector.number("wrap")))),
                publicKey: try vector.bytes("public_key"),
                version: vector.fields["version"] == nil ? 1 : UInt8(try vector.number("version")))
        case "keychain key":
            return .keychainKey(id: try vector.identifier("id"), keychain: try vector.identifier("keychain"))
        case "row key", "private key":
            let binding = RowKeyBinding(
                keychain: try vector.identifier("keychain"), item: try vector.identifier("item"),
                kind: UInt8(try vector.number("kind")), protectionClass: try protectionClass(vector),
                accessGroup: vector["access_group"], accessControl: UInt32(try vector.number("access_control")),
                enrolment: vector.fields["enrolment"] == nil ? [] : try vector.bytes("enrolment"),
                password: vector.fields["password"] == nil ? [] : try vector.bytes("password"),
                keychainKey: vector.fields["keychain_key"] == nil ? nil : try vector.identifier("keychain_key"))
            let classKey = try vector.identifier("class_key")
            return vector["purpose"] == "row key"
                ? .rowKey(classKey: classKey, binding: binding) : .privateKey(classKey: classKey, binding: binding)
        case "table key":
            return .tableKey(
                classKey: try vector.identifier("class_key"), keychain: try vector.identifier("keychain"),
                protectionClass: try protectionClass(vector))
        case "index key":
            return .indexKey(
                classKey: try vector.identifier("class_key"), keychain: try vector.identifier("keychain"))
        default:
            return .metadataKey(
                classKey: try vector.identifier("class_key"), keychain: try vector.identifier("keychain"),
                item: try vector.identifier("item"))
        }
    }

    @Test(arguments: Vector.all("keychain-key")) func keychainKey(_ vector: Vector) throws {
        let outcome = vector.outcome {
            guard vector.fields["record"] != nil else {
                let joined = try DeviceKeys.joinKeys(
                    classKey: vector.secret("class_key"), keychainKey: vector.secret("keychain_key"),
                    id: vector.identifier("id"))
                return #expect(try joined.copied == vector.bytes("joined"))
            }
            let record = try KeychainKeyRecord(vector.bytes("record"))
            #expect(try record.encoded == vector.bytes("record"))
            let kek = try DeviceKeys.deriveKeychainKEK(
                passcode: vector.secret("passcode"), salt: record.salt, logRounds: record.logRounds,
                root: vector.secret("root_key"), id: record.id)
            if vector.refusal == nil { #expect(try kek.copied == vector.bytes("kek")) }
            let purpose = KeyPurpose.keychainKey(id: record.id, keychain: try vector.identifier("keychain"))
            let key = try KeyEnvelope.unwrap(record.wrapped, under: kek, as: purpose)
            #expect(try key.copied == vector.bytes("key"))
        }
        #expect(outcome == vector.refusal)
    }

    @Test(arguments: Vector.all("item-password")) func itemPassword(_ vector: Vector) throws {
        let outcome = vector.outcome {
            let key = try DeviceKeys.addPassword(
                vector.secret("password"), vector.bytes("parameters"), to: vector.secret("key"),
                item: vector.identifier("item"))
            #expect(try key.copied == vector.bytes("joined"))
        }
        #expect(outcome == vector.refusal)
    }

    @Test(arguments: Vector.all("security-key")) func securityKey(_ vector: Vector) throws {
        let outcome = vector.outcome {
            let record = try PresenceKeyRecord(vector.bytes("record"))
            #expect(try record.encoded == vector.bytes("record"))
            let kek = try DeviceKeys.derivePresenceKEK(
                secret: vector.secret("secret"), root: vector.secret("root_key"), id: record.id)
            if vector.refusal == nil { #expect(try kek.copied == vector.bytes("kek")) }
            let key = try KeyEnvelope.unwrap(record.wrapped, under: kek, as: .presenceKey(id: record.id))
            #expect(try key.copied == vector.bytes("key"))
        }
        #expect(outcome == vector.refusal)
    }

    @Test(arguments: Vector.all("keychain-item")) func keychainItem(_ vector: Vector) throws {
        let identity = ItemIdentity(
            keychain: try vector.identifier("keychain"), item: try vector.identifier("item"),
            kind: UInt8(try vector.number("kind")), protectionClass: UInt8(try vector.number("class")),
            isSynchronizable: vector["synchronizable"] == "1", isTombstone: vector["tombstone"] == "1",
            isTrashed: vector["tombstone"] == "2",
            tamperCheck: try vector.identifier("tamper_check"))
        let outcome = vector.outcome {
            let sealed = try vector.bytes("sealed")
            let key = try vector.secret("key")
            if vector["part"] == "secret" {
                let opened = try KeychainItemEnvelope.openSecret(sealed, under: key, of: identity)
                #expect(try opened.copied == vector.bytes("secret"))
            } else {
                let opened = try KeychainItemEnvelope.openMetadata(sealed, under: key, of: identity)
                #expect(try opened.copied == vector.bytes("attributes"))
            }
        }
        #expect(outcome == vector.refusal)
    }

    @Test(arguments: Vector.all("keybag")) func keybag(_ vector: Vector) throws {
        let outcome = vector.outcome {
            if vector.fields["body"] != nil {
                let keybag = try Keybag.decode(vector.bytes("body"))
                #expect(try keybag.encode() == vector.bytes("body"))
                #expect(try keybag.entries.count == vector.number("entries"))
                try checkKeys(keybag, vector)
                try checkSeal(keybag, vector)
            } else if vector.fields["tries"] != nil {
                guard let failures = TryCount.decode(try vector.bytes("tries")) else { throw Absent.nil }
                #expect(try Int(failures) == vector.number("failures"))
            } else if vector.fields["fingerprint_key"] != nil {
                let passcode = try vector.secret("passcode")
                let found = DeviceKeys.fingerprint(of: passcode, under: try vector.secret("fingerprint_key"))
                #expect(try found == vector.bytes("fingerprint"))
            } else if vector.fields["seal"] != nil {
                let found = try DeviceKeys.sealPromises(
                    UInt8(vector.number("promises")), classKey: vector.secret("class_key"),
                    id: vector.identifier("id"), salt: vector.bytes("salt"), keybag: vector.identifier("keybag"))
                #expect(try found == vector.bytes("seal"))
            } else if vector.fields["witness"] != nil {
                let found = DeviceKeys.witnessGeneration(
                    UInt64(try vector.number("generation")), of: try vector.identifier("keybag"),
                    in: try vector.identifier("store"), stateKey: try vector.secret("state_key"))
                #expect(try found == vector.bytes("witness"))
            } else if vector.fields["passcode"] != nil {
                #expect(try passcodeKEK(vector, keybag: vector.identifier("keybag")).copied == vector.bytes("kek"))
            } else if vector.fields["keybag"] != nil {
                let kek = try DeviceKeys.deriveDeviceKEK(
                    root: vector.secret("root_key"), keybag: vector.identifier("keybag"))
                #expect(try kek.copied == vector.bytes("kek"))
            } else {
                #expect(
                    try DeviceKeys.deriveStateKey(root: vector.secret("root_key")).copied == vector.bytes("key"))
            }
        }
        #expect(outcome == vector.refusal)
    }

    /// A keybag of version 2 promises something, under a key that the passcode opens.
    private func checkSeal(_ keybag: Keybag, _ vector: Vector) throws {
        guard vector.fields["promises"] != nil, let entry = keybag.entry(Keybag.sealingClass) else { return }
        let key = OpenClassKey(id: entry.id, bytes: try vector.secret("sealing_key"))
        #expect(try Int(keybag.promises.rawValue) == vector.number("promises"))
        #expect(try keybag.sealed(by: key) == keybag.seal)
    }

    @Test(arguments: Vector.all("keychain-record")) func keychainRecord(_ vector: Vector) throws {
        let outcome = vector.outcome {
            let key = vector.fields["key"] == nil ? nil : KeychainRecordBinding.SealedKey(try vector.secret("key"))
            if let key, vector.fields["table_key"] != nil {
                let derived = try KeychainRecordBinding.deriveKey(
                    tableKey: vector.secret("table_key"), store: vector.identifier("store"))
                let isSame = derived.equals(key.bytes)
                #expect(isSame)
            }
            let name = String(decoding: try vector.bytes("name"), as: UTF8.self)
            let reading = try KeychainRecordBinding.read(
                vector.bytes("secret"), service: vector["service"], name: name, under: key)
            let content = try vector.bytes("content")
            #expect(reading == (vector["bound"] == "1" ? .bound(content) : .unbound(content)))
            guard let key, vector["bound"] == "1" else { return }
            let again = KeychainRecordBinding.bind(
                content, service: vector["service"], name: name, under: key.bytes)
            #expect(try again == vector.bytes("secret"))
        }
        #expect(outcome == vector.refusal)
    }

    private enum Absent: Error { case `nil` }

    private func passcodeKEK(_ vector: Vector, keybag: Identifier) throws -> SecretBytes {
        try DeviceKeys.derivePasscodeKEK(
            passcode: vector.secret("passcode"), salt: vector.bytes("salt"),
            logRounds: UInt8(vector.number("log_rounds")), root: vector.secret("root_key"), keybag: keybag)
    }

    /// The class keys come out of the keybag by the way from the root key and the passcode.
    private func checkKeys(_ keybag: Keybag, _ vector: Vector) throws {
        guard vector.fields["root_key"] != nil else { return }
        let deviceKEK = try DeviceKeys.deriveDeviceKEK(root: vector.secret("root_key"), keybag: keybag.id)
        for (number, entry) in keybag.entries.enumerated() where vector.fields["entry_\(number + 1)_key"] != nil {
            let key =
                entry.wrap == .device
                ? try OpenClassKey.unwrap(entry, under: deviceKEK, keybag: keybag.id, version: keybag.version)
                : try OpenClassKey.unwrap(
                    entry, under: passcodeKEK(vector, keybag: keybag.id), keybag: keybag.id, version: keybag.version)
            #expect(try key.bytes.copied == vector.bytes("entry_\(number + 1)_key"))
        }
    }
}
