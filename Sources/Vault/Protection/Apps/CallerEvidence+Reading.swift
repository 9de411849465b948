// What files of the kernel and of sandboxes say, read strictly.
extension CallerEvidence {
    /// `snap.NAME.APP (enforce)`, a label that only root can load.
    package static func snap(_ label: String) -> String? {
        let parts = label.split(separator: " ")
        guard parts.count == 2, parts[1] == "(enforce)" else { return nil }
        let names = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        guard names.count >= 3, names[0] == "snap", !names[1].isEmpty else { return nil }
        return "snap:" + names[1]
    }

    /// The name in the section `[Application]` of flatpak's description of the sandbox.
    package static func flatpak(_ info: String) -> String? {
        var isApplication = false
        for line in info.split(separator: "\n") {
            if line.hasPrefix("[") {
                isApplication = line == "[Application]"
            } else if isApplication, line.hasPrefix("name=") {
                let name = String(line.dropFirst(5))
                return AccessGroup.isBundleIdentifier(name) ? "flatpak:" + name : nil
            }
        }
        return nil
    }

    /// The unit that root's service manager runs the process in; nil where it is the user's own.
    ///
    /// - Parameter lines: of /proc/PID/cgroup.
    package static func systemUnit(_ lines: [String]) -> String? {
        let path = lines.first { $0.hasPrefix("0::") }?.dropFirst(3)
        let parts = (path ?? "").split(separator: "/", omittingEmptySubsequences: true)
        guard let unit = parts.last, parts.first == "system.slice", unit.hasSuffix(".service"),
            parts.dropLast().allSatisfy({ $0.hasSuffix(".slice") })
        else { return nil }
        return String(unit)
    }
}
