import Conformance
import Foundation
import Linux
import Secrets
import Testing
import Tresor
import Wire

/// What happens when files, disks and processes fail.
@Suite(.serialized) struct Faults {
    private func damage(_ path: String, at offset: UInt64? = nil) throws {
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        let size = try handle.seekToEnd()
        for place in offset.map({ [$0] }) ?? stride(from: 0, to: size, by: 16).map({ $0 }) {
            try handle.seek(toOffset: place)
            try handle.write(contentsOf: Data([0xa5, 0x5a]))
        }
        try handle.close()
    }

    @Test(arguments: [
        "enclave/device/root.key", "enclave/device/keybag", "keychain/keychain.sqlite",
    ])
    func aDamagedFileEndsWithCodeEightAndIsLeftAlone(_ name: String) throws {
        let device = try LiveDevice(lettingTestIn: false)
        try device.run("keychain", "add", "--service", "s", input: Data("x".utf8))
        try device.stop()
        let paths = places(name).map { device.folder + "/" + $0 }
        for path in paths { try damage(path) }
        let before = try paths.map { try FileSystem.read($0) }
        #expect(try device.start() == .exited(code: 8))
        #expect(try paths.map { try FileSystem.read($0) } == before)
        let log = String(decoding: try FileSystem.read(device.home.log), as: UTF8.self)
        #expect(log.contains(name))
    }

    /// The enclave's files lie in two folders.
    private func places(_ name: String) -> [String] {
        name.hasPrefix("enclave/") ? [name, name.replacing("/device", with: "/spare")] : [name]
    }

    @Test(arguments: [true, false])
    func `a lost try counter costs the longest wait, also after a restart, and no key`(isRemoved: Bool) throws {
        let device = try LiveDevice(lettingTestIn: false)
        try device.setPasscode()
        try device.run("keychain", "add", "--service", "s", input: Data("x".utf8))
        let paths = places("enclave/device/tries").map { device.folder + "/" + $0 }
        for _ in 0..<2 {
            try device.stop()
            for path in paths {
                if isRemoved { try FileManager.default.removeItem(atPath: path) } else { try damage(path) }
            }
            #expect(try device.start() == nil)
            let state = try device.status().enclave
            #expect(state.failures == 10 && state.delay > .seconds(479 * 60) && state.lock == .beforeFirstUnlock)
            let early = try device.run("unlock", input: Data("1234\n".utf8))
            #expect(early.code == 6 && early.errors.contains("wait"), "\(early.errors)")
        }
        try device.restart()
        #expect(try device.status().enclave.delay > .seconds(479 * 60), "it begins anew")
        for path in paths { #expect(try FileSystem.status(path)?.byteCount == 256) }
    }

    @Test(arguments: ["enclave/device/root.key", "enclave/device/keybag", "enclave/device"])
    func aMissingFileIsNotMadeAnew(_ name: String) throws {
        let device = try LiveDevice(lettingTestIn: false)
        try device.run("keychain", "add", "--service", "s", input: Data("x".utf8))
        try device.stop()
        let paths = places(name).map { device.folder + "/" + $0 }
        for path in paths { try FileManager.default.moveItem(atPath: path, toPath: path + ".aside") }
        #expect(try device.start() == .exited(code: 8))
        for path in paths {
            #expect(try FileSystem.status(path) == nil)
            try FileManager.default.moveItem(atPath: path + ".aside", toPath: path)
        }
        #expect(try device.start() == nil)
        #expect(try device.run("keychain", "get", "--service", "s").output == Data("x".utf8))
    }

    @Test(arguments: ["root.key", "keybag", "tries", ""], ["device", "spare"])
    func `what is lost in one of the enclave's two folders is made anew from the other, with a word in the log`(
        file: String, folder: String
    ) throws {
        let device = try LiveDevice(lettingTestIn: false)
        try device.setPasscode()
        try device.run("keychain", "add", "--service", "s", input: Data("x".utf8))
        _ = try device.run("unlock", input: Data("9999\n".utf8))
        let path = "\(device.folder)/enclave/\(folder)/\(file)"
        for isRemoved in [true, false] {
            try device.stop()
            if isRemoved || file.isEmpty { try FileManager.default.removeItem(atPath: path) } else { try damage(path) }
            #expect(try device.start() == nil)
            let state = try device.status().enclave
            #expect(state.failures == 1 && state.lock == .beforeFirstUnlock)
            let status = try device.run("status")
            #expect(status.code == 0, "\(status)")
        }
        try device.unlock()
        #expect(try device.run("keychain", "get", "--service", "s").output == Data("x".utf8))
        for name in ["root.key", "keybag", "tries"] {
            let copies = try ["device", "spare"].map { try FileSystem.read("\(device.folder)/enclave/\($0)/\(name)") }
            #expect(copies[0] == copies[1], "\(name)")
        }
        let log = String(decoding: try FileSystem.read(device.home.log), as: UTF8.self)
        // A folder of copies that is not there is that of an earlier version.
        let isTold = !file.isEmpty || folder == "device"
        #expect(log.contains("one of two copies: \(folder)/\(file)") == isTold, "\(log)")
    }

    @Test func `one torn slot of the keybag is repaired from the other`() throws {
        let device = try LiveDevice(lettingTestIn: false)
        try device.setPasscode()
        try device.stop()
        try damage(device.folder + "/enclave/device/keybag", at: 100)
        #expect(try device.start() == nil)
        try device.unlock()
        let bytes = try FileSystem.read(device.folder + "/enclave/device/keybag")
        #expect(bytes.prefix(16 * 1024).elementsEqual(bytes.suffix(16 * 1024)))
    }

    @Test func `an undecodable row is quarantined, and the others are not its hostages`() throws {
        let device = try LiveDevice(lettingTestIn: false)
        for name in ["a", "b", "c"] { try device.run("keychain", "add", "--service", name, input: Data(name.utf8)) }
        try device.stop()
        try StoppedDatabase(path: device.home.database).rows(
            "UPDATE item SET metadata = randomblob(length(metadata)) WHERE id = 2")
        try device.start()
        #expect(try device.run("keychain", "get", "--service", "b").code == 8)
        #expect(try device.run("keychain", "get", "--service", "a").output == Data("a".utf8))
        let list = try device.run("keychain", "list")
        #expect(list.code == 8 && list.text.contains("a") && list.text.contains("c") && !list.text.contains("\tb\t"))
        #expect(try device.run("keychain", "add", "--service", "b", input: Data("new".utf8)).code == 8)
        let status = try device.run("status", "--json")
        #expect(status.code == 8 && status.text.contains("67656e70"))
        let reference = Hexadecimal.encode(try device.status().quarantined[0].bytes)
        #expect(try device.run("keychain", "delete", "--reference", reference).code == 0)
        #expect(try device.run("status").code == 0)
    }

    @Test(arguments: ["quarantined = 'x'", "sync = 'abc'", "kind = 'k'", "metadata = 7", "uuid = 'u'"])
    func aCellOfAnotherTypeIsADamagedRowAndNoMore(_ assignment: String) throws {
        let device = try LiveDevice(lettingTestIn: false)
        for name in ["a", "b"] { try device.run("keychain", "add", "--service", name, input: Data(name.utf8)) }
        try device.stop()
        try StoppedDatabase(path: device.home.database).rows("UPDATE item SET \(assignment) WHERE id = 1")
        try device.start()
        #expect([0, 8].contains(try device.run("keychain", "list").code))
        #expect(try device.run("keychain", "get", "--service", "b").output == Data("b".utf8))
        _ = try device.status()
    }

    @Test(arguments: ["index_key", "table_key"])
    func aLostKeyIsDamageAndNotAbsence(_ table: String) throws {
        let device = try LiveDevice(lettingTestIn: false)
        try device.run("keychain", "add", "--service", "s", input: Data("x".utf8))
        try device.stop()
        try StoppedDatabase(path: device.home.database).rows("DELETE FROM \(table)")
        try FileManager.default.removeItem(atPath: device.home.keychainFolder + "/spare")
        try device.start()
        #expect(try device.run("keychain", "get", "--service", "s").code == 8)
        #expect(try device.run("keychain", "add", "--service", "s", input: Data("y".utf8)).code == 8)
    }

    @Test(arguments: ["index_key", "table_key"])
    func `a lost key comes back from its spare, with a word in the log`(_ table: String) throws {
        let device = try LiveDevice(lettingTestIn: false)
        try device.run("keychain", "add", "--service", "s", input: Data("x".utf8))
        try device.stop()
        try StoppedDatabase(path: device.home.database).rows("DELETE FROM \(table)")
        try device.start()
        #expect(try device.run("keychain", "get", "--service", "s").output == Data("x".utf8))
        let log = String(decoding: try FileSystem.read(device.home.log), as: UTF8.self)
        #expect(log.contains("a key of the keychain was damaged or missing"), "\(log)")
        try device.stop()
        try FileManager.default.removeItem(atPath: device.home.keychainFolder + "/spare")
        try device.start()
        #expect(try device.run("keychain", "get", "--service", "s").output == Data("x".utf8))
    }

    @Test func `a damaged row does not shut its class after a forgotten passcode`() throws {
        let device = try LiveDevice(lettingTestIn: false)
        try device.setPasscode()
        for name in ["a", "b"] { try device.run("keychain", "add", "--service", name, input: Data(name.utf8)) }
        try device.stop()
        try StoppedDatabase(path: device.home.database).rows("UPDATE item SET class_key = randomblob(16) WHERE id = 1")
        try device.start()
        #expect(try device.run("passcode", "reset", "--yes").code == 0)
        #expect(try device.run("keychain", "get", "--service", "b").code == 3)
        #expect(try device.run("keychain", "add", "--service", "new", input: Data("x".utf8)).code == 0)
        #expect(try device.run("keychain", "get", "--service", "new").output == Data("x".utf8))
    }

    @Test func `a store that has gone missing is missed`() throws {
        let device = try LiveDevice(lettingTestIn: false)
        try device.run("keychain", "add", "--service", "s", input: Data("x".utf8))
        try device.stop()
        try FileManager.default.moveItem(atPath: device.home.keychainFolder, toPath: device.folder + "/aside")
        #expect(try device.start() == .exited(code: 8))
        try FileManager.default.removeItem(atPath: device.home.keychainFolder)
        try FileManager.default.moveItem(atPath: device.folder + "/aside", toPath: device.home.keychainFolder)
        #expect(try device.start() == nil)
        #expect(try device.run("keychain", "get", "--service", "s").output == Data("x".utf8))
    }

    @Test func `an enclave's folder serves one device at a time`() throws {
        let device = try LiveDevice(lettingTestIn: false)
        let second = Process()
        second.executableURL = URL(fileURLWithPath: LiveDevice.programs + "/tresord")
        let data = device.folder + "/other"
        try FileSystem.makeDirectories(data)
        try FileSystem.makeDirectories(device.folder + "/state/tresor")
        // The folder moves under another home while the first daemon has it open.
        try FileManager.default.moveItem(
            atPath: device.folder + "/enclave", toPath: device.folder + "/state/tresor/enclave")
        second.environment = [
            "XDG_DATA_HOME": data, "XDG_STATE_HOME": device.folder + "/state", "XDG_RUNTIME_DIR": data, "HOME": data,
        ]
        // Its store was made elsewhere; only the lock of the enclave is looked at here.
        try FileSystem.remove(device.folder + "/state/tresor/enclave/keychain-made")
        second.standardError = FileHandle.nullDevice
        try second.run()
        second.waitUntilExit()
        #expect(second.terminationStatus == 7)
    }

    @Test func `who hangs up on waiting replies costs no processor`() throws {
        let device = try LiveDevice(lettingTestIn: false)
        let socket = try UnixSocket.connect(device.home.socket)
        var frame = try SecretBuffer(capacity: 1024)
        let payload = try [UInt8](repeating: 1, count: 900_000).withSpan { try SecretBytes(copying: $0) }
        try KeychainRequest.echo(CarriedSecret(payload)).encode(id: 1, into: &frame)
        _ = try frame.withBytes { try socket.writeAll($0) }
        Thread.sleep(forTimeInterval: 0.2)
        ConnectionEnder(socket).end()
        let before = try ProcessUsage(of: device.daemon).cpuMicroseconds
        Thread.sleep(forTimeInterval: 0.5)
        #expect(try ProcessUsage(of: device.daemon).cpuMicroseconds - before < 100_000)
    }

    @Test func `a stopped enclave does not hold up a lock`() throws {
        let device = try LiveDevice(lettingTestIn: false)
        try device.setPasscode()
        try device.run("keychain", "add", "--service", "s", input: Data("x".utf8))
        let enclave = Int32(try device.status().enclaveProcess)
        Glibc.kill(enclave, SIGSTOP)
        let begin = Date()
        let outcome = try device.run(["lock"])
        // Without an enclave there is no key.
        #expect(outcome.code == 0 && outcome.text == "locked\n", "\(outcome.errors)")
        #expect(Date().timeIntervalSince(begin) < 4)
        #expect(try device.status().enclave.lock == .beforeFirstUnlock)
        try device.unlock()
        #expect(try device.run("keychain", "get", "--service", "s").output == Data("x".utf8))
    }

    @Test func `the end of the enclave leaves a device before first unlock`() throws {
        let device = try LiveDevice(lettingTestIn: false)
        try device.setPasscode()
        try device.run("keychain", "add", "--service", "s", input: Data("x".utf8))
        Glibc.kill(Int32(try device.status().enclaveProcess), SIGKILL)
        Thread.sleep(forTimeInterval: 0.3)
        #expect(try device.status().enclave.lock == .beforeFirstUnlock)
        #expect(try device.run("keychain", "get", "--service", "s").code == 5)
        try device.unlock()
        #expect(try device.run("keychain", "get", "--service", "s").output == Data("x".utf8))
    }

    @Test func `a copy of an older enclave is reported, not hidden`() throws {
        let device = try LiveDevice(lettingTestIn: false)
        try device.run("keychain", "add", "--service", "s", input: Data("x".utf8))
        try device.stop()
        try FileManager.default.copyItem(atPath: device.folder + "/enclave", toPath: device.folder + "/older")
        try device.start()
        try device.setPasscode()
        try device.stop()
        try FileManager.default.removeItem(atPath: device.folder + "/enclave")
        try FileManager.default.moveItem(atPath: device.folder + "/older", toPath: device.folder + "/enclave")
        try device.start()
        let status = try device.run("status")
        #expect(status.code == 8 && status.text.contains("ROLLBACK"))
    }

    @Test func `another device's enclave is refused`() throws {
        let device = try LiveDevice(lettingTestIn: false)
        let other = try LiveDevice(lettingTestIn: false)
        try device.run("keychain", "add", "--service", "s", input: Data("x".utf8))
        try device.stop()
        try other.stop()
        try FileManager.default.removeItem(atPath: device.folder + "/enclave")
        try FileManager.default.copyItem(atPath: other.folder + "/enclave", toPath: device.folder + "/enclave")
        #expect(try device.start() == .exited(code: 8))
    }

    @Test func `modes that let others in are repaired`() throws {
        let device = try LiveDevice(lettingTestIn: false)
        try device.stop()
        try FileSystem.setMode(device.home.database, 0o644)
        try FileSystem.setMode(device.folder + "/enclave/device/root.key", 0o666)
        try device.start()
        #expect(try FileSystem.status(device.home.database)?.mode == 0o600)
        #expect(try FileSystem.status(device.folder + "/enclave/device/root.key")?.mode == 0o600)
        #expect(String(decoding: try FileSystem.read(device.home.log), as: UTF8.self).contains("repaired"))
    }

    @Test func `malformed frames close their connection, and nobody else's`() throws {
        let device = try LiveDevice(lettingTestIn: false)
        let good = try device.connect()
        let frames: [[UInt8]] = [
            [0, 0, 0, 0], [0xff, 0xff, 0xff, 0xff], [0, 0, 0, 1, 9], [0, 0, 0, 6, 1, 0, 0, 0, 1, 99],
            [0, 0, 0, 7, 1, 0, 0, 0, 1, 1, 0], [0, 0, 0, 6, 2, 0, 0, 0, 1, 1], [0, 0, 0, 6, 1, 0, 0, 0, 0, 1],
            [0, 0, 0, 12, 1, 0, 0, 0, 1, 3, 0xff, 0xff, 0xff, 0xff, 1, 2],
        ]
        for frame in frames {
            let socket = try UnixSocket.connect(device.home.socket)
            _ = try frame.withSpan { try socket.writeAll($0) }
            var answer = try SecretBuffer(capacity: 64)
            #expect(try socket.read(into: &answer.storage, room: 64) == .closed)
        }
        try good.exchange(.status) { _ in }
        let log = String(decoding: try FileSystem.read(device.home.log), as: UTF8.self)
        #expect(log.components(separatedBy: "closed a connection").count == frames.count + 1)
    }

    @Test func `who does not take replies blocks nobody, and gets them all in the end`() throws {
        let device = try LiveDevice(lettingTestIn: false)
        let socket = try UnixSocket.connect(device.home.socket)
        var burst = try SecretBuffer(capacity: 1024)
        // The kernel takes the long ones in pieces.
        func size(_ id: Int) -> Int { id % 3 == 0 ? 20 : id % 3 == 1 ? 60_000 : 30_000 }
        for id in 1...40 {
            let payload = try [UInt8](repeating: UInt8(id), count: size(id)).withSpan {
                try SecretBytes(copying: $0)
            }
            try KeychainRequest.echo(CarriedSecret(payload)).encode(id: UInt32(id), into: &burst)
        }
        let sender = Thread { [bytes = burst.bytes.copyToArray(), raw = socket.raw] in
            var used = 0
            while used < bytes.count {
                let put = bytes[used...].withUnsafeBytes { Glibc.write(raw, $0.baseAddress, $0.count) }
                if put <= 0 { return }
                used += put
            }
        }
        sender.start()
        Thread.sleep(forTimeInterval: 0.3)
        try device.connect().exchange(.status) { _ in }
        var input = try SecretBuffer(capacity: 4096)
        var answered = 0
        while answered < 40 {
            while let end = try StreamFrame.byteCount(of: input.bytes, limit: StreamFrame.keychainLimit),
                input.count >= end
            {
                answered += 1
                let frame = input.bytes.extracting(first: end).copyToArray()
                try #require(frame.suffix(size(answered)).allSatisfy { $0 == UInt8(answered) }, "reply \(answered)")
                input.removeFirst(end)
            }
            if answered < 40 { #expect(try socket.read(into: &input.storage, room: 65_536) != .closed) }
        }
        #expect(answered == 40)
    }

    @Test func `who sends nothing more gets the answers to all that it has sent`() throws {
        let device = try LiveDevice()
        // Later connections of this program are known by this one.
        let known = try device.connect()
        let count = 400
        for round in 0..<5 {
            let socket = try UnixSocket.connectAsKnown(device.home.socket)
            var frames = try SecretBuffer(capacity: 4096)
            for id in 1...count {
                var attributes = Attributes()
                attributes[.service] = .string("\(round) \(id)")
                let item = ItemAddition(
                    kind: ItemKind.password.code, attributes: attributes, secret: try SecretBytes(text: "x"))
                try KeychainRequest.add(item).encode(id: UInt32(id), into: &frames)
            }
            #expect(try frames.withBytes { try socket.writeAll($0) })
            #expect(shutdown(socket.raw, Int32(SHUT_WR)) == 0)
            var input = try SecretBuffer(capacity: 4096)
            while try socket.read(into: &input.storage, room: 65_536) != .closed {}
            var answered: [UInt32] = []
            while let end = try StreamFrame.byteCount(of: input.bytes, limit: StreamFrame.keychainLimit),
                input.count >= end
            {
                var reader = ByteReader(input.bytes.extracting(StreamFrame.headerByteCount..<end))
                let header = try KeychainReply.header(&reader)
                #expect(header.tag == .page)
                answered.append(header.id)
                input.removeFirst(end)
            }
            #expect(answered == (1...UInt32(count)).map(\.self), "\(answered.count) of \(count)")
        }
        _ = known
    }
}
