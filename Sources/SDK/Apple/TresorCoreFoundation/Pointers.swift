package import Foundation

// The one place where these modules touch raw memory: Apple's calls return through pointers.

/// Writes what a call returns to where its caller wants it, if anywhere.
@safe package func store<Value>(_ value: Value, at pointer: UnsafeMutablePointer<Value>?) {
    unsafe pointer?.pointee = value
}

/// Writes an object that the caller has to release.
@safe package func store<Object>(retaining object: Object, at pointer: UnsafeMutablePointer<Unmanaged<Object>?>?) {
    if let pointer = unsafe pointer { unsafe pointer.pointee = Unmanaged.passRetained(object) }
}

/// Copies bytes to a caller's memory, which must have room for them behind `offset`.
@safe package func copy(_ bytes: RawSpan, to memory: UnsafeMutableRawPointer, at offset: Int) {
    unsafe bytes.withUnsafeBytes { source in
        guard let base = source.baseAddress else { return }
        unsafe (memory + offset).copyMemory(from: base, byteCount: source.count)
    }
}

extension Data {
    /// A copy of borrowed bytes, with no other copy in between.
    package init(copying bytes: RawSpan) { self = unsafe bytes.withUnsafeBytes { unsafe Data($0) } }
}
