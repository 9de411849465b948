import Foundation
import Testing

/// The one promise of a copy that takes as long as it says; beside the others, so that nobody waits for it.
@Suite struct ClipboardTimeStory {
    @Test func `a secret stays on the clipboard for its time, and no longer`() throws {
        let device = try LiveDevice()
        let desktop = try FakeDesktop(device)
        #expect(try device.run(["add", "mail"], input: Data("the secret".utf8)).code == 0)
        #expect(try device.run(["copy", "mail"], environment: desktop.environment).code == 0)
        #expect(desktop.waits { desktop.text == "the secret" })
        sleep(20)
        #expect(desktop.text == "the secret")
        // Thirty seconds in all; a busy machine may take a while for it.
        for _ in 0..<250 where desktop.text != "" { usleep(100_000) }
        #expect(desktop.text == "")
    }
}
