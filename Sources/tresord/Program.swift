import Daemon
import Linux
import Logging
import Wire

@main
enum Program {
    static func main() {
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        let log = Logger(label: "tresord")
        ProcessExit.end(with: serve(log))
    }

    private static func serve(_ log: Logger) -> Int32 {
        do {
            try Sandbox.harden()
            let home = try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
            let folder = try CurrentProcess.executableDirectory()
            try DaemonLoop(home: home, enclaveProgram: folder + "/tresor-enclave", log: log).run()
            return 0
        } catch {
            let report = StartReport(error)
            log.critical("\(report.text)")
            return report.exitCode
        }
    }
}
