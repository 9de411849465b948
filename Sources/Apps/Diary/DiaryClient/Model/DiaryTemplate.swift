/// How an entry may begin; its text travels beside it.
package struct DiaryTemplate: Codable, Sendable, Equatable {
    /// 1 to 100 characters of one line; no two templates of a diary are called alike.
    package var name: String
    /// What an entry that begins with it is tagged with.
    package var tags: [String]

    /// - Parameter tags: of each entry that is begun from it.
    package init(name: String, tags: [String] = []) {
        self.name = name
        self.tags = tags
    }
}
