import Secrets

/// Brings together what blocks stand in: paths as each side moved them, items as each side ticked them.
struct ContainerMerge {
    private let base: [Identifier: Block.Item]
    private let one: [Identifier: Block.Item]
    private let other: [Identifier: Block.Item]

    init(base: [Block], _ one: [Block], _ other: [Block]) {
        self.base = Self.items(of: base)
        self.one = Self.items(of: one)
        self.other = Self.items(of: other)
    }

    /// The path of a block, of which at least one side has a copy.
    ///
    /// A move to two places follows the first side; what an item is, is the same for all its blocks.
    func path(base: Block?, _ one: Block?, _ other: Block?) -> [Block.Container] {
        let paths = (base: base?.containers ?? [], one: one?.containers, other: other?.containers)
        let path = paths.one ?? paths.other ?? []
        guard let first = paths.one, let second = paths.other else { return path.map(merged) }
        let isKept = first.map(\.id) == paths.base.map(\.id) && base != nil
        return (isKept ? second : first).map(merged)
    }

    private func merged(_ container: Block.Container) -> Block.Container {
        guard case .item(let item) = container, let first = one[item.id], let second = other[item.id] else {
            return container
        }
        let base = base[item.id]
        var result = first
        result.list = choose(base?.list, first.list, second.list) { one, _ in one }
        result.number = choose(base?.number, first.number, second.number) { one, _ in one }
        result.isChecked = choose(base?.isChecked, first.isChecked, second.isChecked) { $0 == true ? $0 : $1 }
        result.isTight = choose(base?.isTight, first.isTight, second.isTight) { $0 && $1 }
        return .item(result)
    }

    /// What one side changed; what both changed is settled.
    private func choose<Value: Equatable>(
        _ base: Value?, _ one: Value, _ other: Value, settle: (Value, Value) -> Value
    ) -> Value {
        guard let base else { return one == other ? one : settle(one, other) }
        return ThreeWayMerge.pick(base: base, one, other) ?? settle(one, other)
    }

    private static func items(of blocks: [Block]) -> [Identifier: Block.Item] {
        var items: [Identifier: Block.Item] = [:]
        for case .item(let item) in blocks.lazy.flatMap(\.containers) where items[item.id] == nil {
            items[item.id] = item
        }
        return items
    }
}
