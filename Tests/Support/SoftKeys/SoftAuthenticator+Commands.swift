import Crypto
import Foundation

extension Optional {
    func orMissing() throws -> Wrapped {
        guard let self else { throw CTAPStatus.missingParameter }
        return self
    }
}

extension SoftAuthenticator.State {
    private static let model = [UInt8]("soft-for-testing".utf8)

    /// Status and body; nil when it stays silent.
    mutating func answer(_ request: [UInt8]) -> [UInt8]? {
        do {
            let body = request.count > 1 ? try CBOR(Array(request.dropFirst())) : .map([])
            switch request.first {
            case 0x01: return [0] + (try makeCredential(body)).encoded
            case 0x02: return [0] + (try assertion(body))
            case 0x04: return [0] + info.encoded
            case 0x06: return [0] + (try clientPIN(body)).encoded
            default: return [0x01]
            }
        } catch is NeverTouched {
            return nil
        } catch let status as CTAPStatus {
            return [status.code]
        } catch { return [CTAPStatus.invalidCBOR.code] }
    }

    private var info: CBOR {
        var options = [CBOR.Entry(key: .text("rk"), value: .flag(false)), .init(key: .text("up"), value: .flag(true))]
        if hasSensor { options.append(.init(key: .text("uv"), value: .flag(true))) }
        options.append(.init(key: .text("clientPin"), value: .flag(pin != nil)))
        return .fields([
            1: .array([.text("FIDO_2_0")]), 2: .array(extensions.map(CBOR.text)), 3: .bytes(Self.model),
            4: .map(options), 5: .number(1200), 6: .array(protocols.map(CBOR.number)),
        ])
    }

    private mutating func makeCredential(_ request: CBOR) throws -> CBOR {
        let challenge = try request[1]?.bytes.orMissing() ?? []
        let party = try (request[2]?["id"]?.text).orMissing()
        let algorithms = try (request[4]?.array).orMissing()
        guard algorithms.contains(where: { $0["alg"] == .number(-7) }) else { throw CTAPStatus.unsupportedAlgorithm }
        let isVerified = try verify(request[7], request[8], request[9], challenge)
        if pin != nil && !isVerified { throw CTAPStatus.pinRequired }
        try wait()
        let credential = SoftAuthenticator.Credential(party: party)
        let id = (0..<48).map { _ in UInt8.random(in: 0...255) }
        credentials[id] = credential
        let point = Array(credential.signing.publicKey.rawRepresentation)
        var data = header(party, 0x41 | (isVerified ? 0x04 : 0) | (request[6] == nil ? 0 : 0x80))
        data +=
            Self.model + [UInt8(id.count >> 8), UInt8(id.count & 255)] + id + Self.key(point, algorithm: -7).encoded
        if request[6]?["hmac-secret"] == .flag(true) { data += CBOR.named(["hmac-secret": .flag(true)]).encoded }
        let signature = try credential.signing.signature(for: data + challenge)
        return .fields([
            1: .text("packed"), 2: .bytes(data),
            3: .named(["alg": .number(-7), "sig": .bytes(Array(signature.derRepresentation))]),
        ])
    }

    private mutating func assertion(_ request: CBOR) throws -> [UInt8] {
        let party = try (request[1]?.text).orMissing()
        let challenge = try (request[2]?.bytes).orMissing()
        let isVerified = try verify(request[5], request[6], request[7], challenge)
        let wantsTouch = request[5]?["up"]?.flag ?? true
        if wantsTouch { try wait() }
        let id = request[3]?.array?.compactMap { $0["id"]?.bytes }.first { credentials[$0]?.party == party }
        guard let id, let credential = credentials[id] else { throw CTAPStatus.noCredentials }
        if flaw == .replay, let lastAssertion { return lastAssertion }
        let showsTouch = wantsTouch && flaw != .noPresenceFlag
        let showsOwner = isVerified && flaw != .noVerificationFlag
        var data = header(party, (showsTouch ? 0x01 : 0) | (showsOwner ? 0x04 : 0) | (request[4] == nil ? 0 : 0x80))
        if let asked = request[4]?["hmac-secret"] {
            let key = isVerified ? credential.withVerification : credential.withoutVerification
            data += CBOR.named(["hmac-secret": .bytes(try secret(asked, key))]).encoded
        }
        let signing = flaw == .foreignSignature ? P256.Signing.PrivateKey() : credential.signing
        let signature = try signing.signature(for: data + challenge)
        let answer = CBOR.fields([
            1: .named(["id": .bytes(id), "type": .text("public-key")]), 2: .bytes(data),
            3: .bytes(Array(signature.derRepresentation)),
        ]).encoded
        lastAssertion = answer
        return answer
    }

    /// CTAP 2.1, section 12.5: HMAC-SHA-256 of the salt under the credential's random key.
    private func secret(_ asked: CBOR, _ key: SymmetricKey) throws -> [UInt8] {
        let shared = try agree(asked[1], version: asked[4]?.number ?? 1)
        let sealed = try (asked[2]?.bytes).orMissing()
        guard shared.authenticates(sealed, try (asked[3]?.bytes).orMissing()) else { throw CTAPStatus.pinAuthInvalid }
        let salt = try shared.decrypt(sealed)
        guard salt.count == 32 else { throw CTAPStatus.missingParameter }
        return try shared.encrypt(Array(HMAC<SHA256>.authenticationCode(for: salt, using: key)))
    }

    private mutating func clientPIN(_ request: CBOR) throws -> CBOR {
        switch request[2] {
        case .number(1): return .fields([3: .number(tries)])
        case .number(2):
            return .fields([1: Self.key(Array(agreement.publicKey.rawRepresentation), algorithm: -25)])
        case .number(5):
            let shared = try agree(request[3], version: try (request[1]?.number).orMissing())
            try check(try shared.decrypt(try (request[6]?.bytes).orMissing()))
            return .fields([2: .bytes(try shared.encrypt(token))])
        default: throw CTAPStatus.missingParameter
        }
    }

    /// CTAP 2.1, section 6.5.5.7.1: the try is counted before the PIN is looked at.
    private mutating func check(_ hash: [UInt8]) throws {
        guard tries > 0 else { throw CTAPStatus.pinBlocked }
        guard wrongPINs < 3 else { throw CTAPStatus.pinAuthBlocked }
        tries -= 1
        guard let pin, hash == Array(SHA256.hash(data: Array(pin.utf8)).prefix(16)) else {
            wrongPINs += 1
            agreement = P256.KeyAgreement.PrivateKey()
            throw tries == 0 ? CTAPStatus.pinBlocked : wrongPINs == 3 ? .pinAuthBlocked : .pinInvalid
        }
        (tries, wrongPINs) = (8, 0)
    }

    /// Whether the owner was recognised, by the PIN's token or by the sensor.
    private func verify(_ options: CBOR?, _ tag: CBOR?, _ version: CBOR?, _ challenge: [UInt8]) throws -> Bool {
        if let tag = tag?.bytes {
            let expected = SharedSecret.tag(version?.number ?? 1, SymmetricKey(data: token), challenge)
            guard tag == expected else { throw CTAPStatus.pinAuthInvalid }
            return true
        }
        guard options?["uv"] == .flag(true) else { return false }
        guard hasSensor, recognizes else { throw CTAPStatus.uvInvalid }
        return true
    }

    private mutating func wait() throws {
        switch touch {
        case .given: touches += 1
        case .declined: throw CTAPStatus.denied
        case .missing: throw NeverTouched()
        }
    }

    private func agree(_ key: CBOR?, version: Int64) throws -> SharedSecret {
        let (x, y) = (try (key?[-2]?.bytes).orMissing(), try (key?[-3]?.bytes).orMissing())
        let theirs = try P256.KeyAgreement.PublicKey(rawRepresentation: x + y)
        let z = try agreement.sharedSecretFromKeyAgreement(with: theirs).withUnsafeBytes { Array($0) }
        return try SharedSecret(version: version, z: z).orMissing()
    }

    private mutating func header(_ party: String, _ flags: UInt8) -> [UInt8] {
        counter += 1
        return Array(SHA256.hash(data: Array(party.utf8))) + [flags]
            + (0..<4).reversed().map { UInt8(truncatingIfNeeded: counter >> ($0 * 8)) }
    }

    private static func key(_ point: [UInt8], algorithm: Int64) -> CBOR {
        .fields([
            1: .number(2), 3: .number(algorithm), -1: .number(1), -2: .bytes(Array(point.prefix(32))),
            -3: .bytes(Array(point.suffix(32))),
        ])
    }
}
