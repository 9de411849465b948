import Conformance
import Foundation
import Protection
import Secrets
import Testing
import Tresor
import Wire

/// Programs hear of every change of the lock state.
@Suite(.serialized) struct LockStates {
    @Test func `a subscriber hears the state now and every change`() async throws {
        let device = try LiveDevice()
        try device.setPasscode()
        var states = try Keychain.lockStates(of: device.home).makeAsyncIterator()
        #expect(await states.next() == .unlocked)
        try device.perform(.lock)
        #expect(await states.next() == .locked)
        try device.unlock()
        #expect(await states.next() == .unlocked)
        try device.stop()
        #expect(await states.next() == .locked, "it locks before it ends")
        #expect(await states.next() == nil)
    }

    @Test func `a subscriber that goes away keeps no lock from happening`() async throws {
        let device = try LiveDevice()
        do {
            var states = try Keychain.lockStates(of: device.home).makeAsyncIterator()
            #expect(await states.next() == .unlocked)
        }
        try device.setPasscode()
        try device.perform(.lock)
        #expect(try device.status().enclave.lock == .locked)
    }
}
