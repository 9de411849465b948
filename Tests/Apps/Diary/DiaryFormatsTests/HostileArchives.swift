import CZip
import DiaryFormats
import Foundation
import Testing

/// Archives that somebody made to harm, or that broke on the way.
@Suite struct HostileArchives {
    static let member = #""text":"x","photos":[{"identifier":"A","md5":"1","type":"jpeg"}]"#
    static let json = DayOneReading.journal(DayOneReading.entry(member))

    private func open(_ bytes: [UInt8], _ limits: ZipLimits = ZipLimits()) throws -> DayOneDiary {
        let folder = try Folder()
        return try DayOneDiary(try folder.write("x.zip", bytes), zone: "GMT", limits: limits)
    }

    @Test(arguments: [
        "../photos/1.jpeg", "photos/../photos/1.jpeg", "/photos/1.jpeg", "photos//1.jpeg", "photos/./1.jpeg",
        "photos\\1.jpeg", "C:/photos/1.jpeg", "photos/1.jpeg\n",
        "photos/" + String(repeating: "x", count: 2000) + "/1.jpeg",
    ])
    func `a name that leads elsewhere is not read`(_ name: String) throws {
        let diary = try open(HandmadeZip(json: Self.json, [(name, [1])]).bytes)
        #expect(diary.allRemarks == [.unsafeName, .missingMedia] && diary.all[0].media == [])
    }

    @Test func `an archive with a control character in a name is refused`() throws {
        let zip = HandmadeZip(json: Self.json, [("photos/\u{1B}[2J.jpeg", [1])])
        #expect(throws: DiaryFormatError.damaged) { try open(zip.bytes) }
    }

    @Test func `of two members of one name the first is read`() throws {
        let diary = try open(HandmadeZip(json: Self.json, [("photos/1.jpeg", [1]), ("photos/1.jpeg", [2])]).bytes)
        #expect(diary.allRemarks == [.doubleName])
        #expect(try diary.bytes(of: diary.all[0].media[0]) == [1])
    }

    @Test func `an encrypted member and one of a rare compression are said and not read`() throws {
        var zip = HandmadeZip(json: Self.json, [("photos/1.jpeg", [1]), ("photos/2.jpeg", [1])])
        zip.members[1].flags |= 1
        zip.members[2].method = 12
        #expect(try open(zip.bytes).allRemarks == [.encryptedMember, .unknownCompression, .missingMedia])
    }

    @Test func `a file whose checksum is wrong is damaged`() throws {
        var zip = HandmadeZip(json: Self.json, [("photos/1.jpeg", [1, 2, 3])])
        zip.members[1].checksum = 7
        let diary = try open(zip.bytes)
        #expect(throws: DiaryFormatError.damaged) { try diary.bytes(of: diary.all[0].media[0]) }
    }

    @Test func `an archive cut short anywhere is refused, and nothing else happens`() throws {
        let bytes = HandmadeZip(json: Self.json, [("photos/1.jpeg", [1])]).bytes
        for count in 0..<bytes.count {
            #expect(throws: DiaryFormatError.self) { try open(Array(bytes.prefix(count))) }
        }
    }

    @Test func `an archive with any byte changed is read or refused`() throws {
        let bytes = HandmadeZip(json: Self.json, [("photos/1.jpeg", [1])]).bytes
        let folder = try Folder()
        var readCount = 0
        for index in bytes.indices {
            for value in [0, 0xFF, bytes[index] ^ 1] {
                var changed = bytes
                changed[index] = value
                let path = try folder.write("x.zip", changed)
                guard let diary = try? DayOneDiary(path, zone: "GMT") else { continue }
                for entry in diary.all { for item in entry.media { _ = try? diary.bytes(of: item) } }
                readCount += 1
            }
        }
        #expect(readCount > 10)
    }

    @Test func `a count of members that no directory holds is refused before room is made`() throws {
        var zip = HandmadeZip(json: Self.json)
        zip.claimedCount = 60_000
        #expect(throws: DiaryFormatError.damaged) { try open(zip.bytes) }
        // A second end of the directory, as libzip would try it as well.
        var lie = HandmadeZip(json: Self.json).bytes.suffix(22)
        lie[lie.startIndex + 10] = 0xFF
        #expect(throws: DiaryFormatError.damaged) { try open(Array(lie) + HandmadeZip(json: Self.json).bytes) }
        // The larger form, which may claim four thousand million members.
        var bytes = HandmadeZip(json: Self.json).bytes
        let tail = Array(bytes.suffix(22))
        bytes.removeLast(22)
        let place = UInt64(bytes.count)
        bytes +=
            [0x50, 0x4B, 6, 6] + HandmadeZip.number(UInt64(44)) + [45, 0, 45, 0] + [UInt8](repeating: 0, count: 8)
        bytes += HandmadeZip.number(UInt64(1) << 32) + HandmadeZip.number(UInt64(1) << 32)
        bytes += HandmadeZip.number(UInt64(80)) + HandmadeZip.number(UInt64(0))
        bytes += [0x50, 0x4B, 6, 7, 0, 0, 0, 0] + HandmadeZip.number(place) + HandmadeZip.number(UInt32(1)) + tail
        #expect(throws: DiaryFormatError.damaged) { try open(bytes) }
    }

    @Test func `an archive of more members than the limit is refused`() throws {
        var limits = ZipLimits()
        limits.memberCount = 2
        let files = (0..<3).map { ("photos/\($0).jpeg", [UInt8(1)]) }
        #expect(throws: DiaryFormatError.tooLarge) { try open(HandmadeZip(json: Self.json, files).bytes, limits) }
    }

    @Test func `a file that grows a thousandfold is not unpacked, whatever it claims`() throws {
        let folder = try Folder()
        let path = folder.path + "/bomb.zip"
        try Self.makeBomb(path, json: Self.json, name: "photos/1.jpeg", byteCount: 64 << 20)
        for claim in [nil, UInt32(10)] {
            if let claim { try Self.lie(path, claim) }
            let diary = try DayOneDiary(path, zone: "GMT")
            var count = 0
            #expect(throws: DiaryFormatError.self) {
                let parts = try diary.open(try #require(diary.all.first?.media.first))
                while let part = try parts() { count += part.count }
            }
            #expect(count <= 17 << 20)
        }
    }

    @Test func `a journal that grows a thousandfold is not unpacked`() throws {
        let folder = try Folder()
        let path = folder.path + "/bomb.zip"
        try Self.makeBomb(path, json: Self.json, name: "Other.json", byteCount: 64 << 20)
        #expect(throws: DiaryFormatError.tooLarge) { try DayOneDiary(path, zone: "GMT") }
    }

    @Test func `all members together have a limit, and reading one again does not count`() throws {
        var limits = ZipLimits()
        let picture = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        limits.totalByteCount = UInt64(Self.json.utf8.count + picture.count)
        let diary = try open(HandmadeZip(json: Self.json, [("photos/1.jpeg", picture)]).bytes, limits)
        for _ in 0..<3 { #expect(try diary.bytes(of: diary.all[0].media[0]) == picture) }
        let larger = try open(HandmadeZip(json: Self.json, [("photos/1.jpeg", picture + [4])]).bytes, limits)
        #expect(throws: DiaryFormatError.tooLarge) { try larger.bytes(of: larger.all[0].media[0]) }
    }

    @Test func `what is no diary, no file or no zip file is told apart`() throws {
        #expect(throws: DiaryFormatError.notFound) { try DayOneDiary("/nowhere/x.zip", zone: "GMT") }
        #expect(throws: DiaryFormatError.damaged) { try open(Array("text".utf8)) }
        #expect(throws: DiaryFormatError.notADiary) { try open(HandmadeZip([("a.txt", [1])]).bytes) }
        #expect(throws: DiaryFormatError.damaged) { try open(HandmadeZip(json: "{").bytes) }
        #expect(throws: DiaryFormatError.notADiary) { try DayOneDiary("/dev/null", zone: "GMT") }
    }

    /// A zip file with a journal and a member of zeros, deflated by libzip.
    private static func makeBomb(_ path: String, json: String, name: String, byteCount: Int) throws {
        let zip = try #require(zip_open(path, ZIP_CREATE, nil))
        var parts: [UnsafeMutableRawBufferPointer] = []
        defer { parts.forEach { $0.deallocate() } }
        for (name, bytes) in [("Journal.json", Array(json.utf8)), (name, [UInt8](repeating: 0, count: byteCount))] {
            let part = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
            part.copyBytes(from: bytes)
            parts.append(part)
            let source = try #require(zip_source_buffer(zip, part.baseAddress, UInt64(part.count), 0))
            try #require(zip_file_add(zip, name, source, 0) >= 0)
        }
        try #require(zip_close(zip) == 0)
    }

    /// Changes what the last member's entry in the directory says of its size.
    private static func lie(_ path: String, _ byteCount: UInt32) throws {
        var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        let start = try #require(bytes.indices.last { bytes[$0...].starts(with: [0x50, 0x4B, 1, 2]) })
        bytes.replaceSubrange((start + 24)..<(start + 28), with: HandmadeZip.number(byteCount))
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
}
