import Glibc
import WidgetHost

@main
struct Program {
    static func main() { exit(WidgetRun.run(Array(CommandLine.arguments.dropFirst()))) }
}
