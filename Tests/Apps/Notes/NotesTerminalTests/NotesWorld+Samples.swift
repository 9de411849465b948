import NotesClient

extension NotesWorld {
    /// The same, where two more cannot be searched: one without its text, one without its head.
    static var damaged: NotesWorld {
        var world = NotesWorld.sample
        var text = NoteSummary(id: "4d3fd6a7c4c51d6e", title: "Plans", created: 0, modified: 0, revision: 1)
        text.damage = [.text]
        var head = NoteSummary(id: "90b1c2d3e4f50617", title: "", created: 0, modified: 0, revision: 0)
        head.damage = [.head]
        (world.unread, world.damaged) = ([text, head], ["one", "two"])
        return world
    }

    /// A few notes, one locked, two in folders.
    static var sample: NotesWorld {
        var world = NotesWorld()
        world.add("# Shopping\n\n- [ ] oats\n- [x] tea\n- [ ] a long line that has to be folded in a narrow pane") {
            $0.isPinned = true
            $0.tags = ["home"]
        }
        world.add("# Bank\n\nPIN 4711") { $0.isLocked = true }
        world.add("# Garden plan\n\nBeans in May, tomatoes after the frost.") { $0.folder = "Home/Garden" }
        world.add("# Minutes\n\nWe met. There were biscuits.") {
            $0.folder = "Work"
            $0.attachmentCount = 2
        }
        return world
    }
}
