package import Secrets

/// Frames on the native socket, and on those of programs that speak to ours.
///
/// See specs/wire.md.
package typealias Frame = StreamFrame

extension StreamFrame {
    /// The longest on the native socket.
    package static let nativeLimit = 1 << 20
}
