/// What a cell holds (sqlite.org/datatype3.html).
package enum DatabaseValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    /// Whether the cell is empty.
    package var isNull: Bool { self == .null }

    /// A whole number, also one that is kept as a number with a point; nil for all else.
    package var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .real(let value): Int64(exactly: value)
        case .null, .text, .blob: nil
        }
    }

    /// A number; nil for all else.
    package var real: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .real(let value): value
        case .null, .text, .blob: nil
        }
    }

    /// A text; nil for all else.
    package var text: String? {
        switch self {
        case .text(let value): value
        case .null, .integer, .real, .blob: nil
        }
    }

    /// Bytes; nil for all else.
    package var bytes: [UInt8]? {
        switch self {
        case .blob(let value): value
        case .null, .integer, .real, .text: nil
        }
    }
}

/// What can be put into a statement in the place of a `?`.
package protocol DatabaseValueConvertible {
    /// As a cell holds it.
    var databaseValue: DatabaseValue { get }
}

extension DatabaseValue: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { self }
}

extension Int: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { .integer(Int64(self)) }
}

extension Int64: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { .integer(self) }
}

extension Bool: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { .integer(self ? 1 : 0) }
}

extension Double: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { .real(self) }
}

extension String: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { .text(self) }
}

extension [UInt8]: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { .blob(self) }
}

extension Optional: DatabaseValueConvertible where Wrapped: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { self?.databaseValue ?? .null }
}
