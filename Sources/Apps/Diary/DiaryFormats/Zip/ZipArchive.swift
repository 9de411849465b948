import Linux

/// What an archive may ask of us.
package struct ZipLimits: Sendable {
    /// Members; libzip keeps a few hundred bytes for each.
    package var memberCount = 250_000
    /// Bytes of a name with its folders.
    package var nameByteCount = 1024
    /// Bytes of all members together, unpacked.
    package var totalByteCount: UInt64 = 256 << 30
    /// How far a member may grow, and all of them.
    ///
    /// Photos do not, text does to five times its size; deflate reaches a thousand with a single byte repeated.
    package var ratio: UInt64 = 200
    /// Bytes that may grow as they like.
    package var harmlessByteCount: UInt64 = 16 << 20

    package init() {}
}

/// A zip file of somebody's, whose members are read and never become files.
///
/// The sizes in its directory are shown to people and otherwise not believed: what is counted is what comes out.
final class ZipArchive {
    struct Member {
        /// The names of its folders, and its own.
        let path: [String]
        let index: Int
        /// As the directory says.
        let byteCount: UInt64
    }

    private(set) var members: [Member] = []
    private(set) var remarks: [ImportRemark] = []
    private let input: ZipInput
    private let limits: ZipLimits
    private let fileByteCount: UInt64
    /// What each member has given at most; reading one twice counts once.
    private var unpacked: [Int: UInt64] = [:]
    private var total: UInt64 = 0

    init(_ file: consuming FileDescriptor, limits: ZipLimits) throws(DiaryFormatError) {
        self.limits = limits
        do {
            fileByteCount = UInt64(try file.byteCount())
            guard try ZipTail.memberCount(file) <= limits.memberCount else { throw DiaryFormatError.tooLarge }
        } catch let error as DiaryFormatError { throw error } catch { throw .unreadable }
        input = try ZipInput(file)
        guard input.memberCount <= limits.memberCount else { throw .tooLarge }
        list()
    }

    private func list() {
        var seen: Set<[String]> = []
        var counts: [ImportRemark.Kind: Int] = [:]
        for index in 0..<input.memberCount {
            guard let listing = input.listing(at: index) else { continue }
            // Folders have members of their own, which end with a slash.
            if listing.name.last == UInt8(ascii: "/") { continue }
            if let path = safePath(listing.name) {
                if listing.isEncrypted {
                    counts[.encryptedMember, default: 0] += 1
                } else if !listing.isReadable {
                    counts[.unknownCompression, default: 0] += 1
                } else if seen.insert(path).inserted {
                    members.append(Member(path: path, index: index, byteCount: listing.byteCount))
                } else {
                    counts[.doubleName, default: 0] += 1
                }
            } else {
                counts[.unsafeName, default: 0] += 1
            }
        }
        remarks = ImportRemark.Kind.allCases.compactMap { kind in
            counts[kind].map { ImportRemark(kind, count: $0) }
        }
    }

    /// Nil for a name that is absolute, climbs, or is none; nothing here opens a file by it all the same.
    private func safePath(_ name: [UInt8]) -> [String]? {
        guard name.count <= limits.nameByteCount, let text = String(validating: name, as: UTF8.self),
            !text.utf8.contains(where: { $0 < 32 || $0 == UInt8(ascii: "\\") })
        else { return nil }
        let path = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let isSafe = path.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." } && !path[0].hasSuffix(":")
        return isSafe ? path : nil
    }

    /// The parts of a member.
    ///
    /// They throw `tooLarge` at the part that is one too many, and `damaged`.
    func open(_ member: Member) throws(DiaryFormatError) -> MediaParts {
        let packed = min(input.listing(at: member.index)?.packedByteCount ?? 0, fileByteCount)
        let parts = try input.open(memberAt: member.index)
        var count: UInt64 = 0
        return { [self] in
            let bytes = try parts.next()
            if bytes.isEmpty { return nil }
            count += UInt64(bytes.count)
            try admit(member, count, packed)
            return bytes
        }
    }

    private func admit(_ member: Member, _ count: UInt64, _ packed: UInt64) throws(DiaryFormatError) {
        let known = unpacked[member.index, default: 0]
        if count > known {
            total += count - known
            unpacked[member.index] = count
        }
        guard isWithin(count, packed: packed), isWithin(total, packed: fileByteCount), total <= limits.totalByteCount
        else { throw .tooLarge }
    }

    private func isWithin(_ count: UInt64, packed: UInt64) -> Bool {
        let (most, isOver) = packed.multipliedReportingOverflow(by: limits.ratio)
        return isOver || count <= max(limits.harmlessByteCount, most)
    }
}
