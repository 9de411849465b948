import Glibc
import Notes

@main
struct Program {
    static func main() { exit(NotesProgram.run()) }
}
