import Linux
import Localization

/// What code is mapped into this process: /proc/self/maps of proc(5).
enum CodeProbes {
    /// Where distributions and administrators install libraries; root's alone, or it does not count.
    static let systemFolders = ["/usr", "/lib", "/lib32", "/lib64", "/libx32", "/opt"]

    /// Code from files that are neither the program nor the system's nor allowed, which is how a library shows that has
    /// removed the variable by which it was loaded.
    ///
    /// - Parameter allowed: see ``IntegrityRules/allowedCode``.
    static func foreignCode(_ machine: MachineView, allowed: [String]) -> Observation {
        guard let mappings = mappings(machine), let program = machine.target(ofLink: "/proc/self/exe") else {
            return .unknown(marked("the memory map of this process cannot be read"))
        }
        let files = Set(mappings.filter { $0.isExecutable && $0.origin == .file }.map(\.path))
        let foreign = files.filter { path in
            path != program && !isAllowed(path, allowed) && !isSystemLibrary(path, machine)
        }
        guard !foreign.isEmpty else { return .ok(marked("all code is the program's, the system's or allowed")) }
        let inMemory = foreign.filter { $0.hasPrefix("/memfd:") }.count
        return .bad(words(foreign.count, inMemory: inMemory))
    }

    private static func words(_ count: Int, inMemory: Int) -> String {
        switch (count, inMemory) {
        case (1, 0): marked("code from 1 file that are neither the program's nor the system's")
        case (1, _):
            marked(
                """
                code from 1 file that are neither the program's nor the system's, \(inMemory) of them in memory only
                """)
        case (_, 0): marked("code from \(count) files that are neither the program's nor the system's")
        default:
            marked(
                """
                code from \(count) files that are neither the program's nor the system's, \(inMemory) of them in \
                memory only
                """)
        }
    }

    /// Memory that is writable and executable at once, and code that no file holds.
    ///
    /// Just-in-time compilers make both, and some libraries have one (PCRE2): set the weight to 0 in such a program.
    static func writableCode(_ machine: MachineView) -> Observation {
        guard let mappings = mappings(machine) else {
            return .unknown(marked("the memory map of this process cannot be read"))
        }
        let code = mappings.filter { $0.isExecutable && $0.origin != .kernel }
        let writable = code.filter(\.isWritable).count
        let anonymous = code.filter { $0.origin == .memory && !$0.isWritable }.count
        guard writable + anonymous > 0 else { return .ok(marked("no memory can be written and executed")) }
        return .bad(
            marked("memory areas that can be written and executed: \(writable); with code of no file: \(anonymous)"))
    }

    // MARK: The map

    private struct Mapping {
        enum Origin { case file, memory, kernel }

        let isWritable: Bool
        let isExecutable: Bool
        let path: String

        /// A line such as `7f3c-7f3d r-xp 00000000 fe:00 333151    /usr/lib/libc.so.6`.
        init?(_ line: String) {
            let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
            guard fields.count >= 5, fields[0].contains("-"), fields[1].utf8.count == 4 else { return nil }
            isWritable = fields[1].dropFirst().first == "w"
            isExecutable = fields[1].dropFirst(2).first == "x"
            path = fields.count > 5 ? String(fields[5].drop { $0 == " " }) : ""
        }

        var origin: Origin {
            // Only the kernel's own pages; it names the stack, the heap and named memory in brackets, too. Uprobes are
            // set by root, mostly to measure.
            if ["[vdso]", "[vsyscall]", "[vectors]", "[sigpage]", "[uprobes]"].contains(path) { return .kernel }
            if path.isEmpty || path.hasPrefix("[") || path.hasPrefix("/dev/zero (deleted)") { return .memory }
            return .file
        }
    }

    /// Nil where a line is not understood: a map that was read in part would show too little.
    private static func mappings(_ machine: MachineView) -> [Mapping]? {
        guard let lines = machine.lines(of: "/proc/self/maps") else { return nil }
        let mappings = lines.compactMap(Mapping.init)
        return mappings.count == lines.count && !mappings.isEmpty ? mappings : nil
    }

    // MARK: Files

    private static let deletedMark = " (deleted)"

    /// A library that an update has replaced since has lost its name; it lay in that folder.
    private static func withoutMark(_ path: String) -> String {
        path.hasSuffix(deletedMark) ? String(path.dropLast(deletedMark.count)) : path
    }

    private static func isAllowed(_ path: String, _ allowed: [String]) -> Bool {
        let name = withoutMark(path)
        return allowed.contains { entry in
            let entry = entry.hasSuffix("/") ? String(entry.dropLast()) : entry
            return !entry.isEmpty && (name == entry || name.hasPrefix(entry + "/"))
        }
    }

    /// Whether root alone can have put it there: in a system's folder, and everything on the path is root's.
    private static func isSystemLibrary(_ path: String, _ machine: MachineView) -> Bool {
        let name = withoutMark(path)
        guard systemFolders.contains(where: { name.hasPrefix($0 + "/") }) else { return false }
        var prefix = Substring(name)
        if name != path, let slash = prefix.lastIndex(of: "/") { prefix = prefix[..<slash] }
        while let slash = prefix.lastIndex(of: "/") {
            guard let status = machine.status(String(prefix)), machine.isSystems(status), !status.isSymbolicLink else {
                return false
            }
            prefix = prefix[..<slash]
        }
        return true
    }
}
