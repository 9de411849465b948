import CFido
import Linux
import Secrets

/// A key opened by libfido2: the one file here that handles pointers.
@safe struct FidoSession: ~Copyable {
    private static let openingMilliseconds: Int32 = 5000
    private let device: OpaquePointer
    /// Open for as long as the library reads and writes it.
    private let reports: FileDescriptor?

    init(path: String) throws(SecurityKeyError) {
        reports = nil
        unsafe device = try Self.open(path, through: nil)
    }

    init(reports: consuming FileDescriptor) throws(SecurityKeyError) {
        var functions = ReportStream.functions
        unsafe device = try Self.open(ReportStream.name(of: reports), through: &functions)
        self.reports = consume reports
    }

    deinit {
        var device: OpaquePointer? = unsafe device
        unsafe fido_dev_close(device)
        unsafe fido_dev_free(&device)
    }

    private static func open(
        _ path: String, through functions: UnsafeMutablePointer<fido_dev_io_t>?
    ) throws(SecurityKeyError) -> OpaquePointer {
        // Per thread. U2F, the older protocol, has no hmac-secret.
        fido_init(FIDO_DISABLE_U2F_FALLBACK)
        var made = unsafe fido_dev_new()
        guard let device = unsafe made else { throw .failed }
        var result = FIDO_OK
        if let functions = unsafe functions { result = unsafe fido_dev_set_io_functions(device, functions) }
        if result == FIDO_OK { result = unsafe fido_dev_set_timeout(device, openingMilliseconds) }
        if result == FIDO_OK { result = unsafe fido_dev_open(device, path) }
        guard result == FIDO_OK else {
            unsafe fido_dev_free(&made)
            throw result == FIDO_ERR_INTERNAL || result == FIDO_ERR_INVALID_ARGUMENT ? .noDevice : error(result)
        }
        guard unsafe fido_dev_is_fido2(device) else {
            unsafe fido_dev_close(device)
            unsafe fido_dev_free(&made)
            throw .unsupported
        }
        return unsafe device
    }

    static func devices() throws(SecurityKeyError) -> [SecurityKeyDevice] {
        let room = 16
        var list = unsafe fido_dev_info_new(room)
        guard unsafe list != nil else { throw .failed }
        defer { unsafe fido_dev_info_free(&list, room) }
        var found = 0
        guard unsafe fido_dev_info_manifest(list, room, &found) == FIDO_OK else { throw .failed }
        return (0..<min(found, room)).compactMap { index in
            let entry = unsafe fido_dev_info_ptr(list, index)
            guard let path = unsafe fido_dev_info_path(entry) else { return nil }
            return unsafe SecurityKeyDevice(
                path: String(cString: path), manufacturer: text(fido_dev_info_manufacturer_string(entry)),
                product: text(fido_dev_info_product_string(entry)))
        }
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
        guard let pointer = unsafe pointer else { return "" }
        return unsafe String(cString: pointer)
    }

    func abilities() throws(SecurityKeyError) -> SecurityKeyAbilities {
        var info = unsafe fido_cbor_info_new()
        guard unsafe info != nil else { throw .failed }
        defer { unsafe fido_cbor_info_free(&info) }
        try Self.check(unsafe fido_dev_get_cbor_info(device, info))
        let count = unsafe fido_cbor_info_extensions_len(info)
        let names = unsafe fido_cbor_info_extensions_ptr(info)
        let hasSecrets = (0..<count).contains { index in
            unsafe Self.text(names?[index].map { unsafe UnsafePointer($0) }) == "hmac-secret"
        }
        return unsafe SecurityKeyAbilities(
            derivesSecrets: hasSecrets, hasPIN: fido_dev_has_pin(device), hasSensor: fido_dev_has_uv(device))
    }

    func remainingPINTries() throws(SecurityKeyError) -> Int {
        var tries: Int32 = 0
        try Self.check(unsafe fido_dev_get_retry_count(device, &tries))
        return Int(tries)
    }

    func makeCredential(
        _ means: VerificationMeans, pin: borrowing SecretBytes?, milliseconds: Int32
    ) throws(SecurityKeyError) -> SecurityKeyCredential {
        var made = unsafe fido_cred_new()
        guard let credential = unsafe made else { throw .failed }
        defer { unsafe fido_cred_free(&made) }
        let (challenge, user) = (SystemRandom.makeBytes(count: 32), SystemRandom.makeBytes(count: 32))
        try Self.check(unsafe fido_cred_set_type(credential, COSE_ES256))
        try Self.check(unsafe fido_cred_set_clientdata_hash(credential, challenge, challenge.count))
        try Self.check(unsafe fido_cred_set_rp(credential, SecurityKey.relyingParty, "Tresor"))
        try Self.check(unsafe fido_cred_set_user(credential, user, user.count, "tresor", "Tresor", nil))
        try Self.check(unsafe fido_cred_set_extensions(credential, FIDO_EXT_HMAC_SECRET))
        if means == .sensor { try Self.check(unsafe fido_cred_set_uv(credential, FIDO_OPT_TRUE)) }
        try unsafe ask(pin, means, milliseconds) { unsafe fido_dev_make_cred($0, credential, $1) }
        try Self.checkFlags(unsafe fido_cred_flags(credential), means)
        let id = unsafe Self.bytes(fido_cred_id_ptr(credential), fido_cred_id_len(credential))
        let key = unsafe Self.bytes(fido_cred_pubkey_ptr(credential), fido_cred_pubkey_len(credential))
        guard unsafe fido_cred_type(credential) == COSE_ES256,
            let result = SecurityKeyCredential(id: id, publicKey: key, demandsVerification: means != .touch)
        else { throw .untrustworthy }
        return result
    }

    func deriveSecret(
        of credential: SecurityKeyCredential, _ salt: SecuritySalt, _ means: VerificationMeans,
        pin: borrowing SecretBytes?, milliseconds: Int32
    ) throws(SecurityKeyError) -> SecretBytes {
        var made = try unsafe Self.makeAssertion(of: credential, wantsTouch: true)
        guard let assertion = unsafe made else { throw .failed }
        // Wipes the secret in the library's memory.
        defer { unsafe fido_assert_free(&made) }
        try Self.check(unsafe fido_assert_set_extensions(assertion, FIDO_EXT_HMAC_SECRET))
        try Self.check(unsafe fido_assert_set_hmac_salt(assertion, salt.bytes, salt.bytes.count))
        if means == .sensor { try Self.check(unsafe fido_assert_set_uv(assertion, FIDO_OPT_TRUE)) }
        try unsafe ask(pin, means, milliseconds) { unsafe fido_dev_get_assert($0, assertion, $1) }
        guard unsafe fido_assert_count(assertion) == 1 else { throw .untrustworthy }
        try unsafe Self.checkSignature(assertion, credential.publicKey)
        try Self.checkFlags(unsafe fido_assert_flags(assertion, 0), means)
        guard unsafe fido_assert_hmac_secret_len(assertion, 0) == 32,
            let secret = unsafe fido_assert_hmac_secret_ptr(assertion, 0)
        else { throw .untrustworthy }
        do {
            return try unsafe SecretBytes(copying: UnsafeRawBufferPointer(start: secret, count: 32).bytes)
        } catch { throw .outOfLockedMemory }
    }

    /// Asks for the credential without a touch and without its secret.
    func find(_ credential: SecurityKeyCredential, milliseconds: Int32) throws(SecurityKeyError) {
        var made = try unsafe Self.makeAssertion(of: credential, wantsTouch: false)
        guard let assertion = unsafe made else { throw .failed }
        defer { unsafe fido_assert_free(&made) }
        let none: SecretBytes? = nil
        try unsafe ask(none, .touch, milliseconds) { unsafe fido_dev_get_assert($0, assertion, $1) }
    }

    private static func makeAssertion(
        of credential: SecurityKeyCredential, wantsTouch: Bool
    ) throws(SecurityKeyError) -> OpaquePointer? {
        var assertion = unsafe fido_assert_new()
        let challenge = SystemRandom.makeBytes(count: 32)
        let touch = wantsTouch ? FIDO_OPT_TRUE : FIDO_OPT_FALSE
        guard unsafe fido_assert_set_rp(assertion, SecurityKey.relyingParty) == FIDO_OK,
            unsafe fido_assert_set_clientdata_hash(assertion, challenge, challenge.count) == FIDO_OK,
            unsafe fido_assert_allow_cred(assertion, credential.id, credential.id.count) == FIDO_OK,
            unsafe fido_assert_set_up(assertion, touch) == FIDO_OK
        else {
            unsafe fido_assert_free(&assertion)
            throw .failed
        }
        return unsafe assertion
    }

    /// Over this request's random challenge, our name and the key's flags.
    private static func checkSignature(_ assertion: OpaquePointer, _ publicKey: [UInt8]) throws(SecurityKeyError) {
        var key = unsafe es256_pk_new()
        defer { unsafe es256_pk_free(&key) }
        guard let known = unsafe key, unsafe es256_pk_from_ptr(known, publicKey, publicKey.count) == FIDO_OK,
            unsafe fido_assert_verify(assertion, 0, COSE_ES256, UnsafeRawPointer(known)) == FIDO_OK
        else { throw .untrustworthy }
    }

    private static func checkFlags(_ flags: UInt8, _ means: VerificationMeans) throws(SecurityKeyError) {
        let needed = CTAP_AUTHDATA_USER_PRESENT | (means == .touch ? 0 : CTAP_AUTHDATA_USER_VERIFIED)
        guard Int32(flags) & needed == needed else { throw .untrustworthy }
    }

    private static func bytes(_ pointer: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
        guard let pointer = unsafe pointer, count <= 1 << 16 else { return [] }
        return unsafe Array(UnsafeBufferPointer(start: pointer, count: count))
    }

    /// Makes a request that waits for a touch, with the PIN if that is how the owner is recognised.
    private func ask(
        _ pin: borrowing SecretBytes?, _ means: VerificationMeans, _ milliseconds: Int32,
        _ request: (OpaquePointer, UnsafePointer<CChar>?) -> Int32
    ) throws(SecurityKeyError) {
        fido_init(FIDO_DISABLE_U2F_FALLBACK)
        try Self.check(unsafe fido_dev_set_timeout(device, milliseconds))
        let start = SystemClock.bootMilliseconds()
        let result = try unsafe means == .pin ? withPIN(pin, request) : request(device, nil)
        // The library says that reading failed, whether the key is gone or the time is over.
        if result == FIDO_ERR_RX && SystemClock.bootMilliseconds() - start >= UInt64(max(milliseconds, 0)) {
            _ = unsafe fido_dev_cancel(device)
            throw .timedOut
        }
        try Self.check(result)
    }

    /// Lends the PIN as the library wants it, with a zero byte at its end.
    private func withPIN(
        _ pin: borrowing SecretBytes?, _ request: (OpaquePointer, UnsafePointer<CChar>?) -> Int32
    ) throws(SecurityKeyError) -> Int32 {
        switch pin {
        case nil: throw .pinRequired
        case .some(let pin):
            // CTAP 2.1, section 6.5.1.
            guard (4...63).contains(pin.count) else { throw .pinUnusable }
            let hasZero = pin.withBytes { unsafe $0.withUnsafeBytes { unsafe $0.contains(0) } }
            if hasZero { throw .pinUnusable }
            let terminated = try Self.terminated(pin)
            return terminated.withBytes { bytes in
                unsafe bytes.withUnsafeBytes { unsafe request(device, $0.bindMemory(to: CChar.self).baseAddress) }
            }
        }
    }

    private static func terminated(_ pin: borrowing SecretBytes) throws(SecurityKeyError) -> SecretBuffer {
        do throws(SecretMemoryError) {
            var buffer = try SecretBuffer(capacity: pin.count + 1)
            try buffer.append(pin)
            try buffer.append(byte: 0)
            return buffer
        } catch { throw .outOfLockedMemory }
    }

    private static func check(_ result: Int32) throws(SecurityKeyError) {
        guard result == FIDO_OK else { throw error(result) }
    }

    private static func error(_ result: Int32) -> SecurityKeyError {
        switch result {
        case FIDO_ERR_TX, FIDO_ERR_RX: .noDevice
        case FIDO_ERR_TIMEOUT, FIDO_ERR_USER_ACTION_TIMEOUT, FIDO_ERR_ACTION_TIMEOUT: .timedOut
        case FIDO_ERR_OPERATION_DENIED, FIDO_ERR_UP_REQUIRED, FIDO_ERR_KEEPALIVE_CANCEL, FIDO_ERR_NOT_ALLOWED: .refused
        case FIDO_ERR_PIN_REQUIRED: .pinRequired
        case FIDO_ERR_PIN_POLICY_VIOLATION: .pinUnusable
        case FIDO_ERR_PIN_NOT_SET: .pinNotSet
        case FIDO_ERR_PIN_INVALID: .pinWrong
        case FIDO_ERR_PIN_AUTH_BLOCKED: .pinPaused
        case FIDO_ERR_PIN_BLOCKED: .pinBlocked
        case FIDO_ERR_UV_BLOCKED, FIDO_ERR_UV_INVALID: .notVerified
        case FIDO_ERR_NO_CREDENTIALS, FIDO_ERR_INVALID_CREDENTIAL: .otherKey
        case FIDO_ERR_UNSUPPORTED_EXTENSION, FIDO_ERR_UNSUPPORTED_ALGORITHM, FIDO_ERR_UNSUPPORTED_OPTION: .unsupported
        default: .failed
        }
    }
}

/// HID reports over a descriptor, as the four functions that libfido2 asks for (fido_dev_set_io_functions(3)).
///
/// They get no context but the path that the library was told to open: it names the descriptor.
private enum ReportStream {
    static func name(of descriptor: borrowing FileDescriptor) -> String { "descriptor:\(descriptor.raw)" }

    static var functions: fido_dev_io_t {
        unsafe fido_dev_io_t(
            open: { path in
                guard let path = unsafe path, let number = unsafe Int(String(cString: path).dropFirst(11)) else {
                    return nil
                }
                return unsafe UnsafeMutableRawPointer(bitPattern: number + 1)
            },
            close: { _ in },
            read: { handle, bytes, count, milliseconds in
                guard let raw = unsafe ReportStream.number(handle), let bytes = unsafe bytes,
                    let report = ReportStream.read(
                        raw, count: count, milliseconds: milliseconds < 0 ? nil : UInt64(milliseconds))
                else { return -1 }
                for (index, byte) in report.enumerated() { unsafe bytes[index] = byte }
                return Int32(report.count)
            },
            write: { handle, bytes, count in
                guard let raw = unsafe ReportStream.number(handle), let bytes = unsafe bytes else { return -1 }
                let descriptor = FileDescriptor(owning: raw)
                let isWritten = unsafe try? descriptor.writeAll(
                    UnsafeRawBufferPointer(start: bytes, count: count).bytes)
                _ = descriptor.release()
                return isWritten == true ? Int32(count) : -1
            })
    }

    private static func number(_ handle: UnsafeMutableRawPointer?) -> Int32? {
        unsafe handle.map { Int32(truncatingIfNeeded: Int(bitPattern: $0) - 1) }
    }

    /// A whole report; nil when the time is over or the other end is gone.
    ///
    /// - Parameter milliseconds: nil for as long as it takes.
    private static func read(_ raw: Int32, count: Int, milliseconds: UInt64?) -> [UInt8]? {
        let descriptor = FileDescriptor(owning: raw)
        let report = read(descriptor, count: count, milliseconds: milliseconds)
        _ = descriptor.release()
        return report
    }

    private static func read(
        _ descriptor: borrowing FileDescriptor, count: Int, milliseconds: UInt64?
    ) -> [UInt8]? {
        let deadline = milliseconds.map { SystemClock.bootMilliseconds() + $0 }
        var report: [UInt8] = []
        while report.count < count {
            let now = SystemClock.bootMilliseconds()
            if let deadline, now >= deadline { return nil }
            switch try? Poll.wait(untilReadable: descriptor.raw, milliseconds: deadline.map { Int($0 - now) }) {
            case .ready?: break
            case .timedOut?, .interrupted?: continue
            case nil: return nil
            }
            guard case .moved? = try? descriptor.read(into: &report, room: count - report.count) else { return nil }
        }
        return report
    }
}
