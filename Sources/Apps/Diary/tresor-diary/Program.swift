import Diary
import Glibc

@main
struct Program {
    static func main() { exit(DiaryProgram.run()) }
}
