import Localization

/// Whether memory can reach a disk in clear.
enum SwapProbe {
    /// /proc/swaps of proc(5); an encrypted device by its device mapper's name, as cryptsetup gives it.
    ///
    /// A file cannot be judged from here: the disk below it may be encrypted.
    static func swap(_ machine: MachineView) -> Observation {
        guard let lines = machine.lines(of: "/proc/swaps"), let head = lines.first, head.hasPrefix("Filename") else {
            return .unknown(marked("the kernel does not say where it swaps to"))
        }
        let places = lines.dropFirst().map { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
        guard !places.isEmpty else { return .ok(marked("there is no swap")) }
        var cannotTell = false
        for place in places {
            guard place.count >= 2, place[1] == "partition", place[0].hasPrefix("/dev/") else {
                cannotTell = true
                continue
            }
            let device = String(place[0].dropFirst("/dev/".count))
            if !device.hasPrefix("zram") && !isEncrypted(device, machine, depth: 0) {
                return .bad(marked("memory is swapped to a disk that is not encrypted"))
            }
        }
        return cannotTell
            ? .unknown(marked("memory is swapped to a file, whose disk may be encrypted or not"))
            : .ok(marked("memory is swapped to encrypted disks, or compressed in memory"))
    }

    /// Itself, or all that it is made of: a logical volume on an encrypted partition.
    private static func isEncrypted(_ device: String, _ machine: MachineView, depth: Int) -> Bool {
        guard depth < 8, !device.contains("/"), device != "..", device != "." else { return false }
        let folder = "/sys/block/" + device
        if machine.line(of: folder + "/dm/uuid")?.hasPrefix("CRYPT-") == true { return true }
        let below = machine.names(in: folder + "/slaves")
        return !below.isEmpty && below.allSatisfy { isEncrypted($0, machine, depth: depth + 1) }
    }
}
