import DiaryClient
import DiaryFormats
import Foundation
import Testing

/// A folder for one test, removed with it.
final class Folder {
    let path = NSTemporaryDirectory() + "tresor-diary-" + UUID().uuidString

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    @discardableResult
    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let url = URL(fileURLWithPath: path + "/" + name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        return url.path
    }

    @discardableResult
    func write(_ name: String, _ text: String) throws -> String { try write(name, Array(text.utf8)) }

    func read(_ name: String) throws -> String { try String(contentsOfFile: path + "/" + name, encoding: .utf8) }

    /// The paths of all files in it, sorted.
    func files(_ inner: String = "") -> [String] {
        let root = path + "/" + inner
        let names = FileManager.default.enumerator(atPath: root)?.allObjects as? [String] ?? []
        return names.filter { name in
            var isDirectory: ObjCBool = false
            return FileManager.default.fileExists(atPath: root + "/" + name, isDirectory: &isDirectory)
                && !isDirectory.boolValue
        }.sorted()
    }
}

/// A zip file put together by hand, so that it may lie (APPNOTE.TXT of PKWARE, 4.3 and 4.4).
struct HandmadeZip {
    struct Member {
        var name: [UInt8]
        var content: [UInt8]
        /// What stands in the archive: 0 stored, 8 deflated.
        var method: UInt16 = 0
        var packed: [UInt8]?
        var flags: UInt16 = 0x0800
        var claimedByteCount: UInt32?
        var checksum: UInt32?
    }

    var members: [Member] = []
    var claimedCount: UInt16?

    init(_ files: [(String, [UInt8])] = []) {
        members = files.map { Member(name: Array($0.0.utf8), content: $0.1) }
    }

    init(json: String, _ files: [(String, [UInt8])] = []) { self.init([("Journal.json", Array(json.utf8))] + files) }

    var bytes: [UInt8] {
        var body: [UInt8] = []
        var directory: [UInt8] = []
        for member in members {
            let packed = member.packed ?? member.content
            let fields =
                Self.number(member.flags) + Self.number(member.method) + [0, 0, 0x21, 0x58]
                + Self.number(member.checksum ?? Self.checksum(member.content)) + Self.number(UInt32(packed.count))
                + Self.number(member.claimedByteCount ?? UInt32(member.content.count))
                + Self.number(UInt16(member.name.count)) + Self.number(UInt16(0))
            let offset = UInt32(body.count)
            body += [0x50, 0x4B, 3, 4] + Self.number(UInt16(20)) + fields + member.name + packed
            directory += [0x50, 0x4B, 1, 2] + Self.number(UInt16(20)) + Self.number(UInt16(20)) + fields
            directory += [UInt8](repeating: 0, count: 10) + Self.number(offset) + member.name
        }
        let count = Self.number(claimedCount ?? UInt16(members.count))
        return body + directory + [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + count + count
            + Self.number(UInt32(directory.count)) + Self.number(UInt32(body.count)) + [0, 0]
    }

    static func number(_ number: some FixedWidthInteger) -> [UInt8] {
        (0..<(number.bitWidth / 8)).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    /// CRC-32 as in ISO 3309.
    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var value: UInt32 = .max
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
        return ~value
    }
}

extension ZoneClock {
    static var system: ZoneClock {
        ZoneClock { zone, second in
            TimeZone(identifier: zone)?.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second))) ?? 0
        }
    }
}

extension ForeignDiary {
    var all: [ImportedEntry] { (0..<entryCount).compactMap { entry(at: $0).entry } }
    var allRemarks: [ImportRemark.Kind] {
        remarks.map(\.kind) + (0..<entryCount).flatMap { entry(at: $0).remarks }.map(\.kind)
    }

    func bytes(of media: ImportedMedia) throws -> [UInt8] {
        var bytes: [UInt8] = []
        let parts = try open(media)
        while let part = try parts() {
            try #require(part.count <= mediaPart && !part.isEmpty)
            bytes += part
        }
        return bytes
    }
}
