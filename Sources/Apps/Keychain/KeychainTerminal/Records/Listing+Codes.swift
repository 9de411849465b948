import Wire

extension Listing {
    /// Tells each login of the codes that go with it, as imports name them: by its title, and its account.
    mutating func joinCodes() {
        var codes: [CodeOwner: [Int]] = [:]
        for (index, record) in records.enumerated() {
            guard let name = record.codeOf else { continue }
            codes[CodeOwner(title: name.title, account: record.account), default: []].append(index)
        }
        guard !codes.isEmpty else { return }
        for index in records.indices where [.password, .internet].contains(records[index].kind) {
            records[index].code = code(of: records[index], among: codes)
        }
    }

    private func code(of login: Record, among codes: [CodeOwner: [Int]]) -> Record.Code? {
        var found: [Int] = []
        for title in [login.label, login.place] where found.isEmpty && !title.isEmpty {
            found = codes[CodeOwner(title: title, account: login.account)] ?? []
            // Two logins of one title are told apart by their servers.
            found.removeAll { index in records[index].codeOf?.server.map { $0 != login.place } ?? false }
        }
        let exact = found.first { records[$0].codeOf?.server == login.place }
        return (exact ?? found.first).flatMap { records[$0].code }
    }
}

private struct CodeOwner: Hashable {
    let title: String
    let account: String
}
