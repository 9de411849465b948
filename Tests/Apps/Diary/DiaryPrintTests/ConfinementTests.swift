import Foundation
import Glibc
import Linux
import Testing

/// What the program may still do when it has closed itself off: tried on threads of this process, which alone are bound.
@Suite struct ConfinementTests {
    enum Deed: CaseIterable {
        case readConfiguration, readFont
        case readPasswords, readOwnFolder, write, create, socket, execute, fork, kill, executableMemory

        var isAllowed: Bool { self == .readConfiguration || self == .readFont }
    }

    private static let hasLandlock = Sandbox.holds() == true
    private static let hasFonts = (try? FileSystem.status("/etc/fonts/fonts.conf")) != nil

    @Test(.enabled(if: hasLandlock && hasFonts, "needs Landlock and fontconfig"), arguments: Deed.allCases)
    func `fonts can be read, and nothing else be done`(_ deed: Deed) {
        let isDone = Self.behindTheFilter { Self.does(deed) }
        #expect(isDone == deed.isAllowed)
    }

    @Test func `memory, threads and time are left`() {
        #expect(
            true
                == Self.behindTheFilter {
                    var thread = pthread_t()
                    guard pthread_create(&thread, nil, { _ in nil }, nil) == 0, pthread_join(thread, nil) == 0 else {
                        return false
                    }
                    var time = timespec()
                    let memory = mmap(nil, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                    return memory != MAP_FAILED && munmap(memory, 1 << 20) == 0
                        && clock_gettime(CLOCK_MONOTONIC, &time) == 0
                })
    }

    /// What a deed came to, on a thread that ends with it.
    private static func behindTheFilter(_ deed: @escaping @Sendable () -> Bool) -> Bool? {
        let outcome = Outcome()
        let thread = Thread {
            if (try? Sandbox.denyFilesButFonts()) != nil, (try? Sandbox.restrictToDrawing()) != nil {
                outcome.isDone = deed()
            }
            outcome.end.signal()
        }
        thread.start()
        outcome.end.wait()
        return outcome.isDone
    }

    private final class Outcome: @unchecked Sendable {
        var isDone: Bool?
        let end = DispatchSemaphore(value: 0)
    }

    private static func does(_ deed: Deed) -> Bool {
        switch deed {
        case .readConfiguration: return opens("/etc/fonts/fonts.conf", O_RDONLY)
        case .readFont: return opens("/usr/share/fonts", O_RDONLY | O_DIRECTORY)
        case .readPasswords: return opens("/etc/passwd", O_RDONLY)
        case .readOwnFolder: return opens("/proc/self/environ", O_RDONLY)
        case .write: return opens("/etc/fonts/fonts.conf", O_RDWR)
        case .create: return opens("/var/cache/fontconfig/tresor-test", O_WRONLY | O_CREAT)
        case .socket: return socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) >= 0
        case .execute:
            // Where it were allowed, the tests would end here and be missed.
            var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/false"), nil]
            return execv("/bin/false", &arguments) == 0
        case .fork:
            var child: pid_t = 0
            var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/true"), nil]
            guard posix_spawn(&child, "/bin/true", nil, nil, &arguments, nil) == 0 else { return false }
            return waitpid(child, nil, 0) == child
        case .kill: return Glibc.kill(getpid(), 0) == 0
        case .executableMemory:
            let memory = mmap(nil, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            return memory != MAP_FAILED
        }
    }

    private static func opens(_ path: String, _ flags: Int32) -> Bool {
        let descriptor = Glibc.open(path, flags, 0o600)
        if descriptor >= 0 { close(descriptor) }
        return descriptor >= 0
    }
}
