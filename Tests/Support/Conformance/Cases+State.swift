import Wire

extension ConformanceCase {
    /// §1.5: references, tombstones, synchronizable items.
    static let references: [ConformanceCase] = [
        make("1.5", "a reference is four letters and sixteen bytes") { p in
            let bytes = p.add("inet", ["srvr": "s"]).items.first?.reference.bytes ?? []
            p.expect(bytes.count == 20 && Array(bytes.prefix(4)) == Array("inet".utf8), "shape")
        },
        make("1.5", "a reference alone is a whole query") { p in
            let reference = p.add("genp", ["svce": "s"], data: "x").items.first?.reference
            p.add("genp", ["svce": "t"], data: "y")
            let found = p.find(nil, returns: .data) { $0.persistentReference = reference }
            p.expect(found.items.count == 1 && found.items.first?.data == Array("x".utf8), "one item")
        },
        make("1.5", "a reference gives the same attributes as the query") { p in
            let reference = p.add("genp", ["svce": "s", "labl": "l"]).items.first?.reference
            let one = p.find("genp", ["svce": "s"], returns: .attributes).items.first?.attributes
            let other = p.find(nil, returns: .attributes) { $0.persistentReference = reference }.items.first?.attributes
            p.expect(one == other && one != nil, "same")
        },
        make("1.5", "a reference survives a change of the primary key") { p in
            let reference = p.add("genp", ["svce": "s"], data: "x").items.first?.reference
            p.update("genp", ["svce": "s"], to: ["svce": "t"])
            p.expect(
                p.find(nil, returns: .data) { $0.persistentReference = reference }.items.first?.data == Array("x".utf8),
                "moved")
        },
        make("1.5", "Update by reference does not touch siblings") { p in
            let reference = p.add("genp", ["svce": "s", "acct": "a"]).items.first?.reference
            p.add("genp", ["svce": "s", "acct": "b"])
            p.expect(Status.success, p.update(nil, to: ["labl": "x"]) { $0.persistentReference = reference })
            p.expect(p.find("genp", ["labl": "x"], limit: nil).items.count == 1, "one")
        },
        make("1.5", "a reference to a deleted item is not found") { p in
            let reference = p.add("genp", ["svce": "s"]).items.first?.reference
            p.expect(Status.success, p.remove(nil) { $0.persistentReference = reference })
            p.expect(Status.notFound, p.find(nil) { $0.persistentReference = reference })
        },
        make("1.5", "a deleted synchronizable item leaves a tombstone without data") { p in
            p.add("genp", ["svce": "s", "labl": "l", "sync": 1], data: "x")
            p.expect(Status.success, p.remove("genp", ["svce": "s", "sync": 1]))
            p.expect(Status.notFound, p.find("genp", ["svce": "s", "sync": 1]))
            let grave = p.find("genp", ["svce": "s", "sync": 1], returns: [.attributes, .data]) {
                $0.usesTombstones = true
            }
            p.expect(
                grave.items.count == 1 && grave.items.first?.data == nil && grave.items.first?["labl"] == nil, "grave")
        },
        make("1.5", "a deleted local item leaves none") { p in
            p.add("genp", ["svce": "s"])
            p.remove("genp", ["svce": "s"])
            p.expect(Status.notFound, p.find("genp", ["svce": "s"]) { $0.usesTombstones = true })
        },
        make("1.5", "tombstones can be asked for, or not, at Delete") { p in
            p.add("genp", ["svce": "s", "sync": 1])
            p.remove("genp", ["svce": "s", "sync": 1]) { $0.usesTombstones = false }
            p.expect(Status.notFound, p.find("genp", ["sync": 1]) { $0.usesTombstones = true })
        },
        make("1.5", "Add over a tombstone keeps the reference") { p in
            let first = p.add("genp", ["svce": "s", "sync": 1]).items.first?.reference
            p.remove("genp", ["svce": "s", "sync": 1])
            let again = p.add("genp", ["svce": "s", "sync": 1], data: "new")
            p.expect(Status.success, again)
            p.expect(again.items.first?.reference == first, "reference")
            p.expect(p.find("genp", ["sync": 1], returns: .data).items.first?.data == Array("new".utf8), "data")
        },
        make("1.5", "a changed key of a synchronizable item leaves a tombstone under the old one") { p in
            let reference = p.add("genp", ["svce": "s", "sync": 1]).items.first?.reference
            p.update("genp", ["svce": "s", "sync": 1], to: ["svce": "t"])
            let grave = p.find("genp", ["svce": "s", "sync": 1]) { $0.usesTombstones = true }
            p.expect(grave.items.count == 1 && grave.items.first?.reference != reference, "grave")
        },
        make("1.5", "Update onto a tombstone's key takes its place") { p in
            p.add("genp", ["svce": "s", "sync": 1])
            p.remove("genp", ["svce": "s", "sync": 1])
            let reference = p.add("genp", ["svce": "s"], data: "x").items.first?.reference
            p.expect(Status.success, p.update("genp", ["svce": "s"], to: ["sync": 1]))
            let moved = p.find("genp", ["svce": "s", "sync": 1], returns: [.data, .persistentReference])
            p.expect(moved.items.first?.data == Array("x".utf8), "data")
            p.expect(moved.items.first?.reference == reference, "reference")
            let all = p.find("genp", ["sync": 1], limit: nil) { $0.usesTombstones = true }
            p.expect(all.items.count == 1, "the tombstone is gone")
        },
        make("1.5", "tombstones are neither updated nor deleted by ordinary calls") { p in
            p.add("genp", ["svce": "s", "sync": 1])
            p.remove("genp", ["svce": "s", "sync": 1])
            p.expect(Status.notFound, p.update("genp", ["sync": 1], to: ["labl": "x"]))
            p.expect(Status.notFound, p.remove("genp", ["sync": 1]))
        },
    ]

    private static let classes = ["ak", "aku", "akpu", "ck", "cku", "dk", "dku"]

    private static func addAll(_ p: Probe) throws {
        try p.bench.setPasscode()
        for code in classes {
            p.expect(Status.success, p.add("genp", ["svce": .string(code), "pdmn": .string(code)], data: code))
        }
    }

    private static func expectOpen(_ open: Set<String>, _ p: Probe, line: Int = #line) {
        for code in classes {
            let wanted = open.contains(code) ? Status.success : Status.interactionNotAllowed
            p.expect(wanted, p.find("genp", ["svce": .string(code)], returns: .data), line: line)
            p.expect(wanted, p.find("genp", ["svce": .string(code)], returns: .attributes), line: line)
            p.expect(wanted, p.find("genp", ["svce": .string(code)]), line: line)
        }
    }

    /// §1.6: what opens in which lock state.
    static let lockStates: [ConformanceCase] = [
        make("1.6", "unlocked: every class opens") { p in
            try addAll(p)
            expectOpen(Set(classes), p)
        },
        make("1.6", "locked: ck and dk open, ak does not, not even its existence") { p in
            try addAll(p)
            try p.bench.lock()
            expectOpen(["ck", "cku", "dk", "dku"], p)
        },
        make("1.6", "before first unlock: dk alone opens") { p in
            try addAll(p)
            try p.restart()
            expectOpen(["dk", "dku"], p)
        },
        make("1.6", "unlocked again: every class opens") { p in
            try addAll(p)
            try p.restart()
            try p.bench.unlock()
            expectOpen(Set(classes), p)
        },
        make("1.6", "locked: an absent item is not found, a locked one is locked") { p in
            try addAll(p)
            try p.bench.lock()
            p.expect(Status.notFound, p.find("genp", ["svce": "nothing"]))
            p.expect(Status.interactionNotAllowed, p.find("genp", ["svce": "ak"]))
        },
        make("1.6", "before first unlock nothing is said to be absent") { p in
            try addAll(p)
            try p.restart()
            p.expect(Status.interactionNotAllowed, p.find("genp", ["svce": "nothing"]))
        },
        make("1.6", "no passcode: ak opens, Add of akpu fails") { p in
            p.expect(Status.authFailed, p.add("genp", ["svce": "s", "pdmn": "akpu"]))
            p.expect(Status.success, p.add("genp", ["svce": "s", "pdmn": "ak"]))
            p.expect(Status.authFailed, p.update("genp", ["svce": "s"], to: ["pdmn": "akpu"]))
        },
        make("1.6", "Add of a locked class is locked") { p in
            try p.bench.setPasscode()
            p.add("genp", ["svce": "warm"])
            try p.bench.lock()
            for code in ["ak", "aku", "akpu"] {
                p.expect(Status.interactionNotAllowed, p.add("genp", ["svce": "new", "pdmn": .string(code)]))
            }
            for code in ["ck", "dk"] {
                p.expect(Status.success, p.add("genp", ["svce": .string("new" + code), "pdmn": .string(code)]))
            }
        },
        make("1.6", "Add before first unlock is locked, whatever the class") { p in
            try addAll(p)
            try p.restart()
            p.expect(Status.interactionNotAllowed, p.add("genp", ["svce": "new", "pdmn": "dk"]))
            p.expect(Status.interactionNotAllowed, p.update("genp", ["svce": "dk"], to: ["labl": "x"]))
        },
        make("1.6", "limit all stops at the first locked row") { p in
            try addAll(p)
            try p.bench.lock()
            p.expect(Status.interactionNotAllowed, p.find("genp", returns: .attributes, limit: nil))
        },
        make("1.6", "limit all narrowed to an open class works") { p in
            try addAll(p)
            try p.bench.lock()
            let found = p.find("genp", ["pdmn": "ck"], returns: .attributes, limit: nil)
            p.expect(found.status == 0 && found.items.count == 1, "ck alone")
        },
        make("1.6", "ours: limit all may skip locked rows, and says how many") { p in
            try addAll(p)
            try p.bench.lock()
            let found = p.find("genp", returns: .attributes, limit: nil) { $0.skipsLocked = true }
            p.expect(found.items.count == 4 && found.end.locked == 3, "\(found.items.count), \(found.end.locked)")
        },
        make("1.6", "Update of a locked item is locked, and changes nothing") { p in
            try addAll(p)
            try p.bench.lock()
            p.expect(Status.interactionNotAllowed, p.update("genp", ["svce": "ak"], to: [:], data: "new"))
            try p.bench.unlock()
            p.expect(p.find("genp", ["svce": "ak"], returns: .data).items.first?.data == Array("ak".utf8), "unchanged")
        },
        make("1.6", "Delete of a local item works while it is locked") { p in
            try addAll(p)
            try p.bench.lock()
            p.expect(Status.success, p.remove("genp", ["svce": "ak"]))
            try p.bench.unlock()
            p.expect(Status.notFound, p.find("genp", ["svce": "ak"]))
        },
        make("1.6", "Delete by what the index does not know is locked while items are") { p in
            try addAll(p)
            try p.bench.lock()
            p.expect(Status.interactionNotAllowed, p.remove("genp", ["desc": "x"]))
        },
        make("1.6", "a duplicate of a locked item is a duplicate") { p in
            try addAll(p)
            try p.bench.lock()
            p.expect(Status.duplicate, p.add("genp", ["svce": "ak", "pdmn": "ck"]))
        },
        make("1.6", "removing the passcode removes akpu items, and no others") { p in
            try addAll(p)
            try p.bench.removePasscode()
            p.expect(Status.notFound, p.find("genp", ["svce": "akpu"]))
            for code in classes where code != "akpu" {
                p.expect(
                    p.find("genp", ["svce": .string(code)], returns: .data).items.first?.data == Array(code.utf8), code)
            }
            p.expect(Status.success, p.add("genp", ["svce": "akpu", "pdmn": "ak"]))
        },
        make("1.6", "access control opens with presence, once") { p in
            try p.bench.setPasscode()
            let reference = p.add("genp", ["svce": "s", "accc": 1], data: "x").items.first?.reference
            p.expect(Status.success, p.find("genp", ["svce": "s"], returns: .attributes))
            p.expect(Status.authFailed, p.find("genp", ["svce": "s"], returns: .data))
            guard let item = reference?.item else { return p.expect(false, "no reference") }
            p.expect(Status.success, p.provePresence("1234", item, operation: 1))
            p.expect(p.find("genp", ["svce": "s"], returns: .data).items.first?.data == Array("x".utf8), "opened")
            p.expect(Status.authFailed, p.find("genp", ["svce": "s"], returns: .data))
        },
        make("1.6", "a proof for reading does not change, nor one for another item open") { p in
            try p.bench.setPasscode()
            let one = p.add("genp", ["svce": "one", "accc": 1]).items.first?.reference
            p.add("genp", ["svce": "two", "accc": 1])
            guard let item = one?.item else { return p.expect(false, "no reference") }
            p.expect(Status.success, p.provePresence("1234", item, operation: 1))
            p.expect(Status.authFailed, p.find("genp", ["svce": "two"], returns: .data))
            p.expect(Status.authFailed, p.update("genp", ["svce": "one"], to: [:], data: "new"))
            p.expect(Status.success, p.find("genp", ["svce": "one"], returns: .data))
        },
        make("1.6", "items with access control can be left out") { p in
            try p.bench.setPasscode()
            p.add("genp", ["svce": "s", "acct": "a", "accc": 1])
            p.add("genp", ["svce": "s", "acct": "b"], data: "x")
            let found = p.find("genp", ["svce": "s"], returns: .data, limit: nil) { $0.skipsAccessControlled = true }
            p.expect(found.items.count == 1 && found.items.first?.data == Array("x".utf8), "left out")
        },
        make("1.6", "access control without a passcode cannot be added") { p in
            p.expect(Status.authFailed, p.add("genp", ["svce": "s", "accc": 1]))
        },
        make("1.6", "access control and sync that are no numbers are refused") { p in
            try p.bench.setPasscode()
            p.expect(Status.param, p.add("genp", ["svce": "s", "accc": "userPresence"]))
            p.expect(Status.param, p.add("genp", ["svce": "s", "sync": "syna"]))
            p.expect(Status.notFound, p.find("genp", ["svce": "s"]))
        },
        make("1.6", "an item with access control can be deleted without proof") { p in
            try p.bench.setPasscode()
            p.add("genp", ["svce": "s", "accc": 1])
            p.expect(Status.success, p.remove("genp", ["svce": "s"]))
        },
        make("1.6", "Delete of a locked synchronizable item is locked, for its tombstone must be written") { p in
            try p.bench.setPasscode()
            p.add("genp", ["svce": "s", "sync": 1])
            try p.bench.lock()
            p.expect(Status.interactionNotAllowed, p.remove("genp", ["svce": "s", "sync": 1]))
        },
        make("1.6", "a locked item without a label is not deleted as one with an empty label") { p in
            try p.bench.setPasscode()
            p.add("genp", ["svce": "none"])
            p.add("genp", ["svce": "empty", "labl": ""])
            try p.bench.lock()
            p.expect(Status.success, p.remove("genp", ["labl": ""]))
            try p.bench.unlock()
            p.expect(Status.success, p.find("genp", ["svce": "none"]))
            p.expect(Status.notFound, p.find("genp", ["svce": "empty"]))
        },
        make("1.6", "ours: before first unlock, skipping locked rows gives the open ones and counts the others") { p in
            try addAll(p)
            try p.restart()
            let all = p.find("genp", returns: .attributes, limit: nil) { $0.skipsLocked = true }
            p.expect(all.items.count == 2 && all.end.locked == 5, "\(all.items.count), \(all.end.locked)")
            let none = p.find("genp", ["pdmn": "ak"], returns: .attributes, limit: nil) { $0.skipsLocked = true }
            p.expect(none.items.isEmpty && none.end.locked == 1, "\(none.items.count), \(none.end.locked)")
        },
    ]
}
