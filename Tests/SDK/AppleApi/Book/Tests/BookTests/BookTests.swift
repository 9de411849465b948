import Foundation
import PhotoDiary
import Security
import Testing
import TresorTesting

/// The program's part that keeps a password, on a device in memory that is the keychain of this process.
@Suite(.serialized) struct BookTests {
    let device: TestDevice
    let password = ServicePassword(service: "Foo Services Ltd.", account: "PhotoDiaryUser", label: "PhotoDiary")

    init() throws {
        device = try TestDevice()
        device.serveProcess()
    }

    @Test func `a password is added, then replaced, and read back under its label`() {
        #expect(password.read().status == errSecItemNotFound)
        for text in ["first", "second"] {
            #expect(password.store(Data(text.utf8)) == errSecSuccess)
            let found = password.read()
            #expect(found.password == Data(text.utf8) && found.label == "PhotoDiary")
        }
        #expect(password.remove() == errSecSuccess)
        #expect(password.read().status == errSecItemNotFound)
    }

    @Test func `a locked device says so, and one that is unlocked gives the password`() throws {
        #expect(password.store(Data("kept".utf8)) == errSecSuccess)
        try device.setPasscode("1234")
        try device.lock()
        #expect(password.read().status == errSecInteractionNotAllowed)
        try device.unlock("1234")
        #expect(password.read().password == Data("kept".utf8))
    }
}
