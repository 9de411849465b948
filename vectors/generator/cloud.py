"""cloud-modify, cloud-modified and cloud-changes."""

from generator.core import *
from generator.records import *
from generator.zones import *

# specs/cloud.md: a record as it travels ----------------------------------------------------------------------------

BATCH = bytes.fromhex("00112233445566778899aabbccddeeff")
ASSET, OTHER_ASSET, THIRD_ASSET = identifier("asset"), identifier("asset two"), identifier("asset three")
TAG = 4711
TOKEN = u32(1) + u64(TAG)
BACKGROUND_SIGNING_KEY = named("account background signing key")
GENESIS_ENTRY, ADD_ENTRY = log_entry(GENESIS), log_entry(ADD)
HEAD = sha256(ADD_ENTRY)


def travelling(nonce="record_good", content=b"hunter2 & co", flags=0, private=SIGNING_KEY, **changed):
    """A sealed record as its fields, signed by its writer."""
    context = {**RECORD, **changed}
    record_key, aad = named("record key"), record_aad(*context.values())
    wrapped = aes_key_wrap(ZONE_KEY, record_key)
    sealed = seal(record_key, nonce_of(nonce), padded_content(content), aad)
    signature = sign(private, sha256(aad + wrapped + sealed))
    del context["zone"]
    return {**context, "flags": flags, "wrapped_key": wrapped, "signature": signature, "sealed": sealed}


def record_parts(r):
    return [("record_name", r["name"]), ("record_type", u16(r["type"])), ("record_flags", u8(r["flags"])),
            ("record_generation", u32(r["generation"])), ("record_revision", u64(r["revision"])),
            ("record_writer", r["writer"]), ("record_head", r["head"]), ("record_wrapped_key", r["wrapped_key"]),
            ("record_signature", r["signature"]), ("record_length", u32(len(r["sealed"]))),
            ("record_sealed", r["sealed"])]


def joined(parts):
    return b"".join(data for _, data in parts)


def cut_in(parts, name):
    """All before a part, and half of it: of a part of one byte nothing."""
    names = [other for other, _ in parts]
    place = names.index(name)
    return joined(parts[:place]) + parts[place][1][:len(parts[place][1]) // 2]


def record_fields(prefix, r):
    return {f"{prefix}_{name}": value for name, value in r.items()}


# specs/cloud.md: modify --------------------------------------------------------------------------------------------


def wrap_of(generation, member, head):
    """A wrap is HPKE's, and nobody who decodes a batch looks into it."""
    wrap = named("wrap a") + named("wrap b") + named("wrap c", 16)
    return {"generation": generation, "member": member, "head": head, "wrap": wrap}


def link_of(generation):
    return {"generation": generation, "link": aes_key_wrap(named("zone key 2"), ZONE_KEY)}


EMPTY = {"purpose": "tresor cloud modify v1", "batch": BATCH, "zone": ZONE, "head": ZONE, "entries": [], "wraps": [],
         "links": [], "adopted": [], "released": [], "records": [], "key": 1}


def many(name, values, encode):
    parts = [(name, u32(len(values)))]
    for value in values:
        parts += encode(value)
    return parts


def unsigned_parts(m):
    return ([("purpose", field(m["purpose"])), ("batch", m["batch"]), ("zone", m["zone"]), ("head", m["head"])]
            + many("entries", m["entries"], lambda e: [("entry", field(e["entry"])),
                                                       ("entry_signature", e["signature"])])
            + many("wraps", m["wraps"],
                   lambda w: [("wrap", u32(w["generation"]) + w["member"] + w["head"] + w["wrap"])])
            + many("links", m["links"], lambda k: [("link", u32(k["generation"]) + k["link"])])
            + many("adopted", m["adopted"], lambda a: [("adopted_asset", a["asset"] + a["zone"])])
            + many("released", m["released"], lambda a: [("released_asset", a)])
            + many("records", m["records"], lambda r: [("condition", u64(r["condition"]))] + record_parts(r))
            + [("key", u8(m["key"]))])


def modify_parts(m, private=SIGNING_KEY):
    parts = unsigned_parts(m)
    return parts + [("signature", sign(private, sha256(joined(parts))))]


def modify_fields(m):
    fields = {name: m[name] for name in ("batch", "zone", "head", "key")}
    for name, one in [("entries", "entry"), ("wraps", "wrap"), ("links", "link"), ("adopted", "adopted"),
                      ("records", "record")]:
        fields[name] = len(m[name])
        for number, value in enumerate(m[name], 1):
            for part, data in value.items():
                fields[f"{one}_{number}" + ("" if part == one else f"_{part}")] = data
    fields["released"] = len(m["released"])
    for number, asset_name in enumerate(m["released"], 1):
        fields[f"released_{number}"] = asset_name
    return fields


def entry_of(entry, private=SIGNING_KEY):
    return {"entry": entry, "signature": sign(private, entry)}


def write(condition, record):
    return {"condition": condition, **record}


ONE_RECORD = {**EMPTY, "records": [write(0, travelling())]}
REMOVE = {**ADD, "number": 2, "previous": HEAD, "operation": 3, "time": ADD["time"] + 1}
ROTATE = {**GENESIS, "zone": ZONE, "number": 3, "previous": sha256(log_entry(REMOVE)), "operation": 5,
          "generation": 2, "commitment": commitment(2, named("zone key 2")), "time": ADD["time"] + 2}
ALL_PARTS = {
    **EMPTY, "head": HEAD, "entries": [entry_of(log_entry(REMOVE)), entry_of(log_entry(ROTATE))],
    "wraps": [wrap_of(2, ACCOUNT, sha256(log_entry(ROTATE)))], "links": [link_of(2)],
    "adopted": [{"asset": ASSET, "zone": ZEROS}], "released": [THIRD_ASSET],
    "records": [write(TAG, travelling(revision=8, generation=2, head=sha256(log_entry(ROTATE))))],
}


def modify_good():
    def batch_good(name, about, m, private=SIGNING_KEY):
        parts = modify_parts(m, private)
        good(f"cloud-modify/{name}.txt", about, **modify_fields(m), private_key=private,
             public_key=signing_public(private), hash=sha256(joined(parts[:-1])), signature=parts[-1][1], body=joined(parts))

    batch_good("one_record", "a record that is new", ONE_RECORD)
    tombstone = travelling(content=b"", flags=1, revision=8)
    batch_good("tombstone", "a record that was there is removed", {**EMPTY, "records": [write(TAG, tombstone)]})
    batch_good("genesis", "a zone is made, with its owner's wrap and a first record",
               {**ONE_RECORD, "head": ZEROS, "entries": [entry_of(GENESIS_ENTRY)],
                "wraps": [wrap_of(1, ACCOUNT, ZONE)]})
    batch_good("remove_and_rotate", "a member goes, and a key comes that it does not have: each part has one, or two",
                ALL_PARTS)
    background = travelling(flags=2, private=BACKGROUND_SIGNING_KEY)
    batch_good("by_background_key", "record and batch by the key that is at hand while the device is locked",
                {**EMPTY, "records": [write(0, background)], "key": 2}, BACKGROUND_SIGNING_KEY)
    adopted = [{"asset": ASSET, "zone": ZEROS}, {"asset": OTHER_ASSET, "zone": named("other zone")}]
    batch_good("adopted_and_released", "two assets come, one of them from another zone, and one goes",
                {**EMPTY, "adopted": adopted, "released": [THIRD_ASSET]})
    batch_good("nothing", "a batch of nothing, by which a head is asked for", EMPTY)


def modify_refused():
    def refused(name, about, error="invalid", body=None, base=ONE_RECORD, **changed):
        data = joined(modify_parts({**base, **changed})) if body is None else body
        vector(f"cloud-modify/{name}.txt", about, ("decoder", error), body=data)

    def counted(name, about, part, count):
        parts = unsigned_parts(EMPTY)
        start = joined(parts[:[other for other, _ in parts].index(part)])
        refused(name, about, "tooLong", start + u32(count))

    def record(file, about, **changed):
        refused(file, about, records=[write(0, {**travelling(), **changed})])

    refused("other_purpose", "the purpose ends in v2", purpose="tresor cloud modify v2")
    refused("purpose_65_bytes", "a purpose longer than any", "tooLong", field("t" * 65))
    record("type_128", "a type that never leaves its device", type=128)
    record("flags_4", "a flag that there is not", flags=4)
    record("sealed_91_bytes", "sealed bytes one fewer than of the shortest record", sealed=travelling()["sealed"][:-1])
    record("name_zero", "a record without a name", name=bytes(16))
    record("writer_zero", "a record without a writer", writer=bytes(16))
    record("record_head_zero", "a record at no head of a log", head=ZEROS)
    parts = unsigned_parts(ONE_RECORD)
    cut = joined(parts[:[name for name, _ in parts].index("record_length")])
    refused("sealed_too_long", "a length of sealed bytes one above the limit", "tooLong", cut + u32(20_971_521))
    counted("entries_17", "17 entries", "entries", 17)
    counted("wraps_4097", "4,097 wraps", "wraps", 4_097)
    counted("links_17", "17 links", "links", 17)
    counted("adopted_1001", "1,001 assets that come", "adopted", 1_001)
    counted("released_1001", "1,001 assets that go", "released", 1_001)
    counted("records_1001", "1,001 records", "records", 1_001)
    second = travelling("record two", b"another")
    refused("name_twice", "two records of one name", records=[write(0, travelling()), write(0, second)])
    here = {"asset": ASSET, "zone": ZEROS}
    refused("asset_twice", "an asset comes twice", adopted=[here, {"asset": ASSET, "zone": named("other zone")}])
    refused("asset_released_twice", "an asset goes twice", released=[ASSET, ASSET])
    refused("asset_adopted_and_released", "an asset comes and goes", adopted=[here], released=[ASSET])
    refused("asset_zero", "an asset without a name comes", adopted=[{"asset": bytes(16), "zone": ZEROS}])
    refused("asset_released_zero", "an asset without a name goes", released=[bytes(16)])
    refused("adopted_from_own_zone", "the batch's own zone is said in two ways",
            adopted=[{"asset": ASSET, "zone": ZONE}])
    wrap = wrap_of(2, MEMBER, HEAD)
    refused("wrap_twice", "two wraps of one generation for one member", wraps=[wrap, wrap_of(2, MEMBER, ZONE)])
    refused("member_zero", "a wrap for nobody", wraps=[{**wrap, "member": bytes(16)}])
    refused("wrap_head_zero", "a wrap at no head of a log", wraps=[{**wrap, "head": ZEROS}])
    refused("link_twice", "two links of one generation", links=[link_of(2), link_of(2)])
    refused("batch_zero", "a batch without an identifier", batch=bytes(16))
    refused("zone_zero", "no zone", zone=ZEROS)
    refused("head_zero", "no head of a log, and no entry that makes one", head=ZEROS)
    genesis, add = entry_of(GENESIS_ENTRY), entry_of(ADD_ENTRY)
    refused("head_zero_with_two_entries", "a zone is made and changed in one batch", head=ZEROS, entries=[genesis, add])
    refused("entry_272_bytes", "an entry one byte shorter than any", entries=[entry_of(bytes(272))])
    refused("entry_338_bytes", "an entry one byte longer than any", "tooLong", entries=[entry_of(bytes(338))])
    refused("key_0", "signed by no key", key=0)
    refused("key_3", "signed by a key that there is not", key=3)
    refused("background_key_with_entry", "the background key signs for an entry", key=2, entries=[add])
    refused("background_key_with_wrap", "the background key signs for a wrap", key=2, wraps=[wrap])
    refused("background_key_with_link", "the background key signs for a link", key=2, links=[link_of(2)])
    whole = modify_parts(ALL_PARTS)
    for name in dict.fromkeys(name for name, _ in whole):
        refused(f"truncated_in_{name}", f"it ends in the field {name.replace('_', ' ')}", "truncated",
                cut_in(whole, name))
    refused("truncated", "the last byte is missing", "truncated", joined(whole)[:-1])
    refused("empty", "no byte at all", "truncated", b"")
    refused("trailing", "one byte behind the signature", "trailing", joined(whole) + b"\0")


# specs/cloud.md: modified ------------------------------------------------------------------------------------------


def modified_parts(sequence, length, head, tags, purpose="tresor cloud modified v1"):
    return [("purpose", field(purpose)), ("sequence", u64(sequence)), ("length", u64(length)), ("head", head),
            ("tags", u32(len(tags)))] + [("tag", u64(tag)) for tag in tags]


def modified():
    def modified_good(name, about, sequence, length, head, tags):
        good(f"cloud-modified/{name}.txt", about, sequence=sequence, length=length, head=head, tags=len(tags),
             **{f"tag_{number}": tag for number, tag in enumerate(tags, 1)},
             body=joined(modified_parts(sequence, length, head, tags)))

    modified_good("modified_two", "two records were written", TAG + 1, 1, ZONE, [TAG, TAG + 1])
    modified_good("modified_nothing", "nothing was written", TAG, 2, HEAD, [])

    def refused(name, about, error="invalid", body=None, **changed):
        fields = {"sequence": TAG + 1, "length": 1, "head": ZONE, "tags": [TAG, TAG + 1], **changed}
        data = joined(modified_parts(**fields)) if body is None else body
        vector(f"cloud-modified/{name}.txt", about, ("decoder", error), body=data)

    refused("other_purpose", "the purpose of another answer", purpose="tresor cloud changes v1")
    refused("head_zero", "no head of a log", head=ZEROS)
    refused("length_0", "a log without an entry", length=0)
    refused("length_65537", "a log longer than any", "tooLong", length=65_537)
    refused("tag_zero", "the tag that stands for no record", tags=[0, TAG])
    refused("tags_equal", "two records of one tag", tags=[TAG, TAG])
    refused("tags_fall", "the second record's tag is below the first's", tags=[TAG + 1, TAG])
    refused("tag_above_sequence", "a tag that the zone has not come to", tags=[TAG, TAG + 2])
    whole = modified_parts(TAG + 1, 1, ZONE, [TAG, TAG + 1])
    refused("tags_1001", "1,001 tags", "tooLong", joined(whole[:4]) + u32(1_001))
    for name in dict.fromkeys(name for name, _ in whole):
        refused(f"truncated_in_{name}", f"it ends in the field {name}", "truncated", cut_in(whole, name))
    refused("truncated", "the last byte is missing", "truncated", joined(whole)[:-1])
    refused("trailing", "one byte behind the last tag", "trailing", joined(whole) + b"\0")


# specs/cloud.md: changes -------------------------------------------------------------------------------------------


def item_parts(item):
    parts = [("kind", u8(item["kind"])), ("tag", u64(item["tag"]))]
    if "entry" in item:
        return parts + [("entry", field(item["entry"])), ("entry_signature", item["signature"])]
    if "wrap" in item:
        return parts + [("wrap", u32(item["generation"]) + item["head"] + item["wrap"])]
    if "link" in item:
        return parts + [("link", u32(item["generation"]) + item["link"])]
    return parts + record_parts(item)


PAGE = {"purpose": "tresor cloud changes v1", "zone": ZONE, "token": TOKEN, "more": 0, "length": 1, "head": ZONE,
        "items": []}


def page_parts(page):
    parts = [("purpose", field(page["purpose"])), ("zone", page["zone"]), ("token", field(page["token"])),
             ("more", u8(page["more"])), ("length", u64(page["length"])), ("head", page["head"]),
             ("items", u32(len(page["items"])))]
    for item in page["items"]:
        parts += item_parts(item)
    return parts


def changed_record(tag, **fields):
    return {"kind": 1, "tag": tag, **travelling(**fields)}


def changes():
    second = changed_record(TAG, name=identifier("record two"), content=b"another")
    first = changed_record(TAG - 1)
    page = {**PAGE, "items": [first, second]}
    wrap = {"kind": 3, "tag": 3, **wrap_of(2, ACCOUNT, HEAD)}
    del wrap["member"]
    mixed = {**PAGE, "length": 2, "head": HEAD, "more": 1, "items": [
        {"kind": 2, "tag": 1, **entry_of(GENESIS_ENTRY)}, {"kind": 2, "tag": 2, **entry_of(ADD_ENTRY)}, wrap,
        {"kind": 4, "tag": 4, **link_of(2)}, changed_record(9, head=HEAD)]}

    def page_good(name, about, p):
        fields = {part: p[part] for part in ("zone", "token", "more", "length", "head")}
        for number, item in enumerate(p["items"], 1):
            fields |= record_fields(f"item_{number}", item)
        good(f"cloud-changes/{name}.txt", about, **fields, items=len(p["items"]), body=joined(page_parts(p)))

    page_good("page", "two records", page)
    page_good("page_empty", "nothing is new", PAGE)
    page_good("page_with_entry_and_wrap", "two entries, a wrap, a link and a record, and more to come", mixed)
    page_good("token_64_bytes", "the longest token", {**PAGE, "token": named("token") * 2})

    def refused(name, about, error="invalid", body=None, **changed):
        data = joined(page_parts({**page, **changed})) if body is None else body
        vector(f"cloud-changes/{name}.txt", about, ("decoder", error), body=data)

    def item(file, about, error="invalid", **changed):
        refused(file, about, error, items=[{**first, **changed}])

    refused("other_purpose", "the purpose of a batch", purpose="tresor cloud modify v1")
    refused("zone_zero", "no zone", zone=ZEROS)
    refused("head_zero", "no head of a log", head=ZEROS)
    refused("token_empty", "no place to go on from", token=b"")
    refused("token_65_bytes", "a token one byte too long", "tooLong", token=bytes(65))
    refused("more_2", "neither yes nor no", more=2)
    refused("length_0", "a log without an entry", length=0)
    refused("length_65537", "a log longer than any", "tooLong", length=65_537)
    item("kind_0", "a kind of item that there is not", kind=0)
    item("kind_5", "a kind of item that there is not", kind=5)
    item("tag_zero", "the tag that stands for no record", tag=0)
    item("type_128", "a type that never leaves its device", type=128)
    item("flags_4", "a flag that there is not", flags=4)
    item("sealed_91_bytes", "sealed bytes one fewer than of the shortest record", sealed=first["sealed"][:-1])
    item("record_head_zero", "a record at no head of a log", head=ZEROS)
    refused("tags_equal", "two items of one tag", items=[first, {**second, "tag": TAG - 1}])
    refused("tags_fall", "the second item's tag is below the first's", items=[first, {**second, "tag": TAG - 2}])
    refused("name_twice", "a record at two of its changes", items=[first, changed_record(TAG)])
    refused("wrap_head_zero", "a wrap at no head of a log", items=[{**wrap, "head": ZEROS}])
    entry = {"kind": 2, "tag": 1, **entry_of(GENESIS_ENTRY)}
    refused("entry_272_bytes", "an entry one byte shorter than any", items=[{**entry, "entry": bytes(272)}])
    refused("entry_338_bytes", "an entry one byte longer than any", "tooLong", items=[{**entry, "entry": bytes(338)}])
    head = page_parts(PAGE)
    refused("items_1001", "1,001 items", "tooLong", joined(head[:-1]) + u32(1_001))
    cut = joined(head[:-1]) + u32(1) + joined(item_parts(first)[:-2])
    refused("sealed_too_long", "a length of sealed bytes one above the limit", "tooLong", cut + u32(20_971_521))
    whole = page_parts(mixed)
    for name in dict.fromkeys(name for name, _ in whole):
        refused(f"truncated_in_{name}", f"it ends in the field {name.replace('_', ' ')}", "truncated",
                cut_in(whole, name))
    refused("truncated", "the last byte is missing", "truncated", joined(whole)[:-1])
    refused("trailing", "one byte behind the last item", "trailing", joined(whole) + b"\0")


def make_all():
    modify_good()
    modify_refused()
    modified()
    changes()
