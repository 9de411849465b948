import Enclave
import Glibc

/// The enclave with a clock that a test turns.
///
/// Never installed.
@main
enum Program {
    static func main() { exit(EnclaveMain.runWithTestClock()) }
}
