import Localization

/// What was done to this process: whether it is traced, how it was started, whether a sandbox keeps it.
enum ProcessProbes {
    /// `TracerPid` of /proc/self/status and of each thread's; proc(5).
    ///
    /// A process can be traced by a second one of its own to keep others away, so that this can be meant well.
    static func debugger(_ machine: MachineView) -> Observation {
        let threads = machine.names(in: "/proc/self/task").map { "/proc/self/task/\($0)/status" }
        guard let tracer = tracer(in: "/proc/self/status", machine) else {
            return .unknown(marked("/proc/self/status does not say whether a process traces this one"))
        }
        // One that has ended meanwhile is not traced.
        let isTraced = tracer != 0 || threads.contains { (self.tracer(in: $0, machine) ?? 0) != 0 }
        return isTraced ? .bad(marked("a process traces this one")) : .ok(marked("no process traces this one"))
    }

    private static func tracer(in path: String, _ machine: MachineView) -> Int? {
        let key = "TracerPid:"
        let line = machine.lines(of: path)?.first { $0.hasPrefix(key) }
        return line?.dropFirst(key.count).split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) }
    }

    /// The variables by which ld.so(8) loads other code or behaves otherwise, as they were at the start.
    ///
    /// A library that was loaded so can overwrite them; `foreign-code` finds it then. One program's memory allocator is
    /// another's attack: the names are all that is looked at.
    static func injectedVariables(_ machine: MachineView) -> Observation {
        guard let bytes = environment(machine) else {
            return .unknown(marked("the variables at the start cannot be read"))
        }
        let found = bytes.split(separator: 0).compactMap { entry -> String? in
            let name = String(decoding: entry.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
            // An empty one has no effect.
            return loaderVariables.contains(name) && entry.count > name.utf8.count + 1 ? name : nil
        }
        guard !found.isEmpty else { return .ok(marked("started without variables that load other code")) }
        let names = loaderVariables.filter(found.contains).joined(separator: ", ")
        return .bad(marked("started with \(names)"))
    }

    /// Landlock on a thread of its own: what it denies must be denied; landlock(7).
    static func sandbox(_ machine: MachineView) -> Observation {
        switch machine.ownProcess.sandboxHolds() {
        case true?: .ok(marked("a sandbox without files kept a thread from opening one"))
        case false?: .bad(marked("a sandbox without files did not keep a thread from opening one"))
        case nil: .unknown(marked("no sandbox could be tried: no Landlock, or new privileges are not given up"))
        }
    }

    private static let loaderVariables = ["LD_PRELOAD", "LD_AUDIT", "GLIBC_TUNABLES"]

    private static func environment(_ machine: MachineView) -> [UInt8]? {
        if case .bytes(let bytes) = machine.content("/proc/self/environ", limit: 8 << 20) { return bytes }
        return machine.ownProcess.startEnvironment()
    }
}
