import TresorCoreFoundation
import Foundation
import TresorSecurity
import Synchronization
import Testing
import Tresor
import Wire

@testable import TresorTesting

/// Breaks under every request.
private final class BrokenTransport: Transport {
    func exchange(_ request: consuming KeychainRequest, _ receive: (RawSpan) throws -> Void) throws {
        throw TresorError(.unavailable, "gone")
    }
}

extension AppleAPI {
    @Suite struct Connections {
        private let query: CFDictionary = [kSecClass: kSecClassGenericPassword] as [CFString: Any] as CFDictionary

        @Test func `where no daemon runs, the keychain is not available`() {
            SharedTransport.process.use(
                SharedTransport.Source {
                    try SocketTransport(Home(environment: { $0 == "TRESOR_HOME" ? "/nonexistent" : nil }, user: 0))
                })
            #expect(SecItemCopyMatching(query, nil) == errSecNotAvailable)
        }

        @Test func `after a connection that broke comes a new one`() throws {
            let device = try TestDevice()
            let count = Mutex(0)
            let transport = device.transport
            SharedTransport.process.use(
                SharedTransport.Source {
                    let number = count.withLock {
                        $0 += 1
                        return $0
                    }
                    return number == 1 ? BrokenTransport() : transport
                })
            #expect(SecItemCopyMatching(query, nil) == errSecNotAvailable)
            #expect(SecItemCopyMatching(query, nil) == errSecItemNotFound)
            #expect(SecItemCopyMatching(query, nil) == errSecItemNotFound)
            #expect(count.withLock { $0 } == 2)
        }
    }
}
