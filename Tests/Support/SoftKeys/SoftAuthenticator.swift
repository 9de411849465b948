import Crypto
import Foundation
import Linux
import Synchronization

/// A security key in the test's process: CTAP2 with `hmac-secret`, on one end of a socket.
///
/// It does the cryptography as CTAP 2.1 has it, on its own keys; libfido2, on the other end, can't tell it from one
/// that is plugged in.
final class SoftAuthenticator: Sendable {
    /// What happens when it waits for a touch.
    enum Touch { case given, declined, missing }

    /// How it breaks the rules.
    enum Flaw { case none, noPresenceFlag, noVerificationFlag, foreignSignature, replay }

    struct Credential {
        let signing = P256.Signing.PrivateKey()
        let party: String
        let withoutVerification = SymmetricKey(size: .bits256)
        let withVerification = SymmetricKey(size: .bits256)
    }

    struct State {
        var pin: String?
        var hasSensor = false
        /// Whether the sensor knows the finger.
        var recognizes = true
        var protocols: [Int64] = [2, 1]
        var extensions = ["hmac-secret"]
        var touch = Touch.given
        var flaw = Flaw.none
        var touches = 0
        var tries: Int64 = 8
        /// Wrong PINs since it was plugged in.
        var wrongPINs = 0
        var credentials: [[UInt8]: Credential] = [:]
        var agreement = P256.KeyAgreement.PrivateKey()
        var token = (0..<32).map { _ in UInt8.random(in: 0...255) }
        var lastAssertion: [UInt8]?
        var counter: UInt32 = 0
    }

    let state: Mutex<State>

    init(_ change: (inout State) -> Void = { _ in }) {
        var state = State()
        change(&state)
        self.state = Mutex(state)
    }

    func change(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    /// Plugs it in.
    ///
    /// - Returns: the platform's end. The key answers for as long as that is open.
    func plugIn() throws -> FileDescriptor {
        let (near, far) = try UnixSocket.makePair()
        change {
            $0.wrongPINs = 0
            $0.agreement = P256.KeyAgreement.PrivateKey()
        }
        let thread = Thread { [self] in serve(HIDChannel(FileDescriptor(owning: far))) }
        thread.start()
        return FileDescriptor(owning: near)
    }

    private func serve(_ channel: consuming HIDChannel) {
        while let message = channel.receive() {
            switch message.command {
            case HIDChannel.initialize:
                // Channel 1, CTAPHID 2, capabilities: CBOR, and no U2F messages.
                let body = message.body + [0, 0, 0, 1, 2, 1, 0, 0, 0x0c]
                channel.send(HIDChannel.Message(channel: message.channel, command: message.command, body: body))
            case HIDChannel.cbor:
                let keepAlive = HIDChannel.Message(channel: message.channel, command: HIDChannel.keepAlive, body: [2])
                channel.send(keepAlive)
                guard let answer = state.withLock({ $0.answer(message.body) }) else { continue }
                channel.send(HIDChannel.Message(channel: message.channel, command: message.command, body: answer))
            case HIDChannel.cancel: continue
            default:
                channel.send(HIDChannel.Message(channel: message.channel, command: HIDChannel.error, body: [1]))
            }
        }
    }
}

/// A status of CTAP 2.1, section 8.2.
struct CTAPStatus: Error {
    let code: UInt8

    static let invalidCBOR = CTAPStatus(code: 0x12)
    static let missingParameter = CTAPStatus(code: 0x14)
    static let unsupportedAlgorithm = CTAPStatus(code: 0x26)
    static let denied = CTAPStatus(code: 0x27)
    static let noCredentials = CTAPStatus(code: 0x2e)
    static let pinInvalid = CTAPStatus(code: 0x31)
    static let pinBlocked = CTAPStatus(code: 0x32)
    static let pinAuthInvalid = CTAPStatus(code: 0x33)
    static let pinAuthBlocked = CTAPStatus(code: 0x34)
    static let pinRequired = CTAPStatus(code: 0x36)
    static let uvInvalid = CTAPStatus(code: 0x3f)
}

/// It waits for a touch that never comes.
struct NeverTouched: Error {}
