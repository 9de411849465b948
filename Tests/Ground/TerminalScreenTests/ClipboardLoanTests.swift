import Foundation
import Linux
import Secrets
import Testing

@testable import TerminalScreen

/// Programs that play the desktop's, badly.
@Suite final class ClipboardLoanTests {
    private let folder = NSTemporaryDirectory() + "clipboard-loan-" + UUID().uuidString

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func clipboard(_ script: String) throws -> DesktopClipboard {
        let path = folder + "/program"
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return DesktopClipboard(program: .xclip, path: path, readerPath: nil)
    }

    private func secret(_ count: Int) throws -> SecretBytes {
        try Array(repeating: UInt8(ascii: "x"), count: count).withSpan { try SecretBytes(copying: $0) }
    }

    @Test
    func `a program that never reads a long secret is given up and ended, and the secret is not said to be copied`()
        throws
    {
        let clipboard = try clipboard("echo $$ > '\(folder)/id'; exec sleep 60")
        let secret = try secret(300_000)
        #expect(throws: LinuxError.self) { _ = try clipboard.lend(secret) }
        let id = try String(contentsOfFile: folder + "/id", encoding: .utf8).trimmingCharacters(in: .newlines)
        let comm = try? String(contentsOfFile: "/proc/\(id)/comm", encoding: .utf8)
        let status = (try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)) ?? ""
        #expect(comm == nil || status.contains(") Z "), "\(status)")
    }

    @Test func `one that reads slowly gets all of it`() throws {
        let clipboard = try clipboard("sleep 0.3; cat > '\(folder)/text'; exec sleep 60")
        let secret = try secret(300_000)
        let loan = try clipboard.lend(secret)
        defer { loan.endBehindAnother() }
        func count() -> Int { FileManager.default.contents(atPath: folder + "/text")?.count ?? 0 }
        for _ in 0..<500 where count() < 300_000 { usleep(20_000) }
        #expect(count() == 300_000)
    }
}
