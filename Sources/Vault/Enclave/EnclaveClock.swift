package import Linux
import Secrets

/// The clock of the delays between tries: milliseconds that count suspend and can't be set.
package protocol EnclaveClock: ~Copyable {
    borrowing func milliseconds() -> UInt64
}

/// CLOCK_BOOTTIME.
package struct BootClock: EnclaveClock {
    package init() {}
    package func milliseconds() -> UInt64 { SystemClock.bootMilliseconds() }
}

/// A clock that a test turns: eight big-endian bytes at the start of a file.
///
/// Only the testing build of the enclave, which is never installed, has it.
package struct DescriptorClock: EnclaveClock, ~Copyable {
    private let file: FileDescriptor

    package init(_ file: consuming FileDescriptor) { self.file = file }

    package borrowing func milliseconds() -> UInt64 {
        guard let bytes = try? file.read(count: 8, at: 0), bytes.count == 8 else { return 0 }
        return bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
