import Linux

/// On how many days each file was seen that lies aside.
///
/// A clock that is wrong for one day says that ninety are over. So a file has to be seen there on many days, each later
/// than the one before.
struct AsideDays {
    /// Of the record, among the files themselves.
    static let name = "days"
    private static let longest = 16 << 20

    /// The last day that was counted, in days since 1970; nil before the first.
    private var last: Int64?
    private var counts: [String: Int] = [:]

    /// - Parameter folder: where the files lie. A record that cannot be read counts for none: then all begins anew.
    init(in folder: String) {
        let path = folder + "/" + Self.name
        guard let size = (try? FileSystem.status(path))??.byteCount, size <= Self.longest,
            let bytes = try? FileSystem.read(path), let text = String(validating: bytes, as: UTF8.self)
        else { return }
        let lines = text.split(separator: "\n")
        guard let day = lines.first.flatMap({ Int64($0) }) else { return }
        last = day
        for line in lines.dropFirst() {
            let words = line.split(separator: " ")
            guard words.count == 2, let count = Int(words[1]), count > 0 else { continue }
            counts[String(words[0])] = count
        }
    }

    /// Takes a day down.
    ///
    /// - Parameter day: in days since 1970.
    /// - Returns: whether it is another than the last one, and whether it counts: one before it is a clock's fault.
    mutating func begin(_ day: Int64) -> (isNew: Bool, counts: Bool) {
        let former = last
        last = day
        return (isNew: day != former, counts: former.map { day > $0 } ?? true)
    }

    mutating func see(_ name: String) { counts[name, default: 0] += 1 }

    func count(of name: String) -> Int { counts[name] ?? 0 }

    /// Writes the record of the files that are there still.
    func store(in folder: String, of names: Set<String>) throws(LinuxError) {
        let path = folder + "/" + Self.name
        guard !names.isEmpty, let last else { return try FileSystem.remove(path) }
        let lines = counts.filter { names.contains($0.key) }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        let text = ([String(last)] + lines).joined(separator: "\n") + "\n"
        try FileSystem.replace(path, with: Array(text.utf8))
    }
}
