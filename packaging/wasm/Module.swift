// What a page can call in the module; the rest is in BrowserWidget. The only file here that meets a pointer.
import BrowserWidget

/// -1, or what ``BrowserWidget/resolve(lock:placement:isLuminanceReduced:)`` says.
@c(tresor_resolve)
public func resolve(lock: UInt32, placement: UInt32, luminance: UInt32) -> Int32 {
    guard let lock = UInt8(exactly: lock), let placement = UInt8(exactly: placement) else { return -1 }
    return BrowserWidget.resolve(lock: lock, placement: placement, isLuminanceReduced: luminance == 1) ?? -1
}

/// Four bytes that say how long it is, the lowest first, and the HTML; nil for numbers that are none.
///
/// - Parameters:
///   - secret: UTF-8, from `tresor_allocate`; nil where it is shut.
///   - count: of its bytes.
@c(tresor_render)
public func render(
    family: UInt32, reasons: UInt32, placement: UInt32, luminance: UInt32, secret: UnsafePointer<UInt8>?, count: UInt32
) -> UnsafeMutablePointer<UInt8>? {
    guard let family = UInt8(exactly: family), let reasons = UInt8(exactly: reasons),
        let placement = UInt8(exactly: placement)
    else { return nil }
    let appointment = unsafe secret.map {
        unsafe String(decoding: UnsafeBufferPointer(start: $0, count: Int(count)), as: UTF8.self)
    }
    guard
        let html = BrowserWidget.html(
            family: family, reasons: reasons, placement: placement, isLuminanceReduced: luminance == 1,
            appointment: appointment)
    else { return nil }
    let bytes = html.utf8
    let answer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 4 + bytes.count)
    for index in 0..<4 { unsafe answer[index] = UInt8(truncatingIfNeeded: bytes.count >> (8 * index)) }
    _ = unsafe UnsafeMutableBufferPointer(rebasing: answer[4...]).initialize(fromContentsOf: bytes)
    return answer.baseAddress
}
