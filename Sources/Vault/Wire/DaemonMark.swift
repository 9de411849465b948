/// What `tresord` writes into its lock file: by that it is found when it answers nobody any more.
///
/// Two decimal numbers and a newline: its process id, and when it started, in ticks of the boot clock (field 22 of
/// proc(5)'s stat). See specs/home.md.
package struct DaemonMark: Equatable, Sendable {
    /// Its process id, more than 1.
    package let process: Int32
    /// When it started, in ticks of the boot clock: with it the process id means this process and no later one.
    package let startTime: UInt64

    /// - Parameter startTime: ticks of the boot clock.
    package init(process: Int32, startTime: UInt64) {
        self.process = process
        self.startTime = startTime
    }

    /// - Returns: nil for anything but two numbers.
    package init?(_ bytes: [UInt8]) {
        let words = String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: false) {
            $0 == " " || $0 == "\n"
        }
        guard words.count == 3, words[2].isEmpty, let process = Int32(words[0]), process > 1,
            let startTime = UInt64(words[1])
        else { return nil }
        self.init(process: process, startTime: startTime)
    }

    /// As the lock file has them: two decimal numbers, a space between and a newline behind.
    package var bytes: [UInt8] { Array("\(process) \(startTime)\n".utf8) }
}
