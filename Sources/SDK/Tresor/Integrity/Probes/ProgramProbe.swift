import Envelopes
import Linux
import Localization

/// Whether the program's file is the one that was delivered.
enum ProgramProbe {
    /// Of the file that this process runs, /proc/self/exe, also where an update has replaced it since.
    static func digest(_ machine: MachineView, expected: ProgramDigest?) -> Observation {
        guard let expected else { return .unknown(marked("no digest was given to compare with")) }
        do {
            let file = try FileDescriptor.open(machine.place("/proc/self/exe"), FileFlags.readFollowing)
            let before = try FileIdentity(of: file)
            // A program that serves the file may show each reader another.
            guard before.isRegular, try !file.isServedByProgram() else {
                return .unknown(marked("the program's file is not one that a digest could stand for"))
            }
            let digest = try digest(of: file)
            guard try FileIdentity(of: file) == before else {
                return .unknown(marked("the program's file was changed while it was read"))
            }
            return digest == expected.bytes
                ? .ok(marked("the program's file is the expected one"))
                : .bad(marked("the program's file has another SHA-256 than expected"))
        } catch { return .unknown(marked("the program's file cannot be read")) }
    }

    private static func digest(of file: borrowing FileDescriptor) throws(LinuxError) -> [UInt8] {
        var digest = ContentDigest()
        var offset = 0
        while true {
            let piece = try file.read(count: 1 << 20, at: offset)
            if piece.isEmpty { return digest.finish() }
            digest.update(piece)
            offset += piece.count
        }
    }
}
