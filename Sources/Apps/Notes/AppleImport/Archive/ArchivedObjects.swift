import Codecs
import Secrets

/// Why a property list or an archive in one cannot be read.
struct ArchiveError: Error, Equatable {}

/// The objects of a binary property list, decoded one by one and never followed: whoever reads them takes one step at a
/// time.
struct ArchivedObjects {
    enum Object: Equatable {
        /// Null, a truth value, a real number or a date: nothing that we want.
        case other
        case integer(Int64)
        case data([UInt8])
        case string(String)
        case array([Int])
        case dictionary(keys: [Int], values: [Int])
        /// A reference inside a keyed archive.
        case uid(Int)
    }

    private let objects: [Object]
    let root: Int

    init(_ bytes: [UInt8]) throws(ArchiveError) {
        do {
            let read = try bytes.withSpan { (span) throws(BinaryPropertyListError) -> (objects: [Object], root: Int) in
                let list = try BinaryPropertyList(span, most: bytes.count, isArchive: true)
                var objects: [Object] = []
                for index in 0..<list.count { objects.append(try Self.object(index, of: list, bytes)) }
                return (objects: objects, root: list.root)
            }
            objects = read.objects
            root = read.root
        } catch { throw ArchiveError() }
    }

    private static func object(
        _ index: Int, of list: BinaryPropertyList, _ bytes: [UInt8]
    ) throws(BinaryPropertyListError) -> Object {
        switch list.kind(index) {
        // Sixteen bytes hold numbers that no field of ours has.
        case .integer: return list.integer(index).map(Object.integer) ?? .other
        case .data:
            let range = try list.content(index)
            return .data(Array(bytes[range]))
        case .ascii:
            let range = try list.content(index)
            return .string(String(decoding: bytes[range], as: UTF8.self))
        case .utf16:
            let range = try list.content(index)
            let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).map {
                UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
            }
            return .string(String(decoding: units, as: UTF16.self))
        case .uid: return .uid(try list.uid(index))
        case .array, .set: return .array(try list.references(index))
        case .dictionary:
            let all = try list.references(index)
            return .dictionary(keys: Array(all.prefix(all.count / 2)), values: Array(all.suffix(all.count / 2)))
        case .null, .bool, .real, .date: return .other
        }
    }
}

extension ArchivedObjects {
    /// The values of the dictionary that is the list's root, by their keys.
    subscript(key: String) -> Object? { reference(key, of: root).flatMap { object($0) } }

    func object(_ index: Int) -> Object? { objects.indices.contains(index) ? objects[index] : nil }

    /// The number of the object that dictionary `index` has under `key`.
    func reference(_ key: String, of index: Int) -> Int? {
        guard case .dictionary(let keys, let values)? = object(index),
            let position = keys.firstIndex(where: { object($0) == .string(key) }), position < values.count
        else { return nil }
        return values[position]
    }
}
