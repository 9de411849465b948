import Conformance
import Foundation
import Glibc
import Linux
import Protection
import Secrets
import Testing
import Tresor
import Wire

/// Items that demand a finger: the real fprintd with libfprint's virtual reader, the real programs.
@Suite(
    .serialized,
    .enabled(
        if: FingerprintService.missing.isEmpty && getuid() == 0
            && FileManager.default.fileExists(atPath: LiveDevice.programs + "/clock/tresord"),
        "needs root, fprintd, python3-dbusmock, dbus, and what make test stages"))
struct BiometryStories {
    private struct Stage {
        let service: FingerprintService
        let device: LiveDevice
        let user: String

        init() throws {
            service = try FingerprintService()
            user = try #require(FileSystem.userName(getuid()))
            try service.enroll(user, scan: "anna")
            device = try LiveDevice(
                programs: LiveDevice.programs + "/clock",
                environment: ["TRESOR_TEST_BUS": service.address, "TRESOR_TEST_FINGERS": service.state])
            try device.setPasscode()
        }

        func add(_ service: String, _ access: String) throws -> LiveDevice.Outcome {
            try device.run(
                "keychain", "add", "--service", service, "--access", access, input: Data("secret of \(service)".utf8))
        }

        /// Touches the reader as soon as it waits.
        func touching<Result>(_ finger: String, _ body: () throws -> Result) rethrows -> Result {
            // It is used by one thread at a time: this one waits for the program that waits for the finger.
            nonisolated(unsafe) let service = service
            let done = Flag()
            let thread = Thread {
                while !done.isSet {
                    usleep(300_000)
                    if !done.isSet { try? service.reader("SCAN " + finger, patience: 1) }
                }
            }
            thread.start()
            defer { done.set() }
            return try body()
        }

        func get(_ name: String, finger: String? = nil, input: String = "") throws -> LiveDevice.Outcome {
            let input = Data(input.utf8)
            guard let finger else { return try device.run("keychain", "get", "--service", name, input: input) }
            return try touching(finger) {
                try device.run("keychain", "get", "--service", name, "--finger", input: input)
            }
        }

        func reference(_ name: String) throws -> PersistentReference {
            var query = KeychainQuery(kind: .password)
            query.attributes[.service] = .string(name)
            query.returns = .persistentReference
            var found: PersistentReference?
            try device.connect().exchange(.find(query)) { payload in
                var reader = ByteReader(payload)
                guard try KeychainReply.header(&reader).tag == .page else { throw try KeychainError(from: &reader) }
                _ = try Page(from: &reader) { reference, _, _ in found = reference }
            }
            return try #require(found)
        }
    }

    private final class Flag: @unchecked Sendable {
        private let lock = NSLock()
        private var value = false
        var isSet: Bool { lock.withLock { value } }
        func set() { lock.withLock { value = true } }
    }

    private func prove(_ reference: PersistentReference, _ operation: UInt8 = 1) -> KeychainRequest {
        .proveBiometry(BiometryClaim(item: reference.item, operation: operation, patience: .seconds(10)))
    }

    private func read(_ reference: PersistentReference, _ transport: SocketTransport) -> KeychainError? {
        var query = KeychainQuery()
        query.persistentReference = reference
        query.returns = .data
        do {
            try transport.exchange(.find(query)) { payload in
                var reader = ByteReader(payload)
                guard try KeychainReply.header(&reader).tag == .error else { return }
                throw try KeychainError(from: &reader)
            }
            return nil
        } catch { return error as? KeychainError ?? KeychainError(.notAvailable) }
    }

    @Test func `an item for the present fingers opens by the finger, by no other, and is dead after an enrolment`()
        throws
    {
        let stage = try Stage()
        #expect(try stage.add("vault", "biometryCurrentSet").code == 0)
        #expect(try stage.add("card", "biometryAny").code == 0)
        #expect(try stage.get("vault", finger: "anna").text == "secret of vault")
        let other = try stage.get("vault", finger: "eve")
        #expect(other.code == 6 && other.text.isEmpty && other.errors.contains("not enrolled"), "\(other.errors)")
        #expect(try stage.get("vault", finger: "anna").text == "secret of vault", "and still by the first")
        #expect(try stage.get("vault", input: "1234\n").code == 6, "the passcode does not do")
        // A second finger, of whomever.
        try stage.service.enroll(stage.user, "left-index-finger", scan: "bert")
        // The virtual reader compares with one of the fingers; a reader that knows them all would take either.
        let taken = try ["anna", "bert"].filter { try stage.get("card", finger: $0).text == "secret of card" }
        #expect(taken.count == 1)
        for finger in taken {
            let dead = try stage.get("vault", finger: finger)
            #expect(dead.code == 7 && dead.text.isEmpty, "\(dead.errors)")
            #expect(dead.errors.contains("enrolled no more as they were"))
        }
        #expect(try stage.device.run("keychain", "list").text.contains("vault"), "it is kept")
    }

    @Test func `presence is proved by a finger or the passcode; or and and mean what they say`() throws {
        let stage = try Stage()
        for (name, access) in [
            ("either", "userPresence"), ("passcode", "devicePasscode"), ("any", "biometryAny,or,devicePasscode"),
            ("both", "biometryAny,and,devicePasscode"),
        ] {
            #expect(try stage.add(name, access).code == 0)
        }
        #expect(try stage.get("either", input: "1234\n").text == "secret of either")
        #expect(try stage.get("either", finger: "anna").text == "secret of either")
        #expect(try stage.get("passcode", input: "1234\n").text == "secret of passcode")
        #expect(try stage.get("any", input: "1234\n").text == "secret of any")
        #expect(try stage.get("any", finger: "anna").text == "secret of any")
        #expect(try stage.get("both", input: "1234\n").code == 6)
        #expect(try stage.get("both", finger: "anna", input: "1234\n").text == "secret of both")
        #expect(try stage.add("wrong", "biometryAny,biometryCurrentSet").code == 64)
        // An export does without what only a finger opens, and says so.
        #expect(
            try stage.device.run(
                "keychain", "add", "--service", "tresor.example", input: Data("secret of tresor.example".utf8)
            ).code == 0)
        #expect(try stage.add("finger", "biometryAny").code == 0)
        for name in ["both"] { #expect(try stage.device.run("keychain", "delete", "--service", name).code == 0) }
        let exported = try stage.device.run(
            "keychain", "export", "-", input: Data("1234\n1234\n1234\n1234\n".utf8))
        #expect(exported.code == 0 && exported.errors.contains("1 items open by a finger alone"), "\(exported.errors)")
        #expect(exported.text.contains("secret of either") && !exported.text.contains("secret of finger"))
        #expect(exported.text.contains("secret of tresor.example"), "a name like ours is somebody's")
        #expect(try stage.add("wrong", "or").code == 64)
    }

    @Test func `a secret behind a finger is replaced by that finger, and by nothing else`() throws {
        let stage = try Stage()
        #expect(try stage.add("vault", "biometryAny").code == 0)
        func update(_ options: String...) throws -> LiveDevice.Outcome {
            try stage.device.run(["keychain", "update", "--service", "vault"] + options, input: Data("new".utf8))
        }
        #expect(try update().code == 6)
        #expect(try stage.touching("eve") { try update("--finger") }.code == 6)
        #expect(try stage.get("vault", finger: "anna").text == "secret of vault")
        let changed = try stage.touching("anna") { try update("--finger") }
        #expect(changed.code == 0, "\(changed.errors)")
        #expect(try stage.get("vault", finger: "anna").text == "new")
    }

    @Test func `a stolen verdict, a replay and another item's verdict open nothing`() throws {
        let stage = try Stage()
        for name in ["vault", "card"] { #expect(try stage.add(name, "biometryAny").code == 0) }
        let (vault, card) = (try stage.reference("vault"), try stage.reference("card"))
        let (mine, other) = (try stage.device.connect(), try stage.device.connect())
        try stage.touching("anna") { try mine.perform(prove(vault)) }
        #expect(read(vault, other)?.reason == .presenceRequired, "stolen by another connection")
        #expect(read(card, mine)?.reason == .presenceRequired, "of another item")
        #expect(read(vault, mine) == nil)
        #expect(read(vault, mine)?.reason == .presenceRequired, "replayed")
        // One for a change does not read; a lock forgets it.
        try stage.touching("anna") { try mine.perform(prove(vault, 2)) }
        #expect(read(vault, mine)?.reason == .presenceRequired)
        try stage.touching("anna") { try mine.perform(prove(vault)) }
        try stage.device.perform(.lock)
        try stage.device.unlock()
        #expect(read(vault, mine)?.reason == .presenceRequired)
        // Another program waits for a finger meanwhile; who hangs up gives the reader back.
        func refusal(_ request: consuming KeychainRequest, _ transport: SocketTransport) -> KeychainError? {
            do { try transport.perform(request) } catch { return error as? KeychainError }
            return nil
        }
        #expect(refusal(prove(vault, 9), mine) != nil, "no such operation")
    }

    @Test func `a wait for a finger ends with a lock, and a touch behind it proves nothing`() throws {
        let stage = try Stage()
        #expect(try stage.add("vault", "biometryAny").code == 0)
        let vault = try stage.reference("vault")
        let mine = try stage.device.connect()
        let done = Flag()
        // One thread at a time: this one locks, and waits for the other.
        nonisolated(unsafe) let transport = mine
        nonisolated(unsafe) var refusal: KeychainError?
        let begin = Date()
        Thread {
            do { try transport.perform(self.prove(vault)) } catch { refusal = error as? KeychainError }
            done.set()
        }.start()
        usleep(500_000)
        #expect(try stage.device.run("lock").code == 0)
        for _ in 0..<500 where !done.isSet { usleep(10_000) }
        #expect(done.isSet && refusal?.reason == .locked, "\(String(describing: refusal))")
        #expect(Date().timeIntervalSince(begin) < 5)
        try stage.device.unlock()
        try? stage.service.reader("SCAN anna", patience: 5)
        #expect(read(vault, mine)?.reason == .presenceRequired)
        #expect(try stage.get("vault", finger: "anna").text == "secret of vault", "the reader is free")
    }

    @Test func `after five other fingers, and after a restart, only the passcode helps`() throws {
        let stage = try Stage()
        #expect(try stage.add("card", "biometryAny").code == 0)
        for _ in 0..<5 { #expect(try stage.get("card", finger: "eve").code == 6) }
        let refused = try stage.get("card", finger: "anna")
        #expect(refused.code == 6 && refused.errors.contains("five fingers in a row"), "\(refused.errors)")
        try stage.device.perform(.lock)
        try stage.device.unlock()
        #expect(try stage.get("card", finger: "anna").text == "secret of card")
        try stage.device.restart()
        #expect(try stage.get("card", finger: "anna").code == 5, "before the first unlock")
        try stage.device.unlock()
        #expect(try stage.get("card", finger: "anna").text == "secret of card")
    }

    @Test func `without a reader, or a finger, it is said which`() throws {
        let service = try FingerprintService()
        let device = try LiveDevice(
            programs: LiveDevice.programs + "/clock",
            environment: ["TRESOR_TEST_BUS": service.address, "TRESOR_TEST_FINGERS": service.state])
        try device.setPasscode()
        let unenrolled = try device.run(
            "keychain", "add", "--service", "a", "--access", "biometryCurrentSet", input: Data("s".utf8))
        #expect(unenrolled.code == 69 && unenrolled.errors.contains("no finger is enrolled"), "\(unenrolled.errors)")
        #expect(
            try device.run("keychain", "add", "--service", "b", "--access", "userPresence", input: Data("s".utf8)).code
                == 0)
        service.stopService()
        // The passcode does as well.
        let read = try device.run("keychain", "get", "--service", "b", "--finger", input: Data("1234\n".utf8))
        #expect(read.text == "s", "\(read.errors)")
    }

    @Test func `a locked note opens by the finger, by no other, and never by the device's passcode`() throws {
        let stage = try Stage()
        let device = stage.device
        let id = try device.newNote("a locked note\n")
        #expect(try device.notes("passphrase", "set", input: "open sesame\nopen sesame\n").code == 0)
        #expect(try device.notes("lock", id, input: "open sesame\n").code == 0)
        #expect(try device.notes("lock-now").code == 0)
        #expect(try device.notes("unlock", "--biometric").code == 3, "nothing is kept yet")
        #expect(try device.notes("passphrase", "remember", input: "wrong\n").code == 6)
        #expect(try device.notes("passphrase", "remember", input: "open sesame\n").code == 0)
        func unlock(_ finger: String) throws -> LiveDevice.Outcome {
            #expect(try device.notes("lock-now").code == 0)
            #expect(try device.notes("show", id).code == 5)
            return try stage.touching(finger) { try device.notes("unlock", "--biometric", input: "1234\n") }
        }
        let opened = try unlock("anna")
        #expect(opened.code == 0, "\(opened.errors)")
        #expect(try device.notes("show", id).text.contains("a locked note"))
        #expect(try unlock("eve").code == 6)
        #expect(try device.notes("show", id).code == 5)
        #expect(try unlock("anna").code == 0)
        // Another finger is enrolled: no finger opens it, and the passphrase does.
        try stage.service.deleteFingers(stage.user)
        try stage.service.enroll(stage.user, "left-index-finger", scan: "bert")
        let dead = try unlock("bert")
        #expect(dead.code == 7 && dead.errors.contains("enrolled no more"), "\(dead.errors)")
        #expect(try device.notes("unlock", input: "open sesame\n").code == 0)
        // A new passphrase is not kept by itself.
        #expect(
            try device.notes("passphrase", "change", input: "open sesame\nnew words\nnew words\n").errors
                .contains("until"))
        #expect(try device.notes("passphrase", "forget").code == 3)
    }

    @Test(.enabled(if: TmuxScreen.isInstalled, "tmux is not installed"), arguments: ["browse", "browse --plain"])
    func `Enter alone at the prompt of locked notes waits for a finger, on the screen and in lines`(
        command: String
    ) throws {
        let stage = try Stage()
        let device = stage.device
        let id = try device.newNote("# A locked note\n\nPIN 4711\n")
        #expect(try device.notes("passphrase", "set", input: "open sesame\nopen sesame\n").code == 0)
        #expect(try device.notes("lock", id, input: "open sesame\n").code == 0)
        #expect(try device.notes("passphrase", "remember", input: "open sesame\n").code == 0)
        #expect(try device.notes("lock-now").code == 0)
        let isPlain = command.hasSuffix("plain")
        let screen = try TmuxScreen(device, command: "notes " + command)
        func askForFinger() throws {
            if isPlain { try screen.type("open 1") }
            try screen.press("Enter")
            #expect(try screen.waits(for: isPlain ? "waits for a finger:" : "Enter alone waits for a finger."))
            try screen.press("Enter")
            #expect(try screen.waits(for: isPlain ? "Touch the fingerprint reader." : "Touch the reader. Esc ends"))
        }
        #expect(try screen.waits(for: isPlain ? "Command" : "This note is locked."))
        try askForFinger()
        #expect(try stage.touching("eve") { try screen.waits(for: "Type the passphrase.") })
        // Out of the prompt, and in again.
        try screen.press(isPlain ? "Enter" : "Escape")
        #expect(try screen.waits(for: "Cancelled.") && !screen.everything().contains("PIN 4711"))
        try askForFinger()
        #expect(try stage.touching("anna") { try screen.waits(for: "PIN 4711") })
    }

    /// In a program of its own: the connection that LocalAuthentication uses is one for each process.
    @Test func `LocalAuthentication tells of fingers, and asks for one`() throws {
        let stage = try Stage()
        let cast = try Cast(stage.device, from: LiveDevice.programs)
        try cast.make("app")
        func told() throws -> [String] { try cast.run("app", "biometry").split(separator: " ").map(String.init) }
        let first = try told()
        #expect(first.count == 3 && first[0] == "1" && first[1] == "0" && first[2].count == 64, "\(first)")
        #expect(try stage.touching("anna") { try cast.run("app", "evaluate") } == "0")
        #expect(try stage.touching("eve") { try cast.run("app", "evaluate") } == "-1")
        try stage.service.enroll(stage.user, "left-index-finger", scan: "bert")
        let second = try told()
        #expect(second[1] == "0" && second[2] != first[2], "\(second)")
        try stage.device.perform(.lock)
        #expect(try told()[1] == "-8", "a finger opens nothing that is shut")
        try stage.device.unlock()
        try stage.service.deleteFingers(stage.user)
        #expect(try told() == ["1", "-7", "none"])
    }
}
