import KeyEnvelopes
import Linux
import Protection
import Secrets

/// Makes the files of a device at its first start.
///
/// In a folder beside, which is renamed into place: there is a whole device or none.
enum NewDevice {
    /// Also where something else has its name.
    static func isThere(_ name: String, in folder: borrowing FileDescriptor) throws -> Bool {
        do { return try openFolder(name, in: folder) != nil } catch let error as LinuxError where error.isOfDamagedFile
        {
            return true
        }
    }

    private static func openFolder(_ name: String, in folder: borrowing FileDescriptor) throws -> FileDescriptor? {
        do { return try folder.open(name, FileFlags.directory) } catch  where error.isMissing { return nil }
    }

    static func make(in folder: borrowing FileDescriptor, rootKey: some RootKeySource) throws {
        let unfinished = DeviceFiles.Folder.first + ".new"
        if let leftover = try openFolder(unfinished, in: folder) {
            for name in [FileRootKey.name, Keybag.purpose, TryCount.purpose] { try leftover.remove(name) }
            try folder.remove(unfinished, isDirectory: true)
        }
        try folder.makeDirectory(unfinished)
        let device = try folder.open(unfinished, FileFlags.directory)
        let root = try rootKey.make()
        let stateKey = try DeviceKeys.deriveStateKey(root: root.key)
        let rootFile = try device.open(FileRootKey.name, FileFlags.create)
        try root.file.withBytes { (bytes) throws(LinuxError) in try rootFile.write(bytes, at: 0) }
        try rootFile.sync()
        var keybagFile = SlotFile(
            SlotFile.Place(try device.open(Keybag.purpose, FileFlags.create)), purpose: Keybag.purpose,
            slotByteCount: Keybag.slotByteCount)
        try keybagFile.save(try makeKeybag(root: root.key).encode(), macKey: stateKey)
        var triesFile = SlotFile(
            SlotFile.Place(try device.open(TryCount.purpose, FileFlags.create)), purpose: TryCount.purpose,
            slotByteCount: TryCount.slotByteCount)
        try triesFile.save(TryCount.encode(0), macKey: stateKey)
        try device.sync()
        try folder.rename(unfinished, to: DeviceFiles.Folder.first)
        try folder.sync()
    }

    private static func makeKeybag(root: borrowing SecretBytes) throws -> Keybag {
        let id = Identifier.makeRandom()
        let kek = try DeviceKeys.deriveDeviceKEK(root: root, keybag: id)
        var keybag = Keybag(
            id: id, passcode: nil, settings: .initial, entries: [], destroyed: [])
        for keyClass in Keybag.permanentClasses {
            let key = try OpenClassKey.makeRandom(for: keyClass)
            keybag.entries.append(try key.wrap(keyClass, .device, under: kek, keybag: id))
            if keyClass == Keybag.sealingClass { keybag.seal = try keybag.sealed(by: key) }
        }
        return keybag
    }
}
