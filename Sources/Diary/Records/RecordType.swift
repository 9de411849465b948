/// The types of records in a diary's zone; see specs/diary.md.
enum RecordType {
    static let header: UInt16 = 1
    static let body: UInt16 = 2
    static let settings: UInt16 = 3
}
