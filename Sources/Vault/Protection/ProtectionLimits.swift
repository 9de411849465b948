/// Lengths and numbers that hold on each of our sockets, and in the enclave behind them.
package enum ProtectionLimits {
    /// Of a passcode, in bytes of UTF-8.
    package static let passcode = 1024
    /// Of a wrapped key, and of whatever else stands for one, in bytes.
    package static let wrappedKey = 128
    /// Class keys that were destroyed and of which rows may be left.
    package static let destroyedKeys = 256
}
