import Linux
import Localization
import WidgetClient
import Wire

/// What the program tresor-pages does, from its arguments to its exit code.
package enum PageRun {
    /// Serves until a signal ends it; prints where.
    ///
    /// - Parameter arguments: without the program's name: a port, 0 for one that is free, and the origins whose pages
    ///   may show ours in a frame beside those of this machine.
    /// - Returns: the exit code, of those in sysexits.h.
    package static func run(_ arguments: [String]) -> Int32 {
        // 'tresor widget serve' has started it at a person's terminal, and pages are a person's as well.
        Localization.followEnvironment()
        let framers = arguments.dropFirst().map { PageOrigin($0) }
        guard let port = arguments.first.flatMap({ UInt16($0) }), !framers.contains(nil) else {
            return fail(
                localized("the arguments are a port and origins; 'tresor widget serve' starts this program"), 64)
        }
        do {
            try Sandbox.harden()
            // 'tresor widget serve' passes signals on, but for the one that nobody hears.
            try Sandbox.endWithParent()
            let home = try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
            let server = try PageServer(
                port: port, framers: PageOrigin.ownMachine + framers.compactMap { $0 },
                sources: LivePages(home: home).sources)
            for address in server.addresses { _ = try StandardStream.output.write(address + "\n") }
            try server.run()
            return 0
        } catch let error as PageServerError { return fail(words(error), 69) } catch { return fail("\(error)", 69) }
    }

    private static func words(_ error: PageServerError) -> String {
        switch error {
        case .portTaken(let port): localized("another program listens on port \(port); --port names another one")
        case .refused(let code): LinuxError(call: "bind", code: code).description
        case .system(let error): error.description
        }
    }

    private static func fail(_ words: String, _ code: Int32) -> Int32 {
        _ = try? StandardStream.error.write("tresor-pages: \(words)\n")
        return code
    }
}
