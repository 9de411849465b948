/// What an enclave found of the two copies of its files at its start, and brought up to each other.
package struct DeviceCopies: OptionSet, Equatable, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Files that were damaged or missing, and were written anew from the other copy.
    package static let rootKey = DeviceCopies(rawValue: 1 << 0)
    package static let spareRootKey = DeviceCopies(rawValue: 1 << 1)
    package static let keybag = DeviceCopies(rawValue: 1 << 2)
    package static let spareKeybag = DeviceCopies(rawValue: 1 << 3)
    package static let tries = DeviceCopies(rawValue: 1 << 4)
    package static let spareTries = DeviceCopies(rawValue: 1 << 5)
    /// There is one copy of something: the other cannot be written, on a full disk or a bad sector.
    package static let incomplete = DeviceCopies(rawValue: 1 << 6)
    /// The folder of copies is another device's, and is left as it is.
    package static let spareOfAnother = DeviceCopies(rawValue: 1 << 7)
    /// The file of the root key is another device's, and is left as it is; the copy is in force.
    package static let rootKeyOfAnother = DeviceCopies(rawValue: 1 << 8)

    /// Each that a log names, and what it says of the file.
    package static let words: [(finding: DeviceCopies, text: String)] = [
        (.rootKey, "device/root.key was damaged or missing, and was written anew from spare/root.key"),
        (.spareRootKey, "spare/root.key was damaged or missing, and was written anew from device/root.key"),
        (.keybag, "device/keybag was damaged or missing, and was written anew from spare/keybag"),
        (.spareKeybag, "spare/keybag was damaged or missing, and was written anew from device/keybag"),
        (.tries, "device/tries was damaged or missing, and was written anew"),
        (.spareTries, "spare/tries was damaged or missing, and was written anew"),
        (.incomplete, "not all of the enclave's files could be written a second time; the next start tries again"),
        (.spareOfAnother, "the folder spare is another device's; it is left as it is, and there is one copy only"),
        (.rootKeyOfAnother, "device/root.key is another device's; it is left as it is, and spare/root.key counts"),
    ]
}
