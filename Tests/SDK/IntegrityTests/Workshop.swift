import Foundation
import Glibc
import Testing

/// Libraries that a compiler makes for one test, in a folder that goes with it.
struct Workshop {
    let folder: String

    static func use(_ body: (Workshop) throws -> Void) throws {
        let workshop = Workshop(
            folder: NSTemporaryDirectory() + "tresor-workshop-" + UUID().uuidString.prefix(13))
        mkdir(workshop.folder, 0o755)
        // Whatever the umask: another user runs what lies in it.
        chmod(workshop.folder, 0o755)
        defer { try? FileManager.default.removeItem(atPath: workshop.folder) }
        try body(workshop)
    }

    func library(_ kind: Library) throws -> String {
        let file = folder + "/library.c"
        try kind.rawValue.write(toFile: file, atomically: true, encoding: .utf8)
        let library = folder + "/library.so"
        let made = try TestedProgram.run("/usr/bin/cc", ["-shared", "-fPIC", "-O1", "-o", library, file])
        try #require(made.code == 0)
        chmod(library, 0o755)
        return library
    }

    /// A copy of the tested program; with its last byte changed, where a linker puts tables that nobody loads.
    func copy(flippingLastByte: Bool = false) throws -> String {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: TestedProgram.path))
        if flippingLastByte { bytes[bytes.count - 1] ^= 1 }
        let copy = folder + (flippingLastByte ? "/changed" : "/program")
        try bytes.write(to: URL(fileURLWithPath: copy))
        chmod(copy, 0o755)
        return copy
    }

    /// What a library does as it is loaded.
    enum Library: String, Sendable {
        case plain = "__attribute__((constructor)) static void start(void) {}"
        /// Removes its variable as programs do, which leaves the bytes that the process was started with.
        case unsetting = """
            #include <stdlib.h>
            __attribute__((constructor)) static void start(void) { unsetenv("LD_PRELOAD"); }
            """
        /// Overwrites it as well.
        case hidden = """
            #include <stdlib.h>
            #include <string.h>
            __attribute__((constructor)) static void start(int argc, char **argv, char **envp) {
                for (char **entry = envp; *entry; entry++)
                    if (!strncmp(*entry, "LD_PRELOAD=", 11)) memset(*entry, 'x', strlen(*entry));
                unsetenv("LD_PRELOAD");
            }
            """
        case auditing = "unsigned la_version(unsigned version) { return version; }"
        /// Makes memory to write to and execute, and runs code from a file that has no name.
        case compiling = """
            #define _GNU_SOURCE
            #include <stdlib.h>
            #include <sys/mman.h>
            #include <unistd.h>
            __attribute__((constructor)) static void start(void) {
                mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
                int file = memfd_create("code", 0);
                if (ftruncate(file, 4096) != 0) abort();
                mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
            }
            """
    }
}
