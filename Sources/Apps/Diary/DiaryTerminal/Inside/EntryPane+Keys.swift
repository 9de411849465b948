import DiaryClient
import DiaryViews
import TerminalScreen

/// A list under keys.
extension EntryPane {
    mutating func press(_ key: Key, _ here: Surroundings) -> [PageWish] {
        let page = max(1, here.size.bodyHeight - 2)
        goesToEnd = false
        switch key {
        case .text("j"), .down: move(by: 1)
        case .text("k"), .up: move(by: -1)
        case .pageDown, .text(" "): move(by: page)
        case .pageUp: move(by: -page)
        case .home: move(by: -1_000_000)
        case .text("G"), .end:
            move(by: 1_000_000)
            goesToEnd = hasMore
        case .text("["): moveByDay(isLater: false)
        case .text("]"): moveByDay(isLater: true)
        case .enter: return selected.map { [.read($0)] } ?? []
        case .text("e"): return selected.map { [.edit($0)] } ?? []
        case .text("d"):
            guard let id = selected?.id else { return [] }
            return [.question(source == .trash ? .removal(id: id) : .deletion(id: id))]
        case .escape: return [.back]
        default: return [.dead(key)]
        }
        return requestForMore(near: here.size.bodyHeight).map { [.ask($0)] } ?? []
    }
}
