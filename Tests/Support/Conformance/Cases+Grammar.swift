import Wire

extension ConformanceCase {
    /// §1.1: what a query may say.
    static let grammar: [ConformanceCase] = [
        make("1.1", "a query without class and reference is refused") { p in
            p.expect(Status.param, p.find(nil, ["svce": "s"]))
        },
        make("1.1", "an item without class is refused") { p in p.expect(Status.param, p.add(nil, ["svce": "s"])) },
        make("1.1", "an unknown class is no such class") { p in
            p.expect(Status.noSuchClass, p.add("idnt", ["labl": "x"]))
            p.expect(Status.noSuchClass, p.find("genq", ["svce": "s"]))
        },
        make("1.1", "an attribute that the class lacks is no such attribute") { p in
            p.expect(Status.noSuchAttribute, p.add("inet", ["svce": "s"]))
            p.expect(Status.noSuchAttribute, p.find("genp", ["srvr": "s"]))
            p.expect(Status.noSuchAttribute, p.find("cert", ["acct": "s"]))
            p.expect(Status.noSuchAttribute, p.find("keys", ["svce": "s"]))
        },
        make("1.1", "nleg is ignored") { p in
            p.expect(Status.success, p.add("genp", ["svce": "s", "nleg": 1]))
            p.expect(Status.success, p.find("genp", ["svce": "s", "nleg": 1]))
        },
        make("1.1", "a value of the wrong type is refused") { p in
            p.expect(Status.param, p.add("genp", ["svce": "s", "crtr": .data([1])]))
            p.expect(Status.param, p.find("genp", ["acct": .date(0)]))
            p.expect(Status.param, p.find("genp", ["cdat": "yesterday"]))
        },
        make("1.1", "the internal attribute clip is refused everywhere") { p in
            p.expect(Status.param, p.add("genp", ["svce": "s", "clip": 1]))
            p.expect(Status.param, p.find("genp", ["clip": 1]))
            p.add("genp", ["svce": "s"])
            p.expect(Status.param, p.update("genp", ["svce": "s"], to: ["clip": 1]))
            p.expect(Status.param, p.remove("genp", ["clip": 1]))
        },
        make("1.1", "an unknown protection class is refused") { p in
            p.expect(Status.param, p.add("genp", ["svce": "s", "pdmn": "xk"]))
            p.expect(Status.param, p.find("genp", ["pdmn": "xk"]))
        },
        make("1.1", "an unknown access control is refused") { p in
            p.expect(Status.param, p.add("genp", ["svce": "s", "accc": 0x2000_0001]))
            p.expect(Status.param, p.add("genp", ["svce": "s", "accc": -1]))
        },
        make("1.1", "a reference beside another attribute is refused") { p in
            let added = p.add("genp", ["svce": "s"])
            for answer in [
                p.find(nil, ["svce": "s"]) { $0.persistentReference = added.items.first?.reference },
                p.update(nil, ["svce": "s"], to: ["labl": "x"]) {
                    $0.persistentReference = added.items.first?.reference
                },
                p.remove(nil, ["svce": "s"]) { $0.persistentReference = added.items.first?.reference },
            ] { p.expect(Status.param, answer) }
        },
        make("1.1", "skipping authenticated items is for reading only") { p in
            p.add("genp", ["svce": "s"])
            p.expect(
                Status.param, p.update("genp", ["svce": "s"], to: ["labl": "x"]) { $0.skipsAccessControlled = true })
            p.expect(Status.param, p.remove("genp", ["svce": "s"]) { $0.skipsAccessControlled = true })
            p.expect(Status.success, p.find("genp", ["svce": "s"]) { $0.skipsAccessControlled = true })
        },
        make("1.1", "without sync only local items are seen") { p in
            p.add("genp", ["svce": "s", "sync": 1])
            p.expect(Status.notFound, p.find("genp", ["svce": "s"]))
            p.expect(Status.success, p.find("genp", ["svce": "s", "sync": 1]))
        },
        make("1.1", "sync any sees both") { p in
            p.add("genp", ["svce": "s", "sync": 1])
            p.add("genp", ["svce": "s"])
            let both = p.find("genp", ["svce": "s"], limit: nil) { $0.matchesAnySynchronizable = true }
            p.expect(both.items.count == 2, "\(both.items.count) items")
        },
        make("1.1", "strict: a limit is refused in Update and Delete") { p in
            p.add("genp", ["svce": "s"])
            let strict = { (query: inout KeychainQuery) in
                query.profile = .strict
                query.hasLimit = true
            }
            p.expect(Status.param, p.update("genp", ["svce": "s"], to: ["labl": "x"], strict))
            p.expect(Status.param, p.remove("genp", ["svce": "s"], strict))
        },
        make("1.1", "strict: return flags are refused in Update") { p in
            p.add("genp", ["svce": "s"])
            p.expect(
                Status.param,
                p.update("genp", ["svce": "s"], to: ["labl": "x"]) {
                    $0.profile = .strict
                    $0.returns = .attributes
                })
        },
        make("1.1", "tolerant: limit and return flags are dropped in Update and Delete") { p in
            p.add("genp", ["svce": "s"])
            let tolerant = { (query: inout KeychainQuery) in
                query.hasLimit = true
                query.returns = .attributes
            }
            p.expect(Status.success, p.update("genp", ["svce": "s"], to: ["labl": "x"], tolerant))
            p.expect(Status.success, p.remove("genp", ["svce": "s"], tolerant))
        },
        make("1.1", "tolerant: mdat in a query is dropped") { p in
            p.add("genp", ["svce": "s"])
            p.expect(Status.success, p.find("genp", ["svce": "s", "mdat": .date(1)]))
        },
    ]

    /// §1.2: how values are converted and compared.
    static let conversion: [ConformanceCase] = [
        make("1.2", "a blob attribute keeps the type it was given in") { p in
            p.add("genp", ["svce": "s", "acct": .data([0x61, 0x62])])
            p.expect(
                p.find("genp", ["svce": "s"], returns: .attributes).items.first?["acct"] == .data([0x61, 0x62]), "type")
            p.add("genp", ["svce": "n", "acct": 7])
            p.expect(p.find("genp", ["svce": "n"], returns: .attributes).items.first?["acct"] == .number(7), "type")
        },
        make("1.2", "a string and the same bytes as data are equal for search") { p in
            p.add("genp", ["svce": "s", "acct": "abc"])
            p.expect(Status.success, p.find("genp", ["acct": .data(Array("abc".utf8))]))
        },
        make("1.2", "a string and the same bytes as data are one primary key") { p in
            p.add("genp", ["svce": "s", "acct": "abc"])
            p.expect(Status.duplicate, p.add("genp", ["svce": "s", "acct": .data(Array("abc".utf8))]))
        },
        make("1.2", "a decimal string becomes a number where one is wanted") { p in
            p.add("inet", ["srvr": "s", "port": "443"])
            p.expect(p.find("inet", ["srvr": "s"], returns: .attributes).items.first?["port"] == .number(443), "port")
            p.expect(Status.success, p.find("inet", ["port": 443]))
        },
        make("1.2", "another string stays a string where a number is wanted") { p in
            p.add("inet", ["srvr": "s", "ptcl": "http"])
            p.expect(
                p.find("inet", ["srvr": "s"], returns: .attributes).items.first?["ptcl"] == .string("http"), "ptcl")
            p.expect(Status.success, p.find("inet", ["ptcl": "http"]))
            p.expect(Status.notFound, p.find("inet", ["ptcl": "htps"]))
            p.add("inet", ["srvr": "z", "port": "0443"])
            p.expect(
                p.find("inet", ["srvr": "z"], returns: .attributes).items.first?["port"] == .string("0443"), "port")
        },
        make("1.2", "UTF-8 data becomes a string where one is wanted") { p in
            p.expect(Status.success, p.add("genp", ["svce": "s", "agrp": .data(Array(p.bench.defaultGroup.utf8))]))
            p.expect(
                p.find("genp", ["svce": "s"], returns: .attributes).items.first?["agrp"]
                    == .string(p.bench.defaultGroup), "agrp")
        },
        make("1.2", "data that is no UTF-8 is refused where a string is wanted") { p in
            p.expect(Status.param, p.add("genp", ["svce": "s", "agrp": .data([0xff])]))
        },
        make("1.2", "a string becomes data where data is wanted") { p in
            p.add("keys", ["klbl": "abc"])
            p.expect(
                p.find("keys", ["klbl": "abc"], returns: .attributes).items.first?["klbl"] == .data(Array("abc".utf8)),
                "klbl")
        },
        make("1.2", "search is exact: no case folding, no part") { p in
            p.add("genp", ["svce": "Mail", "acct": "anna"])
            p.expect(Status.success, p.find("genp", ["svce": "Mail"]))
            p.expect(Status.notFound, p.find("genp", ["svce": "mail"]))
            p.expect(Status.notFound, p.find("genp", ["svce": "Mai"]))
            p.expect(Status.notFound, p.find("genp", ["svce": "Mail "]))
        },
        make("1.2", "text is not normalised") { p in
            p.add("genp", ["svce": "caf\u{e9}"])
            p.expect(Status.notFound, p.find("genp", ["svce": "cafe\u{301}"]))
        },
    ]

    /// §1.3: what makes an item the same item.
    static let primaryKeys: [ConformanceCase] = [
        make("1.3", "genp: account and service") { p in
            p.add("genp", ["svce": "s", "acct": "a"])
            p.expect(Status.duplicate, p.add("genp", ["svce": "s", "acct": "a"]))
            p.expect(Status.success, p.add("genp", ["svce": "s", "acct": "b"]))
            p.expect(Status.success, p.add("genp", ["svce": "t", "acct": "a"]))
        },
        make("1.3", "genp: class, label and generic are not part of the key") { p in
            p.add("genp", ["svce": "s", "acct": "a"])
            for extra: [String: AttributeValue] in [["pdmn": "ck"], ["labl": "l"], ["gena": "g"]] {
                p.expect(Status.duplicate, p.add("genp", ["svce": "s", "acct": "a"].merging(extra) { $1 }))
            }
        },
        make("1.3", "an absent key attribute is its default") { p in
            p.add("genp", ["svce": "s"])
            p.expect(Status.duplicate, p.add("genp", ["svce": "s", "acct": ""]))
            p.expect(Status.success, p.find("genp", ["svce": "s", "acct": ""]))
        },
        make("1.3", "inet: each of its seven attributes") { p in
            let base: [String: AttributeValue] = ["srvr": "s", "acct": "a"]
            p.add("inet", base)
            p.expect(Status.duplicate, p.add("inet", base.merging(["labl": "other"]) { $1 }))
            for change: [String: AttributeValue] in [
                ["acct": "b"], ["sdmn": "d"], ["srvr": "t"], ["ptcl": "htps"], ["atyp": "form"], ["port": 8080],
                ["path": "/x"],
            ] { p.expect(Status.success, p.add("inet", base.merging(change) { $1 })) }
        },
        make("1.3", "inet: port 0 and no port are the same") { p in
            p.add("inet", ["srvr": "s"])
            p.expect(Status.duplicate, p.add("inet", ["srvr": "s", "port": 0]))
        },
        make("1.3", "cert: type, issuer and serial number") { p in
            let base: [String: AttributeValue] = ["issr": .data([1]), "slnr": .data([2])]
            p.add("cert", base)
            p.expect(Status.duplicate, p.add("cert", base.merging(["labl": "x"]) { $1 }))
            p.expect(Status.success, p.add("cert", base.merging(["slnr": .data([3])]) { $1 }))
            p.expect(Status.success, p.add("cert", base.merging(["ctyp": 3]) { $1 }))
        },
        make("1.3", "keys: class, label, tag, creator, type, sizes and dates") { p in
            let base: [String: AttributeValue] = ["klbl": .data([1]), "atag": "t"]
            p.add("keys", base)
            p.expect(Status.duplicate, p.add("keys", base.merging(["labl": "x"]) { $1 }))
            for change: [String: AttributeValue] in [
                ["kcls": 1], ["klbl": .data([2])], ["atag": "u"], ["crtr": 1], ["type": 42], ["bsiz": 256],
                ["esiz": 256],
                ["sdat": .date(1)], ["edat": .date(1)],
            ] { p.expect(Status.success, p.add("keys", base.merging(change) { $1 })) }
        },
        make("1.3", "kinds don't collide") { p in
            p.expect(Status.success, p.add("genp", ["labl": "x"]))
            p.expect(Status.success, p.add("inet", ["labl": "x"]))
        },
        make("1.3", "a local and a synchronizable item don't collide") { p in
            p.expect(Status.success, p.add("genp", ["svce": "s"]))
            p.expect(Status.success, p.add("genp", ["svce": "s", "sync": 1]))
        },
        make("1.3", "attributes come back without the secret and what is internal") { p in
            p.add("genp", ["svce": "s"])
            let item = p.find("genp", ["svce": "s"], returns: .attributes).items.first
            p.expect(item?.data == nil && item?["tomb"] == nil && item?["v_Da"] == nil, "leaked")
            p.expect(item?["agrp"] == .string(p.bench.defaultGroup) && item?["pdmn"] == .string("ak"), "defaults")
        },
    ]
}
