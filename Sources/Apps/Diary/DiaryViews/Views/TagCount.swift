package import DiaryClient

extension TagCount {
    /// All tags, the most used first, and equally used ones by their names.
    ///
    /// An entry that names a tag twice has it once.
    package static func counts(of entries: [EntryOutline]) -> [TagCount] {
        var counts: [String: Int] = [:]
        for entry in entries {
            for tag in Set(entry.tags) { counts[tag, default: 0] += 1 }
        }
        return counts.map { TagCount(tag: $0.key, count: $0.value) }
            .sorted { ($1.count, $0.tag) < ($0.count, $1.tag) }
    }
}
