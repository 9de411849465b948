import Secrets

/// Where a block stands after a merge: as each side moved it.
enum ContainerMerge {
    /// The path of a block, of which at least one side has a copy; a move to two places follows the first side.
    static func path(base: MergeBlock?, _ one: MergeBlock?, _ other: MergeBlock?) -> [Block.Container] {
        guard let first = one?.containers, let second = other?.containers else {
            return one?.containers ?? other?.containers ?? []
        }
        let isKept = base.map { $0.containers.map(\.id) == first.map(\.id) } ?? false
        return isKept ? second : first
    }
}
