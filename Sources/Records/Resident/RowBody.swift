import FoundationEssentials

/// A body of many rows: JSON objects, a line feed behind each, made as the client takes them.
///
/// What is listed is decided when the request is answered, as a list of names; what each row says is read when it is
/// its turn. So a list of any length holds nobody up, and what goes on meanwhile neither leaves out a row nor doubles
/// one.
package final class RowBody {
    /// Bytes of a part, but for the last row of it.
    private static let partLength = 128 * 1024

    private let next: () throws -> (any Encodable)?
    private let encoder = JSONEncoder()

    /// - Parameter next: the next row; nil at the end. It is called on the thread that answers.
    package init(_ next: @escaping () throws -> (any Encodable)?) { self.next = next }

    /// - Parameters:
    ///   - names: of what is listed, in order.
    ///   - row: what is said of one; nil for one that is not there any more.
    package convenience init<Name>(of names: [Name], _ row: @escaping (Name) throws -> (any Encodable)?) {
        var next = 0
        self.init {
            while next < names.count {
                defer { next += 1 }
                if let row = try row(names[next]) { return row }
            }
            return nil
        }
    }

    /// The next part; nil at the end.
    package func nextPart() throws -> [UInt8]? {
        var part: [UInt8] = []
        while part.count < Self.partLength, let row = try next() {
            part += try encoder.encode(row)
            part.append(UInt8(ascii: "\n"))
        }
        return part.isEmpty ? nil : part
    }
}
