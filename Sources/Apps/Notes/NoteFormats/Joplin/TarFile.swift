import Linux
import Localization

/// A tar file (POSIX.1-1988 ustar, with the long names of GNU and pax), looked through without unpacking anything.
struct TarFile {
    struct Entry {
        /// The path's last part; nothing is written by it.
        let name: String
        let directory: String
        let range: Range<Int>
    }

    let entries: [Entry]
    private let file: TarSource

    private static let block = 512
    private static let mostEntries = 1_000_000
    private static let longestName = 64 * 1024

    static func open(_ path: String) throws(NoteFormatError) -> TarFile {
        do {
            let file = try FileDescriptor.open(path, FileFlags.readFollowing)
            let count = try file.byteCount()
            return try TarFile(TarSource(file), count: count)
        } catch let error as NoteFormatError { throw error } catch {
            throw NoteFormatError(.unreadable, localized("The file cannot be read: \(String(describing: error))."))
        }
    }

    private init(_ file: TarSource, count: Int) throws(NoteFormatError) {
        self.file = file
        var found: [Entry] = []
        var offset = 0
        var longName: String?
        var isEnded = false
        while offset + Self.block <= count {
            let header = try file.read(offset..<offset + Self.block)
            // Two blocks of zeros end it.
            if header.allSatisfy({ $0 == 0 }) {
                isEnded = true
                break
            }
            guard Self.isChecked(header), let size = Self.number(header[124..<136]), size >= 0,
                size <= count - offset - Self.block
            else { throw NoteFormatError(.malformed, localized("It is no tar file, or is cut short or damaged.")) }
            let range = offset + Self.block..<offset + Self.block + size
            switch header[156] {
            case UInt8(ascii: "L"): longName = try Self.longName(file, range)
            case UInt8(ascii: "x"): longName = try Self.paxName(file, range) ?? longName
            case 0, UInt8(ascii: "0"):
                guard found.count < Self.mostEntries else {
                    throw NoteFormatError(.tooLarge, localized("It has more than \(Self.mostEntries) files."))
                }
                let path = longName ?? Self.path(header)
                let parts = path.split(separator: "/")
                found.append(
                    Entry(
                        name: parts.last.map(String.init) ?? "",
                        directory: parts.dropLast().last.map(String.init) ?? "",
                        range: range))
                longName = nil
            default: longName = nil
            }
            offset = range.upperBound + (Self.block - size % Self.block) % Self.block
        }
        guard isEnded || found.isEmpty else {
            throw NoteFormatError(.malformed, localized("It is cut short: its end is missing."))
        }
        guard !found.isEmpty else {
            throw NoteFormatError(.unknownFormat, localized("This is no tar file, or an empty one."))
        }
        entries = found
    }

    /// - Parameter limit: bytes that are taken into memory.
    func bytes(of entry: Entry, limit: Int) throws(NoteFormatError) -> [UInt8] {
        guard entry.range.count <= limit else {
            throw NoteFormatError(.tooLarge, localized("A file in it is larger than \(limit >> 20) MiB."))
        }
        return try file.read(entry.range)
    }

    private static func isChecked(_ header: [UInt8]) -> Bool {
        guard let wanted = number(header[148..<156]) else { return false }
        let sum = header.enumerated().reduce(0) { $0 + ((148..<156).contains($1.offset) ? 32 : Int($1.element)) }
        return sum == wanted
    }

    /// Octal, or where the first bit is set, GNU's binary form.
    private static func number(_ field: ArraySlice<UInt8>) -> Int? {
        if let first = field.first, first & 0x80 != 0 {
            guard first == 0x80, field.dropFirst().dropLast(8).allSatisfy({ $0 == 0 }) else { return nil }
            let value = field.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return Int(exactly: value)
        }
        let digits = field.drop { $0 == 32 }.prefix { $0 != 0 && $0 != 32 }
        return digits.isEmpty ? 0 : Int(String(decoding: digits, as: UTF8.self), radix: 8)
    }

    private static func path(_ header: [UInt8]) -> String {
        let text = { (range: Range<Int>) in String(decoding: header[range].prefix { $0 != 0 }, as: UTF8.self) }
        let prefix = Array(header[257..<262]) == Array("ustar".utf8) ? text(345..<500) : ""
        return prefix.isEmpty ? text(0..<100) : prefix + "/" + text(0..<100)
    }

    private static func longName(_ file: TarSource, _ range: Range<Int>) throws(NoteFormatError) -> String {
        guard range.count <= longestName else {
            throw NoteFormatError(.malformed, localized("A name in it is too long."))
        }
        return String(decoding: try file.read(range).prefix { $0 != 0 }, as: UTF8.self)
    }

    /// `LENGTH path=NAME` in a line.
    private static func paxName(_ file: TarSource, _ range: Range<Int>) throws(NoteFormatError) -> String? {
        guard range.count <= longestName else {
            throw NoteFormatError(.malformed, localized("A name in it is too long."))
        }
        let lines = String(decoding: try file.read(range), as: UTF8.self).split(separator: "\n")
        let path = lines.compactMap { line in
            line.split(separator: " ", maxSplits: 1).last.flatMap { $0.hasPrefix("path=") ? $0.dropFirst(5) : nil }
        }.first
        return path.map(String.init)
    }
}

/// A file that is read in places.
final class TarSource {
    private let file: FileDescriptor

    init(_ file: consuming FileDescriptor) { self.file = file }

    func read(_ range: Range<Int>) throws(NoteFormatError) -> [UInt8] {
        do {
            let bytes = try file.read(count: range.count, at: range.lowerBound)
            guard bytes.count == range.count else { throw NoteFormatError(.malformed, localized("It is cut short.")) }
            return bytes
        } catch let error as NoteFormatError { throw error } catch {
            throw NoteFormatError(.unreadable, localized("The file cannot be read: \(String(describing: error))."))
        }
    }
}

/// The heads of a tar file's entries.
enum TarHeader {
    static let block = 512
    /// What eleven octal digits count.
    static let largest = 1 << 33

    /// - Parameter name: of at most 100 bytes.
    static func bytes(_ name: String, byteCount: Int, seconds: Int64) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: block)
        let put = { (text: String, place: Int) in
            for (index, byte) in text.utf8.enumerated() { header[place + index] = byte }
        }
        let octal = { (value: Int, digits: Int) in
            let text = String(value, radix: 8)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        put(name, 0)
        put(octal(0o600, 7), 100)
        put(octal(0, 7), 108)
        put(octal(0, 7), 116)
        put(octal(byteCount, 11), 124)
        put(octal(Int(min(max(seconds, 0), 8_589_934_591)), 11), 136)
        put("        ", 148)
        put("0", 156)
        put("ustar", 257)
        put("00", 263)
        let sum = header.reduce(0) { $0 + Int($1) }
        put(octal(sum, 6), 148)
        header[154] = 0
        return header
    }

    /// Zeros up to the next block.
    static func padding(_ byteCount: Int) -> [UInt8] {
        [UInt8](repeating: 0, count: (block - byteCount % block) % block)
    }
}
