import ArgumentParser
import FoundationEssentials
import Linux
import Localization
import Protection
import Secrets
import Tresor
import Wire

struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: localized("Show lock state, passcode, assurance level, items per class and versions."))

    @Flag(help: ArgumentHelp(localized("As JSON.")))
    var json = false

    func run() async throws {
        let status = try await Keychain().status()
        let home = try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
        let damaged = DataCheckState.load(home)?.damage.count ?? 0
        if json {
            try Output.json(StatusDocument(status, damagedData: damaged))
        } else {
            try Output.words(StatusText.full(status))
            if damaged > 0 {
                try Output.words(localized("data        \(damaged) damaged; 'tresor doctor --data' names them"))
            }
        }
        if let kept = try Doctor.settingsAside() {
            Output.error(
                localized("tresor: settings could not be read, and are the strictest; see \(kept), and remove it then"))
        }
        guard status.damagedItems.isEmpty, status.daemon.rollback == .none, damaged == 0 else {
            throw ArgumentParser.ExitCode(Wire.ExitCode.damaged)
        }
    }
}

/// The status in words.
enum StatusText {
    static func full(_ status: DeviceStatus) -> String {
        let enclave = status.daemon.enclave
        var lines = [
            localized("state       \(status.lockState.words) since \(time(status.daemon.since))"),
            passcode(status),
            localized("assurance   portable: another program of this user is not kept from trying passcodes on a copy"),
            search(enclave),
            localized("enclave     process \(status.daemon.enclaveProcess), \(sandbox(enclave))"),
            localized("daemon      process \(status.daemon.daemonProcess), version \(status.version)"),
            idle(status.daemon.idleLock),
            items(status),
        ]
        if enclave.failures > 0 {
            lines.append(localized("tries       \(enclave.failures) wrong in a row\(wait(enclave.delay))"))
        }
        lines += warnings(status)
        return lines.joined(separator: "\n")
    }

    static func welcome(_ status: DeviceStatus, _ home: Home) -> String {
        let next =
            status.hasPasscode
            ? localized("Next: tresor unlock")
            : localized(
                """
                No passcode is set, as on a new phone: whoever has this account reads everything.
                Next: tresor passcode set
                """)
        return localized(
            """
            tresord (process \(status.daemon.daemonProcess)) and its enclave (process \
            \(status.daemon.enclaveProcess)) run; the device is \(status.lockState.words).
            Store: \(home.database)
            \(next)
                  tresor add mail.example --account anna
                  tresor status
            """)
    }

    private static func passcode(_ status: DeviceStatus) -> String {
        guard status.hasPasscode else { return localized("passcode    none: set one with 'tresor passcode set'") }
        let enclave = status.daemon.enclave
        let (time, rounds) = (enclave.timePerTry.wholeMilliseconds, enclave.logRounds)
        let delays = enclave.settings.delayPolicy.name
        return enclave.settings.erasesAfterTenTries
            ? localized(
                """
                passcode    set; one try costs \(time) ms here (scrypt, N = 2^\(rounds)), delays \(delays), erased \
                after ten
                """)
            : localized(
                "passcode    set; one try costs \(time) ms here (scrypt, N = 2^\(rounds)), delays \(delays)")
    }

    /// What a copy of the disk, root key included, costs whoever searches it on a machine like this one.
    private static func search(_ enclave: DeviceState) -> String {
        guard enclave.timePerTry > .zero else {
            return localized("search      none is needed: without a passcode the disk tells all")
        }
        let seconds = enclave.timePerTry / .seconds(1)
        let examples = [
            (localized("4 digits"), 4, 10), (localized("6 digits"), 6, 10), (localized("8 letters and digits"), 8, 36),
        ]
        let times = examples.map { name, length, alphabet in
            let whole = PasscodeStrength(length: length, alphabet: alphabet).searchSeconds(secondsPerTry: seconds)
            return "\(name) \(PasscodeStrength.words(seconds: whole))"
        }
        return localized("search      a stolen disk's passcode falls within: \(times.joined(separator: ", "))")
    }

    private static func sandbox(_ enclave: DeviceState) -> String {
        let memory =
            enclave.isInSecretMemory
            ? localized("keys in memfd_secret")
            : localized("keys in locked memory (no memfd_secret: root can read them)")
        let files = enclave.landlock > 0 ? "Landlock \(enclave.landlock)" : localized("no Landlock in this kernel")
        return "seccomp, \(files), \(memory)"
    }

    private static func idle(_ time: Duration) -> String {
        time == .zero ? localized("idle lock   off") : localized("idle lock   after \(time.components.seconds) s")
    }

    private static func items(_ status: DeviceStatus) -> String {
        let counts = status.itemsPerClass.sorted { $0.key.rawValue < $1.key.rawValue }
        guard !counts.isEmpty else { return localized("items       none") }
        return localized("items       \(counts.map { "\($0.value) \($0.key.name)" }.joined(separator: ", "))")
    }

    private static func wait(_ delay: Duration) -> String {
        delay == .zero ? "" : localized("; the next try is possible in \(Output.describe(delay))")
    }

    private static func warnings(_ status: DeviceStatus) -> [String] {
        var lines: [String] = []
        if !status.damagedItems.isEmpty {
            lines.append(
                localized("damaged     \(status.damagedItems.count) items cannot be decoded; they are kept:"))
            lines += status.damagedItems.map { "            \($0.kind) \(Hexadecimal.encode($0.bytes))" }
        }
        switch status.daemon.rollback {
        case .none: break
        case .ofEnclave:
            lines.append(
                localized("ROLLBACK    the enclave's state is older than the store: somebody brought back a copy"))
        case .ofStore:
            lines.append(
                localized("ROLLBACK    the store is older than the enclave's state: somebody brought back a copy"))
        case .forged:
            lines.append(
                localized("ROLLBACK    what the store knows of the enclave's state was written by somebody else"))
        }
        if SwapCheck.hasUnencryptedSwap {
            lines.append(localized("warning     swap is not encrypted; other programs' copies may reach it"))
        }
        return lines
    }

    static func time(_ microseconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(microseconds / 1_000_000)).formatted(.iso8601)
    }
}

/// `tresor status --json`.
struct StatusDocument: Encodable {
    let state: String
    let since: String
    let passcodeSet: Bool
    let assurance = "portable"
    let failedTries: UInt32
    let delayMilliseconds: UInt64
    let delayPolicy: String
    let erasesAfterTenTries: Bool
    let minimumPasscodeLength: UInt8
    let idleLockSeconds: UInt32
    let millisecondsPerTry: UInt32
    let memory: String
    let landlock: UInt8
    let generation: UInt64
    let items: [String: UInt64]
    let damagedItems: [String]
    /// What the last look at everything has found.
    let damagedData: Int
    /// Whether what other programs hold may reach a disk in clear.
    let hasUnencryptedSwap = SwapCheck.hasUnencryptedSwap
    let rollback: String?
    let daemonProcess: UInt32
    let enclaveProcess: UInt32
    let version: String

    init(_ status: DeviceStatus, damagedData: Int) {
        self.damagedData = damagedData
        let enclave = status.daemon.enclave
        state = status.lockState.name
        since = StatusText.time(status.daemon.since)
        passcodeSet = status.hasPasscode
        failedTries = enclave.failures
        delayMilliseconds = enclave.delay.wholeMilliseconds
        delayPolicy = enclave.settings.delayPolicy.name
        erasesAfterTenTries = enclave.settings.erasesAfterTenTries
        minimumPasscodeLength = enclave.settings.minimumPasscodeLength
        idleLockSeconds = UInt32(clamping: status.daemon.idleLock.components.seconds)
        millisecondsPerTry = UInt32(clamping: enclave.timePerTry.wholeMilliseconds)
        memory = enclave.isInSecretMemory ? "memfd_secret" : "locked"
        landlock = enclave.landlock
        generation = enclave.generation
        items = Dictionary(uniqueKeysWithValues: status.itemsPerClass.map { ($0.key.name, $0.value) })
        damagedItems = status.damagedItems.map { Hexadecimal.encode($0.bytes) }
        rollback =
            switch status.daemon.rollback {
            case .none: nil
            case .ofEnclave: "enclave"
            case .ofStore: "store"
            case .forged: "forged"
            }
        daemonProcess = status.daemon.daemonProcess
        enclaveProcess = status.daemon.enclaveProcess
        version = status.version
    }
}

/// Whether some other program's copy of a secret may reach a disk in clear.
enum SwapCheck {
    static var hasUnencryptedSwap: Bool {
        guard let bytes = try? FileSystem.read("/proc/swaps") else { return false }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst()
        return lines.contains { line in
            // zram is memory.
            !line.hasPrefix("/dev/zram") && !isEncrypted(line)
        }
    }

    /// Device-mapper tells in its UUID what it maps.
    private static func isEncrypted(_ line: Substring) -> Bool {
        guard let name = line.split(separator: " ").first?.split(separator: "/").last, name.hasPrefix("dm-"),
            let uuid = try? FileSystem.read("/sys/block/\(name)/dm/uuid")
        else { return false }
        return String(decoding: uuid, as: UTF8.self).hasPrefix("CRYPT-")
    }
}
