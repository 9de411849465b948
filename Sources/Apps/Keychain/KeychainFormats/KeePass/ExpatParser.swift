// The one file of this target that touches raw pointers: expat takes nothing else.
import CExpat
import Secrets

/// What an XML file says, from front to back.
protocol XMLHandler: AnyObject {
    /// An element begins, on a line from 1.
    func begin(_ name: String, _ attributes: [String: String], line: Int) throws
    /// A part of a text; it lies in expat's memory, and has to be copied from there.
    func text(_ part: RawSpan) throws
    /// The element that began last, of those that are open, ends.
    func end() throws
}

/// An XML file in UTF-8 that is read by expat, a part at a time: no document type, and so no entities of its own.
@safe final class ExpatParser {
    private static let deepest = 64
    private static let longestName = 256
    /// Expat copies what it is given to its heap, which is not locked: so it is given little at a time.
    private static let partLength = 4096
    /// Bytes of a comment, or of a tag with its attributes; text comes in parts, however long it is.
    ///
    /// Expat begins anew with what it has only a part of, each time that it is given more: a comment of 8 MiB took it
    /// ten seconds, and one of 64 MiB a quarter of an hour.
    private static let longestToken = 64 * 1024

    private let parser: OpaquePointer
    private let handler: any XMLHandler
    private var depth = 0
    private var failure: (any Error)?

    private init(_ handler: any XMLHandler) throws {
        // Whatever the file says of its encoding: what is not UTF-8 is refused rather than converted.
        guard let made = unsafe XML_ParserCreate("UTF-8") else { throw SecretMemoryError() }
        unsafe parser = made
        self.handler = handler
    }

    deinit { unsafe XML_ParserFree(parser) }

    /// Reads a file whole.
    ///
    /// - Throws: what the handler throws; `KeychainFormatError`.
    static func parse(_ file: RawSpan, _ handler: any XMLHandler) throws {
        let parser = try ExpatParser(handler)
        try withExtendedLifetime(parser) { try parser.parse(file) }
    }

    private func parse(_ file: RawSpan) throws {
        unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        unsafe XML_SetElementHandler(
            parser,
            { user, name, attributes in unsafe ExpatParser.of(user)?.begin(name, attributes) },
            { user, _ in unsafe ExpatParser.of(user)?.end() })
        unsafe XML_SetCharacterDataHandler(parser) { user, text, count in
            unsafe ExpatParser.of(user)?.take(text, count)
        }
        unsafe XML_SetStartDoctypeDeclHandler(parser) { user, _, _, _, _ in
            let parser = unsafe ExpatParser.of(user)
            parser?.stop(with: KeychainFormatError(.documentType, line: parser?.line))
        }
        let isWhole = unsafe file.withUnsafeBytes { bytes in unsafe take(bytes) }
        if let failure { throw failure }
        guard isWhole else { throw error }
    }

    private func take(_ file: UnsafeRawBufferPointer) -> Bool {
        var start = 0
        repeat {
            let part = unsafe UnsafeRawBufferPointer(rebasing: file[start..<min(start + Self.partLength, file.count)])
            start += part.count
            let status = unsafe XML_Parse(
                parser, part.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(part.count),
                start == file.count ? 1 : 0)
            guard status == XML_STATUS_OK else { return false }
            // Where that begins which is not whole yet.
            guard start - Int(clamping: unsafe XML_GetCurrentByteIndex(parser)) <= Self.longestToken else {
                failure = KeychainFormatError(.malformed, line: line)
                return false
            }
        } while start < file.count
        return true
    }

    private var line: Int { Int(clamping: unsafe XML_GetCurrentLineNumber(parser)) }

    private var error: any Error {
        switch unsafe XML_GetErrorCode(parser) {
        case XML_ERROR_NO_MEMORY: SecretMemoryError()
        case XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_UNCLOSED_CDATA_SECTION,
            XML_ERROR_PARTIAL_CHAR:
            KeychainFormatError(.endsEarly, line: line)
        default: KeychainFormatError(.malformed, line: line)
        }
    }

    private func stop(with error: any Error) {
        guard failure == nil else { return }
        failure = error
        unsafe XML_StopParser(parser, 0)
    }

    /// Expat may call once more what it had begun when it was stopped.
    private func going(_ body: () throws -> Void) {
        guard failure == nil else { return }
        do { try body() } catch { stop(with: error) }
    }

    private func end() {
        going {
            depth -= 1
            try handler.end()
        }
    }

    private func begin(
        _ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) {
        guard let name = unsafe name else { return }
        let element = unsafe String(cString: name)
        var named: [String: String] = [:]
        if let attributes = unsafe attributes {
            var index = 0
            while let key = unsafe attributes[index], let value = unsafe attributes[index + 1] {
                unsafe named[String(cString: key)] = unsafe String(cString: value)
                index += 2
            }
        }
        going {
            guard depth < Self.deepest, element.utf8.count <= Self.longestName else {
                throw KeychainFormatError(.tooDeep, line: line)
            }
            depth += 1
            try handler.begin(element, named, line: line)
        }
    }

    private func take(_ text: UnsafePointer<CChar>?, _ count: Int32) {
        guard let text = unsafe text else { return }
        let bytes = unsafe UnsafeRawBufferPointer(start: text, count: Int(count))
        let span = unsafe RawSpan(_unsafeBytes: bytes)
        going { try handler.text(span) }
    }

    private static func of(_ user: UnsafeMutableRawPointer?) -> ExpatParser? {
        guard let user = unsafe user else { return nil }
        return unsafe Unmanaged<ExpatParser>.fromOpaque(user).takeUnretainedValue()
    }
}
