import Localization

/// What the machine runs in: said first, with weight 0, and never held against anybody.
enum SurroundingsProbes {
    /// The processor's flag `hypervisor`, Xen's folder, the device tree's node.
    static func virtualMachine(_ machine: MachineView) -> Observation {
        if machine.status("/sys/hypervisor/type") != nil || machine.status("/proc/device-tree/hypervisor") != nil {
            return .ok(marked("a virtual machine"))
        }
        guard let lines = machine.lines(of: "/proc/cpuinfo"),
            let flags = lines.first(where: { $0.hasPrefix("flags") })
        else { return .unknown(marked("the processor does not say whether this is a virtual machine")) }
        return flags.split(whereSeparator: \.isWhitespace).contains("hypervisor")
            ? .ok(marked("a virtual machine")) : .ok(marked("no mark of a virtual machine"))
    }

    /// The marks of Docker, Podman, Flatpak, and systemd's agreement (`/run/systemd/container`).
    static func container(_ machine: MachineView) -> Observation {
        let marks = ["/.dockerenv", "/run/.containerenv", "/run/systemd/container", "/.flatpak-info"]
        if marks.contains(where: { machine.status($0) != nil }) { return .ok(marked("a container")) }
        return machine.status("/proc/self/status") == nil
            ? .unknown(marked("there is no /proc to be seen")) : .ok(marked("no mark of a container"))
    }
}
