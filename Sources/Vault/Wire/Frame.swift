package import Secrets

/// Frames on the keychain socket, and on those of programs that speak to ours.
///
/// See specs/wire.md.
package typealias Frame = StreamFrame

extension StreamFrame {
    /// The longest on the keychain socket.
    package static let keychainLimit = 1 << 20
}
