import Glibc
import Synchronization

extension Sandbox {
    /// Whether Landlock denies what it was told to deny: tried on a thread of its own that ends afterwards.
    ///
    /// Nil where that cannot be tried: a kernel without Landlock, or a process that may gain privileges
    /// (PR_SET_NO_NEW_PRIVS is not set) and is not root. See landlock(7).
    package static func holds() -> Bool? {
        guard canOpenRoot() else { return nil }
        let outcome = Outcome()
        var thread = pthread_t()
        let argument = unsafe Unmanaged.passRetained(outcome)
        let result = unsafe pthread_create(
            &thread, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<Outcome>.fromOpaque(argument).takeRetainedValue().tryOut()
                return nil
            }, argument.toOpaque())
        guard result == 0 else {
            unsafe argument.release()
            return nil
        }
        pthread_join(thread, nil)
        return outcome.holds.withLock { $0 }
    }

    private final class Outcome: Sendable {
        let holds = Mutex<Bool?>(nil)

        func tryOut() {
            guard let version = try? Sandbox.denyFiles(), version > 0 else { return }
            let isDenied = !Sandbox.canOpenRoot()
            holds.withLock { $0 = isDenied }
        }
    }

    private static func canOpenRoot() -> Bool {
        do {
            _ = try FileDescriptor.open("/", FileFlags.directory)
            return true
        } catch { return false }
    }
}
