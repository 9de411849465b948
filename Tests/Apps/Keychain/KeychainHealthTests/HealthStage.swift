import Foundation
import Secrets
import Tresor

@testable import TresorTesting

/// A keychain in memory, and short ways to fill it.
struct HealthStage {
    let device: TestDevice
    let keychain: Keychain

    /// 2026-11-22, when new items are added.
    static let now = Date(timeIntervalSince1970: 1_795_305_600)
    static let day: TimeInterval = 86_400
    /// None that any rule finds weak.
    static let strong = "k7#mPq2vL9wz"

    init() throws {
        device = try TestDevice(now: Self.now)
        keychain = try device.makeKeychain()
    }

    static func secret(_ text: String) throws -> SecretBytes { try secret(Array(text.utf8)) }

    static func secret(_ bytes: [UInt8]) throws -> SecretBytes {
        try bytes.withSpan { (span) throws in try SecretBytes(copying: span) }
    }

    /// A login at a server.
    func login(_ server: String, _ secret: String, account: String = "anna") async throws {
        var attributes = ItemAttributes()
        attributes.server = server
        attributes.account = account
        try await keychain.add(.internetPassword, attributes, secret: Self.secret(secret))
    }

    /// A password for a service.
    func password(
        _ service: String, _ secret: String = "abc", _ change: (inout ItemAttributes) -> Void = { _ in }
    ) async throws {
        var attributes = ItemAttributes()
        attributes.service = service
        change(&attributes)
        try await keychain.add(.password, attributes, secret: Self.secret(secret))
    }

    /// A certificate of an item's own serial number, which ends at the beginning of 2030 UTC.
    func certificate(_ number: UInt8, _ bytes: [UInt8]? = nil) async throws {
        var attributes = ItemAttributes()
        attributes.serialNumber = [number]
        attributes.label = "certificate \(number)"
        try await keychain.add(.certificate, attributes, secret: Self.secret(bytes ?? Self.selfSigned))
    }

    static let certificateEnd = Date(timeIntervalSince1970: 1_893_456_000)

    /// Of health.example, made for these tests.
    private static let selfSigned = Array(
        Data(
            base64Encoded:
                "MIIBHTCBxaADAgECAgFNMAoGCCqGSM49BAMCMBkxFzAVBgNVBAMMDmhlYWx0aC5leGFtcGxlMB4XDTIwMDEwMTAwMDAwMFoXDTMw"
                + "MDEwMTAwMDAwMFowGTEXMBUGA1UEAwwOaGVhbHRoLmV4YW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASUQ6W7kjLZL9C2"
                + "+OiUXE2JIqUaSBGy4qgSkaL/MuWFO8tB4Q/zTawn0G9Jo4cmpLWfTPYfApylEOIiSB9SF/CpMAoGCCqGSM49BAMCA0cAMEQCIARv"
                + "K07NXVyIloUCUvuRAODnAr88lt+CAUA14AmROr+fAiAUv24r9Z3hTt260HFHXcxFcmTyH6ecKSotHdc4W5c6RA==") ?? Data())
}
