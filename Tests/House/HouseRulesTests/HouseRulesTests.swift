import Checkout
import Foundation
import Testing

/// The rules that the compiler does not keep.
///
/// docs/ARCHITECTURE.md and CONTRIBUTING.md say why each is there.
@Suite struct HouseRules {
    static let root = Checkout.root
    static let sources = root.appendingPathComponent("Sources")

    struct SourceFile {
        let target: String
        let path: String
        let lines: [String]
    }

    static let files: [SourceFile] = {
        let enumerator = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        var files: [SourceFile] = []
        while let url = enumerator?.nextObject() as? URL {
            guard url.pathExtension == "swift", let text = try? String(contentsOf: url, encoding: .utf8) else {
                continue
            }
            let path = String(url.path.dropFirst(sources.path.count + 1))
            guard let wing = House.wing(ofPath: path) else {
                Issue.record("\(path) lies in no wing of LAYERS.txt")
                continue
            }
            let below = String(path.dropFirst(wing.count + 1))
            let target = String(below.prefix { $0 != "/" })
            files.append(SourceFile(target: target, path: below, lines: text.components(separatedBy: "\n")))
        }
        return files
    }()

    static func code(_ line: String) -> String {
        guard let comment = line.range(of: "//") else { return line }
        return String(line[..<comment.lowerBound])
    }

    /// The module that an import line names, if it is one.
    static func importedModule(_ line: String) -> String? {
        var words = code(line).split(separator: " ").map(String.init)
        while let first = words.first, first.hasPrefix("@") || ["public", "package", "internal"].contains(first) {
            words.removeFirst()
        }
        guard words.first == "import", words.count > 1 else { return nil }
        let kinds = ["struct", "enum", "class", "protocol", "func", "var", "let", "typealias"]
        let name = kinds.contains(words[1]) && words.count > 2 ? words[2] : words[1]
        return name.split(separator: ".").first.map(String.init)
    }

    static func offences(_ isOffence: (SourceFile, String) -> Bool) -> [String] {
        files.flatMap { file in
            file.lines.enumerated().filter { isOffence(file, $0.element) }.map { "\(file.path):\($0.offset + 1)" }
        }
    }

    @Test func `no target imports what LAYERS does not grant it`() {
        let grants = Dictionary(
            uniqueKeysWithValues: House.targets.map { ($0.name, Set($0.ours + $0.outside)) })
        #expect(Self.files.count > 50)
        #expect(
            Self.offences { file, line in
                guard let module = Self.importedModule(line) else { return false }
                return grants[file.target]?.contains(module) != true
            } == [])
    }

    @Test func `the rule about imports would see a forbidden one`() {
        #expect(Self.importedModule("@_exported public import enum Protection.LockState") == "Protection")
        #expect(Self.importedModule("package import Crypto // why not") == "Crypto")
        #expect(Self.importedModule("// import Crypto") == nil)
    }

    @Test func `only KeyEnvelopes, Envelopes and Certificates import cryptography`() {
        #expect(
            Self.offences { file, line in
                ["Crypto", "CryptoExtras"].contains(Self.importedModule(line))
                    && !["KeyEnvelopes", "Envelopes", "Certificates"].contains(file.target)
            } == [])
    }

    @Test func `raw memory is handled in the ground layer and one bridge only`() {
        let allowed: Set = ["Linux", "Secrets", "SQLite"]
        // Each of them is the one file of its target that meets a C library or swift-crypto.
        let bridges = [
            "CryptoBridge.swift", "Notes/Markdown/MarkdownLibrary.swift", "NoteFormats/Markup/MarkupFromMarkdown.swift",
            "tresor-thumb/Decoder.swift",
            "AppleImport/Body/Gunzip.swift", "TresorCoreFoundation/Pointers.swift", "MessageBus/SystemBus.swift",
            "MessageBus/BusBody.swift",
            "DiaryFormats/Zip/ZipLibrary.swift", "KeychainFormats/KeePass/ExpatParser.swift", "QRCodes/QRCode.swift",
            "SecurityKeys/FidoSession.swift",
            "tresor-print/Canvas.swift", "tresor-draw/Sheet.swift", "tresor-draw/TextPen.swift",
            "WidgetServer/HTTP/PageDaemon.swift",
            // English words in a text, and "unsafe" is one of them.
            "PasswordMaking/Words/WordsFromM.swift",
        ]
        // Lending a String's or an array's bytes as a span, and naming an executor, are the two that others need.
        let harmless = [
            ".span.bytes", "asUnownedSerialExecutor()", "asUnownedTaskExecutor()", "literal.withUTF8Buffer",
        ]
        #expect(
            Self.offences { file, line in
                guard !allowed.contains(file.target), !bridges.contains(where: file.path.hasSuffix) else {
                    return false
                }
                let code = Self.code(line)
                let isUnsafe = code.contains("unsafe ") || code.contains("UnsafeRaw") || code.contains("@unchecked")
                return isUnsafe && !harmless.contains { code.contains($0) }
            } == [])
    }

    @Test func `no daemon takes Foundation's UUID, which repeats itself without dev urandom`() {
        #expect(Self.offences { _, line in Self.code(line).contains("UUID()") } == [])
    }

    @Test func `nothing in Sources traps on purpose`() {
        let traps = ["try!", "as!", "fatalError(", "preconditionFailure("]
        #expect(Self.offences { _, line in traps.contains { Self.code(line).contains($0) } } == [])
    }

    /// Where it does not, the argument parser makes the name of the type's, for each of 150 commands at each start.
    @Test func `every command says its name`() {
        var unnamed: [String] = []
        for file in Self.files {
            let parts = file.lines.joined(separator: " ").components(separatedBy: "CommandConfiguration(")
            for part in parts.dropFirst() where !part.drop(while: { $0 == " " }).hasPrefix("commandName: ") {
                unnamed.append("\(file.path): \(part.prefix(60))")
            }
        }
        #expect(unnamed == [])
    }

    @Test func `Protection and Enclave know neither environment nor clock of the wall`() {
        let forbidden = ["getenv", "Date()", "environment("]
        #expect(
            Self.offences { file, line in
                ["Protection", "Enclave"].contains(file.target) && forbidden.contains { Self.code(line).contains($0) }
            } == [])
    }

    @Test func `no file is longer than 400 lines and no line than 120 columns`() {
        #expect(Self.files.filter { $0.lines.count > 401 }.map(\.path) == [])
        #expect(Self.offences { _, line in line.count > 120 } == [])
    }

    @Test func `no function is longer than 60 lines`() {
        var long: [String] = []
        for file in Self.files {
            var start: (line: Int, indent: Int)?
            for (number, line) in file.lines.enumerated() {
                let indent = line.prefix { $0 == " " }.count
                let code = Self.code(line)
                if let open = start, indent == open.indent, code.hasPrefix(String(repeating: " ", count: indent) + "}")
                {
                    if number - open.line > 60 { long.append("\(file.path):\(open.line + 1)") }
                    start = nil
                } else if start == nil, code.contains("func ") || code.contains(" init("), !code.contains("protocol") {
                    if code.hasSuffix("{") || !code.contains("}") { start = (line: number, indent: indent) }
                }
            }
        }
        #expect(long == [])
    }

    /// A case that is added has to be thought of wherever there is a choice: so the compiler has to see each.
    @Test func `no default answers for cases of our own where keys and items are`() {
        let targets: Set = ["Wire", "EnclaveWire", "Daemon", "Enclave"]
        let files = Self.files.filter { targets.contains($0.target) }
        var found: [String: Int] = [:]
        for file in files {
            for line in file.lines where line.drop(while: { $0 == " " }).hasPrefix("default:") {
                found[file.path, default: 0] += 1
            }
        }
        #expect(files.count > 60)
        #expect(
            found == [
                // Numbers out of bytes.
                "EnclaveWire/EnclaveRefusal.swift": 1, "Enclave/RootKey.swift": 1,
                "Wire/Keychain/Attributes.swift": 2,
                "Wire/Keychain/IdentifierMessages.swift": 1, "Wire/Keychain/KeychainQuery.swift": 1,
                // Unicode's categories; errors of whatever kind.
                "Wire/Keychain/KeychainMessages.swift": 1, "Daemon/StartReport.swift": 1,
            ])
    }

    /// What tresord knows of a process holds whatever that executes later: so nobody of ours gives up its place.
    @Test func `nobody executes another program in its place, and itself anew only who asks for no items`() throws {
        let calls = ["execv", "execl", "fexecve", "posix_spawn_setexec", ".become("]
        #expect(
            Self.offences { file, line in
                calls.contains { Self.code(line).contains($0) } && file.path != "Linux/Process/CurrentProcess.swift"
            } == [])
        let replacing = Self.files.filter { file in
            file.target != "Linux" && file.lines.contains { Self.code($0).contains("CurrentProcess.replace(") }
        }
        #expect(replacing.map(\.path) == ["tresor/Widgets/WidgetStreaming.swift"])
        for file in replacing {
            #expect(file.lines.contains { $0.contains("ParsableCommand, AsksForNoItems {") }, "\(file.path)")
        }
        // In C between fork and exec alone.
        let folder = Self.sources.appendingPathComponent("Ground/CLinux")
        for url in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        where url.pathExtension == "c" {
            let text = try String(contentsOf: url, encoding: .utf8)
            let count = text.components(separatedBy: "execve(").count - 1
            #expect(count == (url.lastPathComponent == "process.c" ? 1 : 0), "\(url.lastPathComponent)")
        }
    }

    /// A folder under a name that others can know beforehand is theirs.
    @Test func `folders for a while are made by PrivateFolder, and nowhere else`() {
        let places = ["\"/dev/shm", "\"/tmp/", "TMPDIR", "NSTemporaryDirectory"]
        // The tour's name is random and new, and the socket's folder is looked at by whoever makes and whoever uses it;
        // an app's own folder lies in its home.
        let known: Set = [
            "Linux/Files/PrivateFolder.swift", "tresor/Tour/Tour.swift", "Wire/Home.swift",
            "Tresor/Toolbox/AppContainer.swift",
        ]
        #expect(
            Self.offences { file, line in
                places.contains { Self.code(line).contains($0) } && !known.contains(file.path)
            } == [])
    }

    @Test func `each exposure of a redacted value has its reason`() {
        #expect(
            Self.offences { file, line in
                line.contains(".expose()") && !line.contains("// EXPOSE:") && file.target != "Secrets"
            } == [])
    }

    /// Such a limit also runs while a test waits for its turn among the others, which may be minutes.
    ///
    /// So it says nothing of the code under test; `ProcessorTime` does.
    @Test func `no test is limited by the clock on the wall`() throws {
        let tests = Self.root.appendingPathComponent("Tests")
        let enumerator = FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)
        var seen = 0
        var limited: [String] = []
        while let url = enumerator?.nextObject() as? URL {
            guard url.pathExtension == "swift" else { continue }
            seen += 1
            // In two halves, so that this line is none of them.
            if try String(contentsOf: url, encoding: .utf8).contains(".time" + "Limit(") {
                limited.append(url.lastPathComponent)
            }
        }
        #expect(seen > 200 && limited == [])
    }
}
