import Codecs
import Secrets
import Testing

@Suite struct BinaryPropertyListTests {
    /// Objects one behind the other, their table and the trailer.
    private static func list(_ objects: [[UInt8]], gap: Int = 0) -> [UInt8] {
        var bytes = BinaryPropertyList.magic
        var offsets: [UInt8] = []
        for object in objects {
            offsets.append(UInt8(bytes.count))
            bytes += object + [UInt8](repeating: 0x09, count: gap)
        }
        let table = UInt8(bytes.count)
        bytes += offsets
        bytes += [0, 0, 0, 0, 0, 0, 1, 1]
        for number in [UInt8(objects.count), 0, table] { bytes += [0, 0, 0, 0, 0, 0, 0, number] }
        return bytes
    }

    private static func reason(
        _ bytes: [UInt8], most: Int = 100, isArchive: Bool = true
    ) -> BinaryPropertyListError.Reason? {
        do {
            try bytes.withSpan { (span) throws(BinaryPropertyListError) in
                let list = try BinaryPropertyList(span, most: most, isArchive: isArchive)
                for index in 0..<list.count where list.kind(index) == .array { _ = try list.references(index) }
            }
            return nil
        } catch { return error.reason }
    }

    @Test func `nulls, references and sets are an archive's alone`() {
        for object: [UInt8] in [[0x00], [0x80, 1], [0xC0]] {
            #expect(Self.reason(Self.list([object])) == nil)
            #expect(Self.reason(Self.list([object]), isArchive: false) == .kind)
        }
        #expect(Self.reason(Self.list([[0x70]])) == .kind)
    }

    @Test func `objects lie one right behind the other`() {
        #expect(Self.reason(Self.list([[0x08], [0x09]])) == nil)
        #expect(Self.reason(Self.list([[0x08], [0x09]], gap: 1)) == .damaged)
        #expect(Self.reason(Self.list([[0x52, 0x61]])) == .truncated)
    }

    @Test func `there are no more objects than may be, and none is referred to that is not there`() {
        #expect(Self.reason(Self.list([[0x08], [0x09]]), most: 1) == .tooManyObjects)
        #expect(Self.reason(Self.list([[0xA1, 0]])) == nil)
        #expect(Self.reason(Self.list([[0xA1, 1]])) == .damaged)
    }

    @Test func `objects say what they hold`() throws {
        let bytes = Self.list([[0x11, 0x01, 0x02], [0x62, 0, 0x61, 0, 0x62], [0x81, 0x01, 0x00], [0xD1, 1, 0]])
        try bytes.withSpan { (span) throws(BinaryPropertyListError) in
            let list = try BinaryPropertyList(span, most: 4, isArchive: true)
            let (integer, content, uid) = (list.integer(0), try list.content(1), try list.uid(2))
            #expect(integer == 258 && content.count == 4 && uid == 256)
            let references = try list.references(3)
            #expect(references == [1, 0])
        }
    }
}
