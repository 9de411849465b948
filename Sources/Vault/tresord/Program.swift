import Daemon
import Linux
import Logging

@main
enum Program {
    static func main() {
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        ProcessExit.end(with: DaemonProgram.run(log: Logger(label: "tresord")))
    }
}
