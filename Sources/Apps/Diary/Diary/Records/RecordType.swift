/// The types of records in a diary's zone; see specs/diary.md.
enum RecordType {
    static let header: UInt16 = 1
    static let body: UInt16 = 2
    static let settings: UInt16 = 3
    static let template: UInt16 = 4
    /// On which many others hang, and of which there are few.
    static let keystones: Set<UInt16> = [settings]
    // From 128 on: records that never leave the device.
    static let timeline: UInt16 = 128
}
