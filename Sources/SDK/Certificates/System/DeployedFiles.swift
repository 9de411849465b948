import Linux
import Localization
import Secrets

/// Reads the certificates that an administrator deployed, file by file.
///
/// Trust in a certificate is trust in whoever could have put it there. So a file counts only if it and every folder
/// down to it are the owner's (root's) and nobody else may write to them; then no name on the way can be changed to
/// lead elsewhere by anybody but root. Each folder is opened inside the one above it, links are never followed, and
/// what is asked and read is what was opened.
struct DeployedFiles {
    private let places: SystemPlaces
    private var contents = SystemContents()
    private var fileCount = 0

    static func read(_ places: SystemPlaces) -> SystemContents {
        var files = DeployedFiles(places: places)
        for folder in places.folders { files.read(folder) }
        return files.contents
    }

    private init(places: SystemPlaces) { self.places = places }

    private var isFull: Bool {
        fileCount >= SystemPlaces.mostFiles || contents.certificates.count >= SystemPlaces.mostCertificates
    }

    // MARK: Folders

    /// Walks down to a folder; one that is not there is no error.
    private mutating func read(_ folder: SystemPlaces.Folder) {
        var path = places.top == "/" ? "" : places.top
        guard folder.path.hasPrefix(path + "/") else { return }
        do throws(LinuxError) {
            var opened = try FileDescriptor.open(places.top, FileFlags.directory)
            var flaw = try flaw(".", in: opened, named: places.top)
            for name in folder.path.dropFirst(path.utf8.count + 1).split(separator: "/").map(String.init) {
                path += "/" + name
                guard try places.files.facts(opened, name)?.kind != .link else { return refuse(path, .link) }
                guard let next = try Self.open(name, in: opened) else { return }
                opened = next
                if flaw == nil { flaw = try self.flaw(".", in: opened, named: path) }
            }
            try read(opened, path, folder, depth: 0, flaw)
        } catch { refuse(path, .unreadable(error.reason)) }
    }

    /// Nil where there is no such folder.
    private static func open(
        _ name: String, in above: borrowing FileDescriptor
    ) throws(LinuxError) -> FileDescriptor? {
        do { return try above.open(name, FileFlags.directory) } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }

    /// - Parameter flaw: why nothing in this folder is believed, if so; its files are named all the same.
    private mutating func read(
        _ opened: borrowing FileDescriptor, _ path: String, _ folder: SystemPlaces.Folder, depth: Int,
        _ flaw: RefusedFile.Reason?
    ) throws(LinuxError) {
        for name in try places.files.names(opened).sorted() {
            let place = path + "/" + name
            let isWanted = folder.extensions.contains { name.hasSuffix("." + $0) }
            let facts = try places.files.facts(opened, name)
            switch facts?.kind {
            case .folder where folder.isDeep: enter(name, in: opened, place, folder, depth: depth + 1, flaw)
            case .link where folder.isDeep || isWanted: refuse(place, .link)
            case .file where isWanted:
                guard !isFull else { return refuse(place, .tooMany) }
                fileCount += 1
                read(name, in: opened, place, flaw)
            // A name that is no UTF-8 is not found again.
            case nil where isWanted: refuse(place, .unreadable(localized("no such file")))
            case .folder where isWanted, .other where isWanted: refuse(place, .noFile)
            default: break
            }
        }
    }

    private mutating func enter(
        _ name: String, in above: borrowing FileDescriptor, _ path: String, _ folder: SystemPlaces.Folder, depth: Int,
        _ flaw: RefusedFile.Reason?
    ) {
        guard depth <= SystemPlaces.deepest else { return refuse(path, .tooDeep) }
        do throws(LinuxError) {
            let opened = try above.open(name, FileFlags.directory)
            let own = try self.flaw(".", in: opened, named: path)
            try read(opened, path, folder, depth: depth, flaw ?? own)
        } catch { refuse(path, .unreadable(error.reason)) }
    }

    /// Why what `name` stands for is not believed; nil where it is.
    ///
    /// - Parameter folder: its path, where it is a folder.
    private func flaw(
        _ name: String, in opened: borrowing FileDescriptor, named folder: String? = nil
    ) throws(LinuxError) -> RefusedFile.Reason? {
        guard let facts = try places.files.facts(opened, name) else { return .unreadable(localized("no such file")) }
        if facts.owner != places.owner { return .belongsToAnother(folder: folder) }
        // With an access control list the group's bits are the most that it grants to anybody (acl(5)).
        return facts.mode & 0o022 == 0 ? nil : .writableByOthers(folder: folder)
    }

    // MARK: Files

    private mutating func read(
        _ name: String, in folder: borrowing FileDescriptor, _ path: String, _ flaw: RefusedFile.Reason?
    ) {
        do {
            if let flaw = try flaw ?? self.flaw(name, in: folder) { return refuse(path, flaw) }
            let certificates = try Self.certificates(name, in: folder)
            guard !certificates.isEmpty else { return refuse(path, .holdsNoCertificate) }
            guard contents.certificates.count + certificates.count <= SystemPlaces.mostCertificates else {
                return refuse(path, .tooMany)
            }
            contents.certificates += certificates.map { SystemCertificate($0, .system, path) }
        } catch let error as CertificateReadError {
            refuse(path, error.code == .tooLarge ? .tooLarge : .damaged(error))
        } catch let error as LinuxError where error.isTooLarge {
            refuse(path, .tooLarge)
        } catch let error as LinuxError { refuse(path, .unreadable(error.reason)) } catch {
            refuse(path, .unreadable(localized("no locked memory is left")))
        }
    }

    /// In locked memory, since a key may stand beside them.
    ///
    /// Opening waits for nobody: a pipe may have taken the file's place, if root put it there.
    private static func certificates(_ name: String, in folder: borrowing FileDescriptor) throws -> [DERCertificate] {
        let file = try folder.open(name, FileFlags.read | FileFlags.readFollowing)
        guard try file.isRegular() else { throw CertificateReadError(.unrecognized, localized("no regular file")) }
        let bytes = SecretBytes(try SecretInput.readAll(file.raw, limit: CertificateFile.byteLimit))
        return try bytes.withBytes { (bytes) throws(CertificateReadError) in try CertificateFile(bytes).certificates }
    }

    private mutating func refuse(_ path: String, _ reason: RefusedFile.Reason) {
        contents.refused.append(RefusedFile(path: path, reason: reason))
    }
}

extension LinuxError {
    /// Without the path, which whoever reports it names already.
    fileprivate var reason: String { LinuxError(call: call, code: code).description }
}
