import DiaryClient

/// The files of an entry while it is edited: those that it has, and those that are to become its own.
struct EntryFiles: Sendable, Equatable {
    enum State: Sendable, Equatable {
        /// The entry has it.
        case kept
        /// It waits on the connection for the entry.
        case staged
        /// It is still to be sent.
        case unsent
    }

    struct File: Sendable, Equatable {
        var summary: MediaSummary
        /// Of a file of this computer that is added.
        var path: String?
        var state: State
    }

    private(set) var all: [File]
    /// Files that were sent and are not wanted any more: the entry gets them, and lets go of them at once.
    private var unwanted = 0
    private(set) var selected = 0

    init(_ media: [MediaSummary] = []) { all = media.map { File(summary: $0, path: nil, state: .kept) } }

    var isEmpty: Bool { all.isEmpty }

    var selection: File? { all.indices.contains(selected) ? all[selected] : nil }

    /// The files that the entry has, in the order in which it is to have them.
    var kept: [String] { all.filter { $0.state == .kept }.map(\.summary.id) }

    /// How many wait on the connection.
    var stagedCount: Int { all.count { $0.state == .staged } + unwanted }

    /// The first that is still to be sent.
    var nextUnsent: String? { all.first { $0.state == .unsent }?.path }

    // MARK: Adding

    mutating func add(_ path: String) {
        let new = NewMedia(path: path)
        let summary = MediaSummary(
            id: "", kind: new.kind, name: new.name, mediaType: new.mediaType, byteCount: 0, facts: PhotoFacts(),
            hasThumbnail: false, problem: nil)
        all.append(File(summary: summary, path: path, state: .unsent))
        selected = all.count - 1
    }

    /// The first that was still to be sent is there.
    mutating func staged(_ file: MediaSummary) {
        guard let index = all.firstIndex(where: { $0.state == .unsent }) else { return }
        (all[index].summary, all[index].state) = (file, .staged)
    }

    /// The first that was still to be sent cannot be.
    ///
    /// - Returns: its path.
    mutating func dropUnsent() -> String? {
        guard let index = all.firstIndex(where: { $0.state == .unsent }) else { return nil }
        let path = all[index].path
        all.remove(at: index)
        selected = max(0, min(selected, all.count - 1))
        return path
    }

    // MARK: What became of them

    /// The entry has taken what was staged.
    mutating func taken() {
        for index in all.indices where all[index].state == .staged { all[index].state = .kept }
        unwanted = 0
    }

    /// What was staged is gone: a refused entry takes it, too.
    mutating func lost() {
        for index in all.indices where all[index].state == .staged { all[index].state = .unsent }
        unwanted = 0
    }

    /// The entry is gone, and with it what it had; what came from this computer can be sent again.
    mutating func forgetEntry() {
        lost()
        all.removeAll { $0.path == nil }
        for index in all.indices { all[index].state = .unsent }
        selected = max(0, min(selected, all.count - 1))
    }

    // MARK: Choosing and arranging

    mutating func select(_ index: Int) { selected = max(0, min(index, all.count - 1)) }

    /// Takes a file out.
    ///
    /// - Returns: the new numbers by the old ones, nil for the one that is gone; nil where there is no such file.
    mutating func remove(_ index: Int) -> ((Int) -> Int?)? {
        guard all.indices.contains(index) else { return nil }
        if all[index].state == .staged { unwanted += 1 }
        let count = all.count
        all.remove(at: index)
        selected = max(0, min(selected, all.count - 1))
        return { $0 == index ? nil : $0 > index && $0 < count ? $0 - 1 : $0 }
    }

    /// Puts a file at another place, and selects it.
    ///
    /// - Returns: the new numbers by the old ones; nil where nothing moves.
    mutating func move(_ index: Int, to place: Int) -> ((Int) -> Int?)? {
        guard all.indices.contains(index), all.indices.contains(place), index != place else { return nil }
        all.insert(all.remove(at: index), at: place)
        selected = place
        return { old in
            if old == index { return place }
            if old > index && old <= place { return old - 1 }
            return old < index && old >= place ? old + 1 : old
        }
    }
}
