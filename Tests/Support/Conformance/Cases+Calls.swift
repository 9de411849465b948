import Wire

extension ConformanceCase {
    /// §1.4: Add.
    static let adding: [ConformanceCase] = [
        make("1.4", "the default class is ak, for certificates dk") { p in
            p.add("genp", ["svce": "s"])
            p.expect(p.find("genp", returns: .attributes).items.first?["pdmn"] == .string("ak"), "genp")
            p.add("cert", ["issr": .data([1])])
            p.expect(p.find("cert", returns: .attributes).items.first?["pdmn"] == .string("dk"), "cert")
        },
        make("1.4", "dates are set by the keychain, whatever the caller says") { p in
            p.add("genp", ["svce": "s", "cdat": .date(5), "mdat": .date(6)])
            let item = p.find("genp", returns: .attributes).items.first
            p.expect(item?["cdat"] != .date(5) && item?["cdat"] == item?["mdat"], "dates")
        },
        make("1.4", "an explicit foreign group is a missing entitlement") { p in
            p.expect(Status.missingEntitlement, p.add("genp", ["svce": "s", "agrp": "other"]))
        },
        make("1.4", "Add returns the reference") { p in
            let added = p.add("genp", ["svce": "s"])
            p.expect(added.items.first?.reference.bytes.count == 20, "reference")
        },
        make("1.4", "sync with access control is refused") { p in
            p.expect(Status.param, p.add("genp", ["svce": "s", "sync": 1, "accc": 1]))
        },
        make("1.4", "sync with a class of this device only is refused") { p in
            for code: AttributeValue in ["aku", "cku", "dku", "akpu"] {
                let answer = p.add("genp", ["svce": "s", "sync": 1, "pdmn": code])
                p.expect(answer.status == Status.param || answer.status == Status.authFailed, "\(answer.status)")
            }
        },
        make("1.4", "a refused Add leaves nothing") { p in
            p.add("genp", ["svce": "s", "crtr": .data([1])])
            p.expect(Status.notFound, p.find("genp"))
        },
    ]

    /// §1.4: CopyMatching.
    static let finding: [ConformanceCase] = [
        make("1.4", "nothing found is not found") { p in p.expect(Status.notFound, p.find("genp", ["svce": "none"])) },
        make("1.4", "the default limit is one") { p in
            p.add("genp", ["svce": "s", "acct": "a"])
            p.add("genp", ["svce": "s", "acct": "b"])
            p.expect(p.find("genp", ["svce": "s"]).items.count == 1, "one")
            p.expect(p.find("genp", ["svce": "s"], limit: nil).items.count == 2, "all")
            p.expect(p.find("genp", ["svce": "s"], limit: 5).items.count == 2, "five")
        },
        make("1.4", "without return flags there is only the status") { p in
            p.add("genp", ["svce": "s"])
            let answer = p.find("genp", ["svce": "s"])
            p.expect(Status.success, answer)
            p.expect(answer.items.first?.data == nil && answer.items.first?.attributes == nil, "existence only")
        },
        make("1.4", "attributes alone never carry the secret") { p in
            p.add("genp", ["svce": "s"], data: "hush")
            p.expect(p.find("genp", returns: .attributes).items.first?.data == nil, "data")
        },
        make("1.4", "the secret comes back byte for byte") { p in
            p.add("genp", ["svce": "s"], data: "a\u{0}b\nc\u{1f512}")
            p.expect(p.find("genp", returns: .data).items.first?.data == Array("a\u{0}b\nc\u{1f512}".utf8), "data")
        },
        make("1.4", "an empty secret is not an absent one") { p in
            p.add("genp", ["svce": "empty"], data: "")
            p.add("genp", ["svce": "none"], data: nil)
            p.expect(p.find("genp", ["svce": "empty"], returns: .data).items.first?.data == [], "empty")
            p.expect(p.find("genp", ["svce": "none"], returns: .data).items.first?.data == nil, "absent")
        },
        make("1.4", "the result of an attributes query is a query") { p in
            p.add("genp", ["svce": "s", "acct": "a", "labl": "l", "desc": "d"], data: "x")
            guard let found = p.find("genp", ["svce": "s"], returns: .attributes).items.first?.attributes else {
                return p.expect(false, "not found")
            }
            let again = p.find("genp", returns: .data) { $0.attributes = found }
            p.expect(again.items.first?.data == Array("x".utf8), "round trip \(again.status)")
        },
        make("1.4", "every attribute of a query narrows") { p in
            p.add("genp", ["svce": "s", "acct": "a", "desc": "d"])
            p.expect(Status.success, p.find("genp", ["svce": "s", "desc": "d"]))
            p.expect(Status.notFound, p.find("genp", ["svce": "s", "desc": "e"]))
            p.expect(Status.notFound, p.find("genp", ["svce": "s", "icmt": "d"]))
        },
        make("1.4", "an explicit foreign group is a missing entitlement in all four calls") { p in
            p.add("genp", ["svce": "s"])
            p.expect(Status.missingEntitlement, p.find("genp", ["agrp": "other"]))
            p.expect(Status.missingEntitlement, p.update("genp", ["agrp": "other"], to: ["labl": "x"]))
            p.expect(Status.missingEntitlement, p.remove("genp", ["agrp": "other"]))
        },
        make("1.4", "items come in the order in which they were added") { p in
            for name in ["c", "a", "b"] { p.add("genp", ["svce": "s", "acct": .string(name)]) }
            let found = p.find("genp", ["svce": "s"], returns: .attributes, limit: nil).items.map { $0["acct"] }
            p.expect(found == [.string("c"), .string("a"), .string("b")], "order")
        },
        make("1.4", "more than a page comes in pages, each item once") { p in
            for number in 0..<600 { p.add("genp", ["svce": "s", "acct": .number(Int64(number))], data: nil) }
            var seen: Set<AttributeValue> = []
            var cursor: UInt64 = 0
            repeat {
                let page = p.find("genp", returns: .attributes, limit: nil) { $0.cursor = cursor }
                for item in page.items { if let account = item["acct"] { seen.insert(account) } }
                cursor = page.end.next
            } while cursor != 0
            p.expect(seen.count == 600, "\(seen.count) of 600")
        },
        make("1.4", "a query by class finds that class alone") { p in
            p.add("genp", ["svce": "a", "pdmn": "ak"])
            p.add("genp", ["svce": "c", "pdmn": "ck"])
            let found = p.find("genp", ["pdmn": "ck"], returns: .attributes, limit: nil)
            p.expect(found.items.count == 1 && found.items.first?["svce"] == .string("c"), "class")
        },
    ]

    /// §1.4: Update.
    static let updating: [ConformanceCase] = [
        make("1.4", "Update of nothing is not found") { p in
            p.expect(Status.notFound, p.update("genp", ["svce": "s"], to: ["labl": "x"]))
        },
        make("1.4", "Update of all matches") { p in
            p.add("genp", ["svce": "s", "acct": "a"])
            p.add("genp", ["svce": "s", "acct": "b"])
            p.expect(Status.success, p.update("genp", ["svce": "s"], to: ["labl": "x"]))
            p.expect(p.find("genp", ["labl": "x"], limit: nil).items.count == 2, "both")
        },
        make("1.4", "Update without changes is refused") { p in
            p.add("genp", ["svce": "s"])
            p.expect(Status.param, p.update("genp", ["svce": "s"], to: [:]))
        },
        make("1.4", "Update changes the secret and keeps the attributes") { p in
            p.add("genp", ["svce": "s", "labl": "l"], data: "old")
            let former = p.find("genp", ["svce": "s"], returns: .persistentReference).items.first?.reference
            p.expect(Status.success, p.update("genp", ["svce": "s"], to: [:], data: "new"))
            let item = p.find("genp", ["labl": "l"], returns: [.data, .attributes, .persistentReference]).items.first
            p.expect(item?.data == Array("new".utf8), "secret")
            p.expect(former != nil && item?.reference == former, "reference")
        },
        make("1.4", "Update of attributes keeps the secret") { p in
            p.add("genp", ["svce": "s"], data: "old")
            p.update("genp", ["svce": "s"], to: ["labl": "x"])
            p.expect(p.find("genp", ["labl": "x"], returns: .data).items.first?.data == Array("old".utf8), "secret")
        },
        make("1.4", "Update keeps cdat and moves mdat") { p in
            p.add("genp", ["svce": "s"])
            let before = p.find("genp", returns: .attributes).items.first
            p.update("genp", ["svce": "s"], to: ["labl": "x"])
            let after = p.find("genp", returns: .attributes).items.first
            p.expect(before?["cdat"] == after?["cdat"], "cdat")
            guard case .date(let old)? = before?["mdat"], case .date(let new)? = after?["mdat"] else {
                return p.expect(false, "no dates")
            }
            p.expect(new > old, "mdat")
        },
        make("1.4", "a colliding Update is rolled back as a whole") { p in
            p.add("genp", ["svce": "s", "acct": "a"])
            p.add("genp", ["svce": "s", "acct": "b"])
            p.expect(Status.duplicate, p.update("genp", ["svce": "s"], to: ["acct": "c"]))
            p.expect(Status.success, p.find("genp", ["acct": "a"]))
            p.expect(Status.success, p.find("genp", ["acct": "b"]))
            p.expect(Status.notFound, p.find("genp", ["acct": "c"]))
        },
        make("1.4", "an Update to a taken key is a duplicate") { p in
            p.add("genp", ["svce": "s", "acct": "a"])
            p.add("genp", ["svce": "s", "acct": "b"])
            p.expect(Status.duplicate, p.update("genp", ["acct": "a"], to: ["acct": "b"]))
        },
        make("1.4", "after a change of its key, an item is found under the new one alone") { p in
            p.add("genp", ["svce": "s", "acct": "a"], data: "x")
            p.expect(Status.success, p.update("genp", ["acct": "a"], to: ["acct": "b"]))
            p.expect(Status.notFound, p.find("genp", ["acct": "a"]))
            p.expect(p.find("genp", ["acct": "b"], returns: .data).items.first?.data == Array("x".utf8), "moved")
            p.expect(Status.success, p.add("genp", ["svce": "s", "acct": "a"]))
        },
        make("1.4", "an Update to a foreign group is a missing entitlement") { p in
            p.add("genp", ["svce": "s"])
            p.expect(Status.missingEntitlement, p.update("genp", ["svce": "s"], to: ["agrp": "other"]))
        },
        make("1.4", "an Update may change the class") { p in
            p.add("genp", ["svce": "s"], data: "x")
            p.expect(Status.success, p.update("genp", ["svce": "s"], to: ["pdmn": "ck"]))
            let item = p.find("genp", ["pdmn": "ck"], returns: [.data, .attributes]).items.first
            p.expect(item?.data == Array("x".utf8) && item?["pdmn"] == .string("ck"), "class")
        },
    ]

    /// §1.4: Delete.
    static let removing: [ConformanceCase] = [
        make("1.4", "Delete of nothing is not found") { p in p.expect(Status.notFound, p.remove("genp", ["svce": "s"]))
        },
        make("1.4", "Delete of all matches, and of nothing else") { p in
            p.add("genp", ["svce": "s", "acct": "a"])
            p.add("genp", ["svce": "s", "acct": "b"])
            p.add("genp", ["svce": "t"])
            p.expect(Status.success, p.remove("genp", ["svce": "s"]))
            p.expect(p.find("genp", limit: nil).items.count == 1, "left")
        },
        make("1.4", "a deleted item can be added again") { p in
            p.add("genp", ["svce": "s"], data: "old")
            p.remove("genp", ["svce": "s"])
            p.expect(Status.success, p.add("genp", ["svce": "s"], data: "new"))
            p.expect(p.find("genp", returns: .data).items.first?.data == Array("new".utf8), "data")
        },
    ]
}
