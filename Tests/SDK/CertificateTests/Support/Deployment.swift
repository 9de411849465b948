import Foundation

@testable import Certificates

/// A machine's folders of deployed certificates, made by the test and owned by whoever runs it.
final class Deployment {
    let top: String
    var places = SystemPlaces()

    init() throws {
        let temporary = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        top = temporary.appendingPathComponent("deployment-\(UUID().uuidString)").path
        places.top = top
        places.owner = getuid()
        places.rootsFile = top + "/roots.crt"
        places.folders = [
            SystemPlaces.Folder(top + "/own", ["pem", "crt", "cer", "der"], isDeep: false),
            SystemPlaces.Folder(top + "/local/share", ["crt"], isDeep: true),
        ]
        for path in ["", "own", "local", "local/share"] { try folder(path) }
    }

    deinit { try? FileManager.default.removeItem(atPath: top) }

    func path(_ name: String) -> String { name.isEmpty ? top : top + "/" + name }

    func folder(_ name: String, mode: Int = 0o755) throws {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
        try self.mode(mode, name)
    }

    /// Whatever the umask is.
    func mode(_ mode: Int, _ name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
    }

    func file(_ name: String, _ bytes: [UInt8], mode: Int = 0o644) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
        try self.mode(mode, name)
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
    }

    func read() throws -> SystemContents { try SystemKeychain.system.read(places) }

    /// The files that count, by their names below the top.
    func counted() throws -> [String] { try read().certificates.map { String($0.file.dropFirst(top.count + 1)) } }

    /// The refused, by their names below the top.
    func refused() throws -> [String: RefusedFile.Reason] {
        let all = try read().refused.map { (String($0.path.dropFirst(top.count + 1)), $0.reason) }
        return Dictionary(all, uniquingKeysWith: { first, _ in first })
    }
}
