import Localization
package import Secrets

/// A property list: its structure on the heap, and every text and every byte of data in locked memory.
///
///     let list = try file.withBytes { try PropertyList($0) }
///     if case .dictionary(let fields) = list.root, case .string(let text)? = fields["Password"] {
///         let password = try list.secret(text)
///     }
///
/// Only the names of dictionaries' fields are strings here. What stands under them is a place in ``content``, and
/// becomes a `String` when somebody asks for one: a password never has to.
package struct PropertyList: ~Copyable, Sendable {
    /// A file may have as many bytes: a keychain's item can hold no more either.
    package static let byteLimit = 1024 * 1024
    /// Arrays and dictionaries inside of each other; profiles have about six.
    package static let depthLimit = 32
    /// Values in all, each counted as often as the list says it.
    package static let valueLimit = 50_000

    package let root: PropertyListValue
    /// What texts and data say, one behind the other.
    private let content: SecretBytes

    /// Reads a binary or an XML property list, whichever it is.
    ///
    /// - Throws: `PropertyListError`, for everything that is not exactly one list.
    package init(_ bytes: RawSpan) throws(PropertyListError) {
        guard bytes.byteCount <= Self.byteLimit else { throw PropertyListError(.tooLarge, 0) }
        do {
            var content = try SecretBuffer(capacity: bytes.byteCount)
            root =
                BinaryPropertyListReader.accepts(bytes)
                ? try BinaryPropertyListReader.read(bytes, into: &content)
                : try XMLPropertyListReader.read(bytes, into: &content)
            self.content = content.finish()
        } catch let error as PropertyListError { throw error } catch { throw PropertyListError(.outOfMemory, 0) }
    }

    /// A text of this list as a string, on the heap.
    ///
    /// Not for secrets.
    package borrowing func string(_ text: PropertyListContent) -> String {
        // Whoever read it has checked that it is UTF-8.
        String(decoding: bytes(text), as: UTF8.self)
    }

    /// Data of this list as an array, on the heap.
    ///
    /// Not for secrets.
    package borrowing func bytes(_ data: PropertyListContent) -> [UInt8] { lend(data) { $0.copyToArray() } }

    /// A text or data of this list, from locked memory to locked memory.
    package borrowing func secret(_ content: PropertyListContent) throws(SecretMemoryError) -> SecretBytes {
        try lend(content) { (bytes) throws(SecretMemoryError) in try SecretBytes(copying: bytes) }
    }

    /// Lends a text or data where it lies.
    package borrowing func lend<Result: ~Copyable, Failure: Error>(
        _ part: PropertyListContent, _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try content.withBytes { (bytes) throws(Failure) in
            try body(bytes.extracting(part.start..<part.start + part.count))
        }
    }
}

/// A value of a property list.
package indirect enum PropertyListValue: Sendable, Equatable {
    case bool(Bool)
    case integer(Int64)
    /// Finite.
    case real(Double)
    /// Seconds since 2001-01-01 00:00 UTC.
    case date(Double)
    case string(PropertyListContent)
    case data(PropertyListContent)
    case array([PropertyListValue])
    case dictionary([String: PropertyListValue])

    /// As property lists call it in XML, for messages.
    package var kind: String {
        switch self {
        case .bool: "boolean"
        case .integer: "integer"
        case .real: "real"
        case .date: "date"
        case .string: "string"
        case .data: "data"
        case .array: "array"
        case .dictionary: "dict"
        }
    }
}

/// Where a text or data lies among what a list holds.
package struct PropertyListContent: Sendable, Equatable {
    let start: Int
    /// Bytes; of a text, in UTF-8.
    package let count: Int
}

/// Why bytes are no property list that is read here.
///
/// It says where, and nothing of what stands there.
package struct PropertyListError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Reason: Sendable, Equatable {
        case neither
        case tooLarge
        case tooDeep
        case tooManyValues
        case circular
        case unused
        case duplicateKey
        case keyIsNoText
        case truncated
        case trailing
        case damaged
        case notText
        case encoding
        case documentType
        case entity
        case markup
        case attribute
        case number
        case date
        case base64
        case kind
        case outOfMemory
    }

    package let reason: Reason
    /// The byte, from 0.
    package let offset: Int

    init(_ reason: Reason, _ offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    package var description: String { localized("\(words) (at byte \(offset))") }

    private var words: String {
        switch reason {
        case .neither: localized("is neither an XML nor a binary property list")
        case .tooLarge: localized("has more than 1 MiB")
        case .tooDeep: localized("nests arrays and dictionaries more than 32 deep")
        case .tooManyValues: localized("has more than 50,000 values")
        case .circular: localized("has a value that contains itself")
        case .unused: localized("has an object that nothing refers to")
        case .duplicateKey: localized("says one field of a dictionary twice")
        case .keyIsNoText: localized("has a field whose name is no text")
        case .truncated: localized("is cut short")
        case .trailing: localized("goes on behind its end")
        case .damaged: localized("is damaged")
        case .notText: localized("has a text that is not in Unicode, or has characters that no text may have")
        case .encoding: localized("is in another encoding than UTF-8")
        case .documentType: localized("declares a document type of its own")
        case .entity: localized("has an entity that property lists do not have")
        case .markup: localized("has markup that property lists do not have")
        case .attribute: localized("has an attribute that property lists do not have")
        case .number: localized("has a number that is none, or too large")
        case .date: localized("has a date that is none")
        case .base64: localized("has data that is no base64")
        case .kind: localized("has a value of a kind that profiles do not have")
        case .outOfMemory: localized("needs more locked memory than there is")
        }
    }
}
