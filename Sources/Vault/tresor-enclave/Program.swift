import Enclave
import Glibc

@main
enum Program {
    static func main() { exit(EnclaveMain.run()) }
}
