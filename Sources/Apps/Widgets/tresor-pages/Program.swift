import Glibc
import WidgetServer

@main
struct Program {
    static func main() { exit(PageRun.run(Array(CommandLine.arguments.dropFirst()))) }
}
