import CTestSupport
import Conformance
import Foundation
import Glibc
import KeyEnvelopes
import Linux
import Protection
import Secrets
import Testing
import Thoroughness
import Tresor
import Wire

@testable import Enclave

/// After a lock no key, no passcode and nothing of an item is left in any process; root looks everywhere.
@Suite(.serialized, .enabled(if: MemoryClaims.areTested, MemoryClaims.reason))
struct Memory {
    /// Stands in every secret, attribute and passcode of these tests, and nowhere else.
    private static let marker = "ndl" + Identifier.makeRandom().description.prefix(12)

    private func count(_ needle: [UInt8], in process: Int32) throws -> (found: Int, unreadable: Int) {
        var unreadable = 0
        let found = ct_count(process, needle, needle.count, &unreadable)
        guard found >= 0 else { throw LinuxError(call: "/proc/PID/mem", code: Int32(-found)) }
        return (found: found, unreadable: unreadable)
    }

    /// Every class key of a device, opened by the way of the specs: from its files and its passcode.
    private func classKeys(_ device: LiveDevice, passcode: String) throws -> [UInt8: [UInt8]] {
        let rootFile = try FileSystem.read(device.folder + "/enclave/device/root.key")
        let copy = try rootFile.withSpan { try FileRootKey.decode($0) }
        let root = try copy.key.copy()
        let stateKey = try DeviceKeys.deriveStateKey(root: root)
        let slot = try FileSystem.read(device.folder + "/enclave/device/keybag").prefix(Keybag.slotByteCount)
        let content = SlotFile.decode(Array(slot), purpose: Keybag.purpose, macKey: stateKey)?.content ?? []
        let keybag = try Keybag.decode(content)
        guard let parameters = keybag.passcode else { throw DecodingError.invalid }
        let passcodeKEK = try DeviceKeys.derivePasscodeKEK(
            passcode: SecretBytes(text: passcode), salt: parameters.salt, logRounds: parameters.logRounds, root: root,
            keybag: keybag.id)
        let deviceKEK = try DeviceKeys.deriveDeviceKEK(root: root, keybag: keybag.id)
        var keys: [UInt8: [UInt8]] = [:]
        for entry in keybag.entries {
            let key =
                entry.wrap == .passcode
                ? try OpenClassKey.unwrap(entry, under: passcodeKEK, keybag: keybag.id, version: keybag.version)
                : try OpenClassKey.unwrap(entry, under: deviceKEK, keybag: keybag.id, version: keybag.version)
            keys[entry.keyClass.rawValue] = key.bytes.withBytes { $0.copyToArray() }
        }
        return keys
    }

    private func add(_ number: Int, to transport: SocketTransportBox) throws {
        var attributes = Attributes()
        attributes[.service] = .string("\(Self.marker)-service-\(number)")
        attributes[.account] = .string("\(Self.marker)-account-\(number)")
        attributes[.label] = .data(Array("\(Self.marker)-label-\(number)".utf8))
        let secret = try SecretBytes(
            text: "\(Self.marker)-secret-\(number)-\(String(repeating: "x", count: number % 300))")
        try transport.value.exchange(
            .add(ItemAddition(kind: ItemKind.password.code, attributes: attributes, secret: secret))
        ) { _ in }
    }

    final class SocketTransportBox {
        let value: SocketTransport
        init(_ value: SocketTransport) { self.value = value }
    }

    @Test func `a planted copy is found`() throws {
        setenv("TRESOR_PLANTED", "planted-\(Self.marker)", 1)
        defer { unsetenv("TRESOR_PLANTED") }
        let device = try LiveDevice()
        #expect(try count(Array("planted-\(Self.marker)".utf8), in: device.daemon).found > 0)
    }

    @Test func `after a lock nothing is left in daemon and enclave`() throws {
        let device = try LiveDevice()
        let passcode = Self.marker + "-passcode"
        try device.setPasscode(passcode)
        let box = SocketTransportBox(try device.connect())
        let items = Thoroughness.count(300, soak: 1000)
        for number in 0..<items { try add(number, to: box) }
        for round in 0..<3 {
            for number in 0..<items {
                var query = KeychainQuery(kind: .password)
                query.attributes[.account] = .string("\(Self.marker)-account-\(number)")
                query.returns = round == 0 ? [.attributes] : [.data, .attributes]
                try box.value.exchange(.find(query)) { _ in }
            }
        }
        var all = KeychainQuery(kind: .password)
        all.limit = nil
        all.returns = .attributes
        try box.value.exchange(.find(all)) { _ in }
        let keys = try classKeys(device, passcode: passcode)
        let enclave = Int32(try device.status().enclaveProcess)
        if try device.status().enclave.isInSecretMemory {
            // Where the kernel has memfd_secret, class keys are found nowhere even now.
            for process in [device.daemon, enclave] {
                for (keyClass, key) in keys { #expect(try count(key, in: process).found == 0, "class \(keyClass)") }
            }
        }
        try device.perform(.lock)
        for process in [device.daemon, enclave] {
            #expect(try count(Array(Self.marker.utf8), in: process).found == 0, "process \(process)")
            for keyClass: UInt8 in [1, 2, 6, 9, 12] {
                #expect(
                    try count(Array((keys[keyClass] ?? []).suffix(16)), in: process).found == 0, "class \(keyClass)")
            }
        }
        try device.unlock(passcode)
        var query = KeychainQuery(kind: .password)
        query.attributes[.account] = .string("\(Self.marker)-account-7")
        query.returns = .data
        var data: [UInt8] = []
        try box.value.exchange(.find(query)) { payload in
            var reader = ByteReader(payload)
            _ = try KeychainReply.header(&reader)
            _ = try Page(from: &reader) { _, _, secret in data = secret?.copyToArray() ?? [] }
        }
        #expect(data.starts(with: Array("\(Self.marker)-secret-7".utf8)))
    }

    /// Strings of fifteen bytes and fewer live in registers and on the stack, and eight of them in one word.
    @Test func `after a lock no eight bytes of what was searched last are left in daemon and enclave`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        let transport = try device.connect()
        let enclave = Int32(try device.status().enclaveProcess)
        for round in 0..<8 {
            // Of letters that nothing else has, and as long as words on either side of what fits in a word.
            let words = (0..<Thoroughness.count(2, soak: 6)).map { _ in
                String((0..<[8, 11, 15, 16, 23, 40][round % 6]).compactMap { _ in "QXZJVKWY".randomElement() })
            }
            for (index, word) in words.enumerated() {
                var attributes = Attributes()
                attributes[.service] = .string(word)
                attributes[.account] = .string(words[(index + 1) % words.count])
                let item = ItemAddition(
                    kind: ItemKind.password.code, attributes: attributes, secret: try SecretBytes(text: word))
                try transport.exchange(.add(item)) { _ in }
                var query = KeychainQuery(kind: .password)
                query.attributes[.service] = .string(word)
                query.returns = index % 2 == 0 ? [.data, .attributes] : [.attributes]
                try transport.exchange(.find(query)) { _ in }
            }
            // By the same connection: another one is a request more, which runs over the stack.
            if round % 2 == 0 { try transport.perform(.lock) } else { try device.perform(.lock) }
            for process in [device.daemon, enclave] {
                for word in words {
                    let bytes = Array(word.utf8)
                    for start in 0...bytes.count - 8 {
                        let piece = Array(bytes[start..<start + 8])
                        #expect(try count(piece, in: process).found == 0, "\(word) from \(start) on, \(process)")
                    }
                }
            }
            try device.unlock()
        }
    }

    private final class Visit {
        let marker: [UInt8]
        var found: Int?
        init(_ marker: [UInt8]) { self.marker = marker }
    }

    /// Runs the command and counts the marker in its memory as it exits.
    private func markersAtExit(_ device: LiveDevice, _ arguments: [String], input: String, _ marker: String) throws -> (
        code: Int32, found: Int?
    ) {
        let path = device.folder + "/visit-in"
        try FileSystem.replace(path, with: Array(input.utf8))
        let input = try FileDescriptor.open(path, O_RDONLY)
        let output = try FileDescriptor.open("/dev/null", O_WRONLY)
        let program = LiveDevice.programs + "/tresor"
        var argv: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = [
            strdup("TRESOR_HOME=" + device.folder), strdup("LD_BIND_NOW=1"), nil,
        ]
        defer { for entry in argv + envp { free(entry) } }
        let visit = Visit(Array(marker.utf8))
        let code = ct_run_and_visit(
            program, &argv, &envp, input.raw, output.raw,
            { process, context in
                guard let context else { return }
                let visit = Unmanaged<Visit>.fromOpaque(context).takeUnretainedValue()
                var unreadable = 0
                visit.found = ct_count(process, visit.marker, visit.marker.count, &unreadable)
            }, Unmanaged.passUnretained(visit).toOpaque())
        try FileSystem.remove(path)
        return (code: code, found: visit.found)
    }

    @Test func `the command line keeps no copy of what it read or was given`() throws {
        let device = try LiveDevice()
        let secret = Self.marker + "-cli-secret"
        let added = try markersAtExit(device, ["keychain", "add", "--service", "s"], input: secret, secret)
        #expect(added.code == 0 && added.found == 0)
        let got = try markersAtExit(device, ["keychain", "get", "--service", "s"], input: "", secret)
        #expect(got.code == 0 && got.found == 0)
        let passcode = Self.marker + "-cli-passcode"
        let set = try markersAtExit(device, ["passcode", "set"], input: "\(passcode)\n\(passcode)\n", passcode)
        #expect(set.code == 0 && set.found == 0)
        // The control: an argument is found, so the look at the exit sees what is there.
        let control = try markersAtExit(
            device, ["keychain", "get", "--service", "control-" + Self.marker], input: "", "control-" + Self.marker)
        #expect(control.code == 3 && (control.found ?? 0) > 0)
    }
}
