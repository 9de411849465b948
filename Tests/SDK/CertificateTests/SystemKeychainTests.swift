import Foundation
import Linux
import Testing

@testable import Certificates

/// Certificates that the administrator deployed: which files count, and what is said of the others.
@Suite struct SystemKeychains {
    private let machine: Deployment
    private let root: [UInt8]

    init() throws {
        machine = try Deployment()
        root = try Vector.bytes("p256-certificate.der")
    }

    @Test func `the keychains have their names, and read nothing else`() throws {
        #expect(SystemKeychain.allCases.map(\.name) == ["System Roots", "System"])
        #expect(SystemKeychain(name: "System Roots") == .systemRoots && SystemKeychain(name: "system") == nil)
        #expect(SystemPlaces.machine.owner == 0 && SystemPlaces.machine.top == "/")
        let folders = SystemPlaces.machine.folders.map(\.path)
        #expect(folders == ["/etc/tresor/certificates", "/usr/local/share/ca-certificates"])
    }

    @Test func `files of the owner alone count, whatever form they have, and tell where they stand`() throws {
        try machine.file("own/a.pem", Vector.bytes("bundle.pem"))
        try machine.file("own/b.der", root)
        try machine.file("own/c.crt", root, mode: 0o444)
        try machine.file("own/d.cer", Vector.bytes("p256-certificate.pem"))
        try machine.file("own/README", root)
        try machine.file("own/e.pem.old", root)
        try machine.folder("own/below")
        try machine.file("own/below/f.pem", root)
        try machine.file("local/share/g.crt", root)
        try machine.file("local/share/h.pem", root)
        let files = ["own/a.pem", "own/a.pem", "own/b.der", "own/c.crt", "own/d.cer", "local/share/g.crt"]
        #expect(try machine.counted() == files)
        #expect(try machine.read().refused == [])
    }

    @Test func `a record says what a certificate is`() throws {
        try machine.file("own/a.crt", root)
        let record = try #require(try SystemKeychain.system.records(machine.places).first)
        #expect(record.label == "p256.example" && record.keychain == .system && record.file.hasSuffix("/own/a.crt"))
        #expect(record.subject == "CN=p256.example,O=Tresor tests" && record.issuer == record.subject)
        #expect(record.der == root && record.fingerprint.count == 64 && !record.serialNumber.isEmpty)
        #expect(record.isAuthority && record.isAnchor && record.notBefore < record.notAfter)
    }

    @Test func `folders count four deep, and what lies deeper is named`() throws {
        try machine.folder("local/share/1/2/3/4/5")
        for name in ["1", "1/2", "1/2/3", "1/2/3/4"] { try machine.mode(0o755, "local/share/" + name) }
        try machine.file("local/share/1/2/3/4/a.crt", root)
        try machine.file("local/share/1/2/3/4/5/b.crt", root)
        #expect(try machine.counted() == ["local/share/1/2/3/4/a.crt"])
        #expect(try machine.refused() == ["local/share/1/2/3/4/5": .tooDeep])
    }

    @Test(arguments: [0o664, 0o646, 0o666, 0o622])
    func `a file that others may write to is refused by name`(_ mode: Int) throws {
        try machine.file("own/a.pem", root, mode: mode)
        try machine.file("own/b.pem", root)
        #expect(try machine.counted() == ["own/b.pem"])
        #expect(try machine.refused() == ["own/a.pem": .writableByOthers(folder: nil)])
    }

    /// The sticky bit keeps others from removing a file, not from adding one.
    @Test(arguments: ["", "local", "local/share", "local/share/deep"], [0o775, 0o757, 0o1777])
    func `below a folder that others may write to nothing counts, and each file is named`(
        _ folder: String, _ mode: Int
    ) throws {
        try machine.folder("local/share/deep")
        try machine.file("local/share/deep/a.crt", root)
        #expect(try machine.counted() == ["local/share/deep/a.crt"])
        try machine.mode(mode, folder)
        #expect(try machine.counted() == [])
        let reason = RefusedFile.Reason.writableByOthers(folder: machine.path(folder))
        #expect(try machine.refused() == ["local/share/deep/a.crt": reason])
    }

    @Test func `files of another owner, and those in another's folder, are refused`() throws {
        try machine.file("own/a.pem", root)
        try machine.file("own/b.pem", root)
        machine.places.files.facts = { folder, name throws(LinuxError) in
            var facts = try SystemFiles.facts(folder, name)
            if name == "a.pem" { facts?.owner += 1 }
            return facts
        }
        #expect(try machine.counted() == ["own/b.pem"])
        #expect(try machine.refused() == ["own/a.pem": .belongsToAnother(folder: nil)])
        machine.places.owner += 7
        #expect(try machine.counted() == [])
        #expect(try machine.refused()["own/b.pem"] == .belongsToAnother(folder: machine.top))
    }

    @Test func `links are not followed, wherever they stand`() throws {
        try machine.file("own/real.pem", root)
        try machine.folder("elsewhere")
        try machine.file("elsewhere/b.crt", root)
        try machine.link("own/link.pem", to: "real.pem")
        try machine.link("local/share/folder", to: machine.path("elsewhere"))
        #expect(try machine.counted() == ["own/real.pem"])
        #expect(try machine.refused() == ["own/link.pem": .link, "local/share/folder": .link])
        try FileManager.default.removeItem(atPath: machine.path("local"))
        try machine.folder("other/share")
        try machine.file("other/share/c.crt", root)
        try machine.link("local", to: "other")
        #expect(try machine.counted() == ["own/real.pem"])
        #expect(try machine.refused()["local"] == .link)
    }

    @Test func `a file whose place a link takes between the look and the opening is not followed`() throws {
        try machine.file("own/a.pem", root)
        try machine.file("target", root)
        let (place, target) = (machine.path("own/a.pem"), machine.path("target"))
        machine.places.files.facts = { folder, name throws(LinuxError) in
            let facts = try SystemFiles.facts(folder, name)
            if name == "a.pem" {
                _ = unlink(place)
                _ = symlink(target, place)
                return SystemFiles.Facts(.file, owner: getuid(), mode: 0o644)
            }
            return facts
        }
        #expect(try machine.counted() == [])
        guard case .unreadable = try machine.refused()["own/a.pem"] else {
            Issue.record("the link was not refused")
            return
        }
    }

    @Test func `files that are damaged, empty, too large, no files or none's are named, and hide no other`() throws {
        try machine.file("own/a.pem", Array(try Vector.bytes("p256-certificate.pem").prefix(300)))
        try machine.file("own/b.pem", [])
        try machine.file("own/c.pem", [UInt8](repeating: 0x30, count: CertificateFile.byteLimit + 1))
        try machine.folder("own/d.pem")
        #expect(mkfifo(machine.path("own/e.pem"), 0o644) == 0)
        try machine.file("own/f.pem", Vector.bytes("p256-sec1.pem"))
        try machine.link("own/g.pem", to: "nowhere")
        try machine.file("own/z.pem", root)
        #expect(try machine.counted() == ["own/z.pem"])
        let refused = try machine.refused()
        let codes = refused.keys.sorted().map { RefusedFile(path: "", reason: refused[$0] ?? .link).code }
        #expect(codes == ["damaged", "damaged", "tooLarge", "noFile", "noFile", "holdsNoCertificate", "link"])
        #expect(try machine.read().refused.allSatisfy { !$0.description.contains(machine.top) })
    }

    @Test(.enabled(if: getuid() != 0, "root reads every file"))
    func `a file that may not be read is named`() throws {
        try machine.file("own/a.pem", root, mode: 0o000)
        try machine.file("own/b.pem", root)
        #expect(try machine.counted() == ["own/b.pem"])
        guard case .unreadable = try machine.refused()["own/a.pem"] else {
            Issue.record("the file was not named")
            return
        }
    }

    @Test func `five hundred and twelve files are read, and it is said that there are more`() throws {
        for number in 1...514 { try machine.file("own/\(1000 + number).der", number < 512 ? root : root + [0]) }
        let read = try machine.read()
        #expect(read.certificates.count == 511)
        #expect(read.refused.map(\.code) == ["damaged", "tooMany"])
        #expect(read.refused.last?.path == machine.path("own/1513.der"))
    }

    @Test func `folders that are not there are empty`() throws {
        try FileManager.default.removeItem(atPath: machine.path("own"))
        try FileManager.default.removeItem(atPath: machine.path("local"))
        #expect(try machine.read() == SystemContents())
    }

    @Test func `where nothing is told of a folder, nothing in it is believed`() throws {
        try machine.file("own/a.pem", root)
        machine.places.files.facts = { folder, name throws(LinuxError) in
            name == "." ? nil : try SystemFiles.facts(folder, name)
        }
        #expect(try machine.counted() == [])
        #expect(try machine.refused() == ["own/a.pem": .unreadable("no such file")])
    }

    @Test func `a name that is not found again is named`() throws {
        try machine.file("own/a.pem", root)
        machine.places.files.names = { folder throws(LinuxError) in
            try SystemFiles.names(folder) + ["od\u{FFFD}.pem", "od\u{FFFD}.txt"]
        }
        #expect(try machine.counted() == ["own/a.pem"])
        #expect(try machine.refused() == ["own/od\u{FFFD}.pem": .unreadable("no such file")])
    }
}
