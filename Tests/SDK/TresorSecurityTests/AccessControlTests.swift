import TresorCoreFoundation
import Foundation
import TresorLocalAuthentication
import TresorSecurity
import Synchronization
import Testing
import TresorTesting

extension AppleAPI {
    /// §1.8: what an item demands, and how presence is proved.
    @Suite struct AccessControls {
        let keychain: Fixture

        init() throws {
            keychain = try Fixture()
            try keychain.device.setPasscode("1234")
        }

        private func control(
            _ flags: SecAccessControlCreateFlags, _ protection: CFString = kSecAttrAccessibleWhenUnlocked
        ) throws -> SecAccessControl {
            try #require(SecAccessControlCreateWithFlags(kCFAllocatorDefault, protection, flags, nil))
        }

        private func context(_ text: String = "1234") -> LAContext {
            let context = LAContext()
            context.passcodePrompter = passcode(text)
            return context
        }

        @Test(
            arguments: [
                [.or, .and], [.biometryAny, .biometryCurrentSet], [.userPresence, .devicePasscode],
                [.userPresence, .biometryAny], SecAccessControlCreateFlags(rawValue: 1 << 7),
            ] as [SecAccessControlCreateFlags])
        func `flags that contradict each other make nothing`(flags: SecAccessControlCreateFlags) {
            var error: Unmanaged<CFError>?
            let control = SecAccessControlCreateWithFlags(
                kCFAllocatorDefault, kSecAttrAccessibleWhenUnlocked, flags, &error)
            #expect(control == nil)
            #expect(error?.takeRetainedValue().code == Int(errSecParam))
        }

        @Test func `an unknown protection makes nothing`() {
            #expect(SecAccessControlCreateWithFlags(nil, "xk" as CFString, [], nil) == nil)
            #expect(SecAccessControlCreateWithFlags(nil, NSNumber(value: 1), [], nil) == nil)
        }

        @Test(
            arguments: [
                .watch, [.applicationPassword, .watch], [.biometryAny, .watch],
            ] as [SecAccessControlCreateFlags])
        func `an item whose demands cannot be enforced is not added`(flags: SecAccessControlCreateFlags) throws {
            #expect(keychain.add([kSecAttrAccessControl: try control(flags)]) == errSecUnimplemented)
            #expect(keychain.find() == errSecItemNotFound)
        }

        @Test(arguments: [.privateKeyUsage, [.biometryAny, .privateKeyUsage]] as [SecAccessControlCreateFlags])
        func `a password is no private key`(flags: SecAccessControlCreateFlags) throws {
            let demanded = try control(flags, kSecAttrAccessibleWhenUnlockedThisDeviceOnly)
            #expect(keychain.add([kSecAttrAccessControl: demanded]) == errSecParam)
            #expect(keychain.find() == errSecItemNotFound)
        }

        @Test func `a finger is demanded where nothing else does, and there is no reader in memory`() throws {
            #expect(
                keychain.add([kSecAttrAccessControl: try control(.biometryCurrentSet)]) == errSecNotAvailable,
                "nobody knows which fingers there are")
            #expect(keychain.find() == errSecItemNotFound)
            #expect(keychain.add([kSecAttrAccessControl: try control(.biometryAny)]) == errSecSuccess)
            #expect(keychain.find([kSecReturnData: true]) == errSecNotAvailable)
        }

        private func own(_ password: String?) -> LAContext {
            let context = LAContext()
            if let password { context.setCredential(Data(password.utf8), type: .applicationPassword) }
            return context
        }

        @Test func `an application password is a part of the item's key`() throws {
            let demanded = try control(.applicationPassword)
            let bare: [CFString: Any] = [kSecAttrAccessControl: demanded]
            #expect(keychain.add(bare) == errSecAuthFailed, "nobody gave one")
            #expect(keychain.find() == errSecItemNotFound)
            #expect(keychain.add(bare.merging([kSecUseAuthenticationContext: own("secret")]) { $1 }) == errSecSuccess)
            #expect(keychain.find([kSecReturnData: true]) == errSecAuthFailed)
            for _ in 1...2 {
                let found = keychain.find([kSecReturnData: true, kSecUseAuthenticationContext: own("secret")])
                #expect(found == errSecSuccess)
            }
            let wrong = keychain.find([kSecReturnData: true, kSecUseAuthenticationContext: own("other")])
            #expect(wrong == errSecAuthFailed)
            #expect(keychain.find([kSecReturnAttributes: true]) == errSecSuccess, "attributes need none")
            #expect(
                keychain.find([kSecReturnData: true, kSecUseAuthenticationContext: own("secret")]) == errSecSuccess)
        }

        @Test func `beside presence both are given, and each is missed`() throws {
            let both = context()
            both.setCredential(Data("secret".utf8), type: .applicationPassword)
            let demanded = try control([.devicePasscode, .applicationPassword])
            #expect(
                keychain.add([kSecAttrAccessControl: demanded, kSecUseAuthenticationContext: both]) == errSecSuccess)
            #expect(keychain.find([kSecReturnData: true, kSecUseAuthenticationContext: both]) == errSecSuccess)
            #expect(keychain.find([kSecReturnData: true, kSecUseAuthenticationContext: context()]) == errSecAuthFailed)
            let stranger = own("secret")
            stranger.passcodePrompter = passcode("9999")
            #expect(keychain.find([kSecReturnData: true, kSecUseAuthenticationContext: stranger]) == errSecAuthFailed)
        }

        @Test func `a context takes a password, and forgets it`() {
            let context = LAContext()
            #expect(!context.isCredentialSet(.applicationPassword))
            #expect(!context.setCredential(Data(), type: .applicationPassword))
            #expect(!context.setCredential(Data(count: 1025), type: .applicationPassword))
            #expect(!context.setCredential(Data("1".utf8), type: .smartCardPIN))
            #expect(context.setCredential(Data("1".utf8), type: .applicationPassword))
            #expect(context.isCredentialSet(.applicationPassword))
            #expect(context.setCredential(nil, type: .applicationPassword))
            #expect(!context.isCredentialSet(.applicationPassword))
            #expect(context.setCredential(Data("1".utf8), type: .applicationPassword))
            context.invalidate()
            #expect(!context.isCredentialSet(.applicationPassword))
            #expect(!context.setCredential(Data("1".utf8), type: .applicationPassword))
        }

        @Test func `an access control is an object`() {
            #expect(keychain.add([kSecAttrAccessControl: 1]) == errSecParam)
            #expect(keychain.remove([kSecAttrAccessControl: "ak"]) == errSecParam)
        }

        @Test func `class and access control stand together only if they say the same`() throws {
            let plain = try control([])
            #expect(keychain.add([kSecAttrAccessControl: plain, kSecAttrAccessible: "ak"]) == errSecSuccess)
            #expect(keychain.find([kSecAttrAccessControl: plain, kSecAttrAccessible: "ck"]) == errSecParam)
            let present = try control(.userPresence)
            #expect(keychain.find([kSecAttrAccessControl: present, kSecAttrAccessible: "ak"]) == errSecParam)
        }

        @Test func `a synchronizable item demands nobody's presence`() throws {
            for flags in [.userPresence, .biometryAny] as [SecAccessControlCreateFlags] {
                let item: [CFString: Any] = [kSecAttrAccessControl: try control(flags), kSecAttrSynchronizable: true]
                #expect(keychain.add(item) == errSecParam)
            }
        }

        @Test func `without a passcode no item can demand one`() throws {
            let bare = try Fixture()
            #expect(bare.add([kSecAttrAccessControl: try control(.devicePasscode)]) == errSecAuthFailed)
            #expect(bare.add([kSecAttrAccessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly]) == errSecAuthFailed)
        }

        @Test(arguments: [.userPresence, .devicePasscode] as [SecAccessControlCreateFlags])
        func `a secret is read with the owner's passcode`(flags: SecAccessControlCreateFlags) throws {
            #expect(keychain.add([kSecAttrAccessControl: try control(flags)]) == errSecSuccess)
            let read = keychain.copy([kSecReturnData: true, kSecUseAuthenticationContext: context()])
            #expect(read as? Data == Data("secret".utf8))
        }

        @Test func `attributes need no presence, and say what is demanded`() throws {
            let demanded = try control(.userPresence)
            keychain.add([kSecAttrAccessControl: demanded])
            let silent: [CFString: Any] = [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]
            let query = silent.merging([kSecReturnAttributes: true]) { $1 }
            let found = try #require(keychain.copy(query) as? [String: Any])
            #expect(found[kSecAttrAccessControl as String] as? SecAccessControl == demanded)
        }

        @Test func `a wrong passcode fails, and is asked for once`() throws {
            keychain.add([kSecAttrAccessControl: try control(.userPresence)])
            let count = Mutex(0)
            let context = LAContext()
            let wrong = passcode("4321")
            context.passcodePrompter = { reason in
                count.withLock { $0 += 1 }
                return try wrong(reason)
            }
            let query: [CFString: Any] = [kSecReturnData: true, kSecUseAuthenticationContext: context]
            #expect(keychain.find(query) == errSecAuthFailed)
            #expect(count.withLock { $0 } == 1)
            context.passcodePrompter = passcode("1234")
            #expect(keychain.find(query) == errSecSuccess)
        }

        @Test func `an owner who declines ends the call`() throws {
            keychain.add([kSecAttrAccessControl: try control(.userPresence)])
            let context = LAContext()
            context.passcodePrompter = { _ in throw CancellationError() }
            #expect(keychain.find([kSecReturnData: true, kSecUseAuthenticationContext: context]) == errSecUserCanceled)
        }

        @Test func `where nobody may be asked, reading fails`() throws {
            keychain.add([kSecAttrAccessControl: try control(.userPresence)])
            let context = context()
            let query: [CFString: Any] = [kSecReturnData: true, kSecUseAuthenticationContext: context]
            let failing = query.merging([kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]) { $1 }
            #expect(keychain.find(failing) == errSecInteractionNotAllowed)
            #expect(
                keychain.find(query.merging([kSecUseNoAuthenticationUI: true]) { $1 }) == errSecInteractionNotAllowed)
            context.interactionNotAllowed = true
            #expect(keychain.find(query) == errSecInteractionNotAllowed)
        }

        @Test func `what was given before serves without asking again`() throws {
            keychain.add([kSecAttrAccessControl: try control(.userPresence)])
            let context = context()
            let query: [CFString: Any] = [kSecReturnData: true, kSecUseAuthenticationContext: context]
            #expect(keychain.find(query) == errSecSuccess)
            context.passcodePrompter = { _ in throw CancellationError() }
            context.interactionNotAllowed = true
            #expect(keychain.find(query) == errSecSuccess)
            context.invalidate()
            #expect(keychain.find(query) == errSecAuthFailed)
        }

        @Test func `protected items can be left out`() throws {
            keychain.add([kSecAttrAccount: "open"])
            keychain.add([kSecAttrAccount: "shut", kSecAttrAccessControl: try control(.userPresence)])
            let query: [CFString: Any] = [
                kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll,
                kSecUseAuthenticationUI: kSecUseAuthenticationUISkip,
            ]
            #expect((keychain.copy(query) as? [Data])?.count == 1)
        }

        @Test func `a list is read item by item, up to twenty with presence`() throws {
            keychain.add([kSecAttrAccount: "open"], data: Data("open".utf8))
            let demanded = try control(.userPresence)
            for number in 0..<20 { keychain.add([kSecAttrAccount: "\(number)", kSecAttrAccessControl: demanded]) }
            let query: [CFString: Any] = [
                kSecReturnData: true, kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll,
                kSecUseAuthenticationContext: context(),
            ]
            let all = try #require(keychain.copy(query) as? [[String: Any]])
            #expect(all.compactMap { $0[kSecValueData as String] as? Data }.count == 21)
            keychain.add([kSecAttrAccount: "20", kSecAttrAccessControl: demanded])
            #expect(keychain.find(query) == errSecAuthFailed)
        }

        @Test func `a protected secret is changed with the owner's passcode, and removed without`() throws {
            keychain.add([kSecAttrAccessControl: try control(.userPresence)])
            let changes: [CFString: Any] = [kSecValueData: Data("new".utf8)]
            let failing: [CFString: Any] = [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]
            #expect(keychain.update(failing, to: changes) == errSecInteractionNotAllowed)
            #expect(keychain.update([kSecUseAuthenticationContext: context()], to: changes) == errSecSuccess)
            let query: [CFString: Any] = [kSecReturnData: true, kSecUseAuthenticationContext: context()]
            #expect(keychain.copy(query) as? Data == Data("new".utf8))
            #expect(keychain.remove() == errSecSuccess)
        }

        @Test func `a demand is given up with the owner's passcode`() throws {
            keychain.add([kSecAttrAccessControl: try control(.userPresence)])
            let plain: [CFString: Any] = [kSecAttrAccessControl: try control([], kSecAttrAccessibleAfterFirstUnlock)]
            #expect(keychain.update([kSecUseAuthenticationContext: context()], to: plain) == errSecSuccess)
            #expect(keychain.copy([kSecReturnData: true]) as? Data == Data("secret".utf8))
            #expect(keychain.find([kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock]) == errSecSuccess)
        }

        @Test func `a context is a context`() {
            #expect(keychain.find([kSecUseAuthenticationContext: "context"]) == errSecParam)
        }

        @Test func `the owner is told what the call says`() throws {
            keychain.add([kSecAttrAccessControl: try control(.userPresence)])
            let told = Mutex("")
            let context = LAContext()
            let right = passcode("1234")
            context.localizedReason = "context"
            context.passcodePrompter = { reason in
                told.withLock { $0 = reason }
                return try right(reason)
            }
            let query: [CFString: Any] = [kSecReturnData: true, kSecUseAuthenticationContext: context]
            #expect(keychain.find(query.merging([kSecUseOperationPrompt: "call"]) { $1 }) == errSecSuccess)
            #expect(told.withLock { $0 } == "call")
        }
    }
}
