import EnclaveWire
import KeyEnvelopes
import Linux
import Secrets

/// The files of a device, open, each in two folders: one bad sector or one deleted file cannot hit both.
///
/// See docs/decisions/0032-keystones-twice.md.
struct DeviceFiles {
    /// One of the two folders.
    struct Folder {
        static let first = "device"
        static let spare = "spare"

        let rootKey: SlotFile.Place
        let keybag: SlotFile.Place
        let tries: SlotFile.Place
        /// What its file of the root key says; nil where that is not whole.
        let root: RootKeyCopy?
        /// Whether there was none before.
        let isNew: Bool
    }

    let first: Folder
    /// Nil where none can be kept, or where it is another device's.
    private(set) var spare: Folder?
    /// What was found, and done about it.
    private(set) var findings: DeviceCopies = []

    init(_ first: Folder, spare: Folder? = nil) {
        self.first = first
        self.spare = spare
    }

    /// Opens what is there, and makes what is missing of one folder where the other has it.
    ///
    /// - Throws: `EnclaveFailure.damaged` where neither has it, and `storage` where one has it perhaps and cannot be
    ///   read; then nothing was made.
    static func open(in folder: borrowing FileDescriptor, _ source: some RootKeySource) throws -> DeviceFiles {
        var (failure, keybagFailure): (LinuxError?, LinuxError?)
        let root = try readRoot(in: Folder.first, of: folder, source, &failure)
        let spareRoot = try readRoot(in: Folder.spare, of: folder, source, &failure)
        guard root != nil || spareRoot != nil else {
            throw failure.map { EnclaveFailure.storage($0) } ?? .damaged(.rootKey)
        }
        let hasKeybag = try hasKeybag(in: Folder.first, of: folder, &keybagFailure)
        guard try hasKeybag || Self.hasKeybag(in: Folder.spare, of: folder, &keybagFailure) else {
            throw keybagFailure.map { EnclaveFailure.storage($0) } ?? .damaged(.keybag)
        }
        let first = try Folder(Folder.first, of: folder, root)
        return DeviceFiles(first, spare: try openSpare(in: folder, spareRoot))
    }

    /// On a full disk one can do without for a while; a keybag that is not written from now on goes, since it would
    /// keep what is destroyed meanwhile.
    private static func openSpare(
        in folder: borrowing FileDescriptor, _ root: RootKeyCopy?
    ) throws(LinuxError) -> Folder? {
        do { return try Folder(Folder.spare, of: folder, root) } catch {
            guard error.isOutOfSpace || error.isReadOnly else { throw error }
            if error.isOutOfSpace, let spare = try? folder.open(Folder.spare, FileFlags.directory) {
                try spare.remove(Keybag.purpose)
            }
            return nil
        }
    }

    /// The root key of this device: the one under which there is a keybag.
    mutating func chooseRoot() throws(EnclaveFailure) -> RootKeyCopy {
        let copies = [first.root, spare?.root].compactMap { $0 }
        for copy in copies where try opens(copy) {
            try settle(on: copy)
            return copy
        }
        let isVouchedFor = copies.contains { $0.isChecked } || (copies.count == 2 && copies[0].isSame(copies[1]))
        throw .damaged(isVouchedFor ? .keybag : .rootKeyOrKeybag)
    }

    private func opens(_ copy: RootKeyCopy) throws(EnclaveFailure) -> Bool {
        let stateKey: SecretBytes
        do { stateKey = try DeviceKeys.deriveStateKey(root: copy.key) } catch { throw .memory }
        let keybag = keybagFile()
        if keybag.isWhole(in: first.keybag, macKey: stateKey) { return true }
        return keybag.isWhole(in: spare?.keybag, macKey: stateKey)
    }

    /// Brings both files of the root key to the right one; what is whole, and another device's, stays as it is.
    private mutating func settle(on root: RootKeyCopy) throws(EnclaveFailure) {
        if let other = spare?.root, !other.isSame(root) {
            let isWhole = try opens(other)
            if isWhole || other.isChecked {
                spare = nil
                findings.insert(.spareOfAnother)
            }
        }
        if let other = first.root, !other.isSame(root), other.isChecked {
            findings.insert(.rootKeyOfAnother)
        } else if first.root?.isSame(root) != true {
            findings.insert(write(root, to: first.rootKey) ? .rootKey : .incomplete)
        }
        guard let spare else { return findings.formUnion(.incomplete) }
        guard spare.root?.isSame(root) != true else { return }
        guard write(root, to: spare.rootKey) else { return findings.formUnion(.incomplete) }
        if !spare.isNew { findings.insert(.spareRootKey) }
    }

    /// In place: what stood there was no key, and a crash leaves none either.
    private func write(_ root: RootKeyCopy, to place: SlotFile.Place) -> Bool {
        do {
            try root.file.withBytes { (bytes) throws(LinuxError) in
                try place.file.write(bytes, at: 0)
                try place.file.truncate(to: bytes.byteCount)
            }
            try place.file.syncData()
            return true
        } catch { return false }
    }

    func keybagFile() -> SlotFile {
        SlotFile(first.keybag, spare: spare?.keybag, purpose: Keybag.purpose, slotByteCount: Keybag.slotByteCount)
    }

    func triesFile() -> SlotFile {
        SlotFile(first.tries, spare: spare?.tries, purpose: TryCount.purpose, slotByteCount: TryCount.slotByteCount)
    }

    /// What was found, those of the slot files with it, once they are loaded.
    func allFindings() -> DeviceCopies {
        var all = findings
        if first.keybag.wasDamaged { all.insert(.keybag) }
        if first.tries.wasDamaged { all.insert(.tries) }
        if let spare, !spare.isNew {
            if spare.keybag.wasDamaged { all.insert(.spareKeybag) }
            if spare.tries.wasDamaged { all.insert(.spareTries) }
        }
        return all
    }
}

extension DeviceFiles {
    private static func readRoot(
        in name: String, of folder: borrowing FileDescriptor, _ source: some RootKeySource,
        _ failure: inout LinuxError?
    ) throws -> RootKeyCopy? {
        do {
            let device = try folder.open(name, FileFlags.directory)
            let file = try device.open(FileRootKey.name, FileFlags.read)
            var buffer = try SecretBuffer(capacity: 64)
            while case .moved = try file.read(into: &buffer.storage, room: 64) {
                guard buffer.count <= 64 else { break }
            }
            return try source.read(buffer.bytes)
        } catch let error as LinuxError {
            try note(error, &failure)
            return nil
        }
    }

    /// A disk that does not give a file now does not say that it is damaged.
    private static func note(_ error: LinuxError, _ failure: inout LinuxError?) throws(LinuxError) {
        guard !error.isShortOfDescriptors else { throw error }
        if error.isOfBadSector || !(error.isMissing || error.isOfDamagedFile) { failure = error }
    }

    private static func hasKeybag(
        in name: String, of folder: borrowing FileDescriptor, _ failure: inout LinuxError?
    ) throws(LinuxError) -> Bool {
        do {
            let device = try folder.open(name, FileFlags.directory)
            return try device.open(Keybag.purpose, FileFlags.read).byteCount() > 0
        } catch {
            try note(error, &failure)
            return false
        }
    }
}

extension DeviceFiles.Folder {
    /// Opens the files, and makes those that are missing, empty: they count as damaged.
    fileprivate init(_ name: String, of folder: borrowing FileDescriptor, _ root: RootKeyCopy?) throws(LinuxError) {
        self.root = root
        var isNew = false
        do { _ = try folder.open(name, FileFlags.directory) } catch {
            guard error.isMissing || error.isOfDamagedFile else { throw error }
            if !error.isMissing { try folder.rename(name, to: name + ".odd") }
            try folder.makeDirectory(name)
            try folder.sync()
            isNew = error.isMissing
        }
        self.isNew = isNew
        let device = try folder.open(name, FileFlags.directory)
        rootKey = try Self.place(FileRootKey.name, in: device)
        keybag = try Self.place(Keybag.purpose, in: device)
        tries = try Self.place(TryCount.purpose, in: device)
        try device.sync()
    }

    /// No link is followed, and nothing that is there is cut; what is no file goes aside.
    private static func place(
        _ name: String, in device: borrowing FileDescriptor
    ) throws(LinuxError) -> SlotFile.Place {
        do { return SlotFile.Place(try device.open(name, FileFlags.readWriteOrCreate)) } catch {
            guard error.isOfDamagedFile else { throw error }
            try device.rename(name, to: name + ".odd")
            return SlotFile.Place(try device.open(name, FileFlags.create))
        }
    }
}
