package import Codecs
import Linux
import Synchronization

/// The time zone database of the system, which Debian's package tzdata installs: one file for each zone.
///
/// Where it is not installed, no name is known.
package enum TimeZoneDatabase {
    private static let folder = "/usr/share/zoneinfo/"
    private static let localFile = "/etc/localtime"
    private static let longestName = 64
    /// A diary asks for each of its entries; nobody has written in so many zones.
    private static let mostKept = 64
    private static let kept = Mutex<[String: TimeZoneRules]>([:])

    /// What is known of a zone; nil where there is no such file, or one that is damaged.
    ///
    /// A file is read once: what an update brings is seen by programs that start later.
    ///
    /// - Parameter name: as the database has it, `Europe/Oslo`.
    package static func rules(of name: String) -> TimeZoneRules? {
        guard isName(name) else { return nil }
        if let known = kept.withLock({ $0[name] }) { return known }
        guard let rules = read(folder + name) else { return nil }
        kept.withLock { zones in
            if zones.count >= mostKept { zones.removeAll() }
            zones[name] = rules
        }
        return rules
    }

    /// The name of the zone in which this program runs: what the variable TZ names, or else `/etc/localtime`.
    ///
    /// Nil where it has none in the database.
    package static var localName: String? { here.name }

    /// What is known of that zone, also where it has no name; nil where nothing is, and it counts as UTC.
    package static var local: TimeZoneRules? { here.rules }

    private static var here: (name: String?, rules: TimeZoneRules?) {
        let place = place(
            variable: CurrentProcess.environment("TZ"), link: try? FileSystem.target(ofLink: localFile))
        return place ?? (nil, read(localFile))
    }

    /// What the variable TZ says, or else the link; nil where neither says anything.
    ///
    /// - Parameter variable: a name, or a rule as POSIX writes it, `CET-1CEST,M3.5.0,M10.5.0/3`; empty for UTC, as the
    ///   C library takes it.
    static func place(variable: String?, link: String?) -> (name: String?, rules: TimeZoneRules?)? {
        if let variable {
            if let name = name(in: variable) { return (name, rules(of: name)) }
            if let rules = TimeZoneRules(rule: variable.isEmpty ? "UTC0" : variable) { return (nil, rules) }
        }
        return link.flatMap(name).map { ($0, rules(of: $0)) }
    }

    /// By how many seconds the clocks of that zone are ahead of UTC now.
    package static var localOffset: Int { local?.offset(at: SystemClock.wallMicroseconds() / 1_000_000) ?? 0 }

    /// What a variable or a link names: `Europe/Oslo`, `:Europe/Oslo`, `../usr/share/zoneinfo/Europe/Oslo`.
    static func name(in text: String) -> String? {
        var name = text[...]
        if let folder = name.firstRange(of: "/zoneinfo/") {
            name = name[folder.upperBound...]
        } else if name.hasPrefix(":") {
            name = name.dropFirst()
        }
        return rules(of: String(name)) == nil ? nil : String(name)
    }

    /// Whether a text can be a name of the database.
    ///
    /// All of them begin with a capital letter, which the other files of the folder do not; those count leap seconds,
    /// are lists, or the zone of this machine. Without a dot no path leads out of the folder.
    private static func isName(_ text: String) -> Bool {
        guard text.utf8.count <= longestName, let first = text.utf8.first, (0x41...0x5A).contains(first) else {
            return false
        }
        return text.utf8.split(separator: 0x2F, omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty && part.allSatisfy(isPlain)
        }
    }

    /// Letters, digits and `+-_`.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x5F: true
        default: false
        }
    }

    private static func read(_ path: String) -> TimeZoneRules? {
        do {
            let file = try FileDescriptor.open(path, FileFlags.readFollowing)
            guard try file.isRegular() else { return nil }
            return try TimeZoneRules(try file.read(count: TimeZoneRules.mostBytes + 1, at: 0))
        } catch { return nil }
    }
}
