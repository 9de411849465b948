import Checkout
import Foundation
import Testing

/// nm of binutils, and the programs that it reads.
private enum SymbolTool {
    static let path = "/usr/bin/nm"

    static var canRead: Bool {
        ([path] + ["tresor-enclave", "tresord"].map { Checkout.programs + "/" + $0 })
            .allSatisfy { FileManager.default.fileExists(atPath: $0) }
    }
}

/// What the enclave's program is made of, as the linker left it.
@Suite(.enabled(if: SymbolTool.canRead, "needs nm of binutils, and the programs: make stage"))
struct EnclaveSymbols {
    /// The names of everything that a program has in itself.
    private func symbols(of program: String) throws -> Data {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: SymbolTool.path)
        process.arguments = ["--defined-only", Checkout.programs + "/" + program]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let names = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return names
    }

    /// The first name of a module's, as Swift mangles them: the module's length stands before it.
    private func symbol(of module: String, in names: Data) -> String? {
        guard let found = names.range(of: Data("$s\(module.utf8.count)\(module)".utf8)) else { return nil }
        return String(decoding: names[found.lowerBound...].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    @Test func `the enclave has nothing of the keychain protocol, nor of what others seal`() throws {
        let names = try symbols(of: "tresor-enclave")
        for module in ["Wire", "Envelopes", "KeychainStore", "Foundation"] {
            #expect(symbol(of: module, in: names) == nil, "\(module)")
        }
        for module in ["Enclave", "EnclaveWire", "KeyEnvelopes", "Protection", "Secrets"] {
            #expect(symbol(of: module, in: names) != nil, "\(module)")
        }
    }

    @Test func `what the enclave has not would be seen`() throws {
        let names = try symbols(of: "tresord")
        for module in ["Wire", "Envelopes", "KeychainStore"] { #expect(symbol(of: module, in: names) != nil) }
    }
}
