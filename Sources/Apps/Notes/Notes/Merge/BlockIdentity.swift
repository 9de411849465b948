import Secrets

/// Identities across an edit: a text editor knows nothing of them, a merge needs them.
package enum BlockIdentity {
    /// The new blocks with the identities of the old ones that they continue.
    ///
    /// Equal blocks in order come first, then equal ones that moved, then changed ones between them, the most similar
    /// first. No identity stands for two blocks; what continues nothing keeps its own. The sources stay as they are.
    package static func carry(from old: [SourceBlock], to new: [SourceBlock]) -> [SourceBlock] {
        let partners = BlockPairing.partners(from: old, to: new)
        var result = new
        var used: Set<Identifier> = []
        for (index, partner) in partners.enumerated() {
            guard let partner, used.insert(old[partner].id).inserted else { continue }
            result[index].id = old[partner].id
        }
        for (index, partner) in partners.enumerated() {
            let isCarried = partner.map { result[index].id == old[$0].id } ?? false
            while !isCarried, !used.insert(result[index].id).inserted { result[index].id = .makeRandom() }
        }
        return result
    }

    /// The new blocks with the containers of the old ones: blocks of one identity tell which continues which.
    static func carryContainers(from old: [MergeBlock], to new: [MergeBlock]) -> [MergeBlock] {
        let known = Dictionary(old.map { ($0.id, $0) }) { first, _ in first }
        var votes = ContainerVotes()
        for block in new {
            if let before = known[block.id] { votes.count(new: block, old: before) }
        }
        let renamed = votes.elect(among: new)
        return new.map { block in
            MergeBlock(id: block.id, containers: block.containers.map(renamed.apply), parts: block.parts)
        }
    }
}

/// Which new container or list continues which old one: each pair of blocks votes for those they stand in, from the
/// innermost out, since the outer ones are what an indent adds.
private struct ContainerVotes {
    private struct Vote: Hashable {
        let new: Identifier
        let old: Identifier
    }

    private var votes: [Vote: Int] = [:]
    private var order: [Vote] = []

    mutating func count(new: MergeBlock, old: MergeBlock) {
        for pair in zip(new.containers.reversed(), old.containers.reversed()) {
            switch pair {
            case (.quote(let new), .quote(let old)): add(Vote(new: new, old: old))
            case (.item(let new), .item(let old)):
                add(Vote(new: new.id, old: old.id))
                add(Vote(new: new.list, old: old.list))
            default: break
            }
        }
    }

    private mutating func add(_ vote: Vote) {
        if votes[vote] == nil { order.append(vote) }
        votes[vote, default: 0] += 1
    }

    /// The most votes win, then the first; nothing is given twice.
    func elect(among blocks: [MergeBlock]) -> Renaming {
        var names: [Identifier: Identifier] = [:]
        var taken: Set<Identifier> = []
        let ranked = order.enumerated().sorted { one, other in
            (votes[other.element, default: 0], one.offset) < (votes[one.element, default: 0], other.offset)
        }
        for vote in ranked.map(\.element) where names[vote.new] == nil {
            if taken.insert(vote.old).inserted { names[vote.new] = vote.old }
        }
        for id in blocks.flatMap(\.containers).flatMap(\.identifiers) where names[id] == nil {
            var name = id
            while !taken.insert(name).inserted { name = .makeRandom() }
            names[id] = name
        }
        return Renaming(names: names)
    }
}

private struct Renaming {
    let names: [Identifier: Identifier]

    func apply(_ container: Block.Container) -> Block.Container {
        switch container {
        case .quote(let id): return .quote(id: names[id] ?? id)
        case .item(var item):
            item.id = names[item.id] ?? item.id
            item.list = names[item.list] ?? item.list
            return .item(item)
        }
    }
}

extension Block.Container {
    fileprivate var identifiers: [Identifier] {
        switch self {
        case .quote(let id): [id]
        case .item(let item): [item.id, item.list]
        }
    }
}
