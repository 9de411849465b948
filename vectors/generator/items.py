"""key-wrap, attributes, keychain-item and blind-index."""

from generator.core import *

# specs/key-wrap.md -------------------------------------------------------------------------------------------------


def class_key_aad(keybag, key_id, key_class, wrap, public, version=1):
    return field(f"tresor keybag class key v{version}") + keybag + key_id + u8(key_class) + u8(wrap) + field(public)


def row_binding(keychain=KEYCHAIN, item=ITEM, kind=1, protection_class=6, access_control=0, access_group="user",
                enrolment=b"", password=b"", keychain_key=b""):
    return (keychain + item + u8(kind) + u8(protection_class) + u32(access_control) + field(access_group)
            + enrolment + password + keychain_key)


def row_key_aad(class_key, binding):
    return field("tresor keychain row key v1") + class_key + binding


def private_key_aad(class_key, binding):
    return field("tresor keychain private key v1") + class_key + binding


def keychain_key_aad(key_id, keychain):
    return field("tresor keychain own key v1") + key_id + keychain


def table_key_aad(class_key, keychain, protection_class):
    return field("tresor keychain table key v1") + class_key + keychain + u8(protection_class)


def index_key_aad(class_key, keychain):
    return field("tresor keychain index key v1") + class_key + keychain


def metadata_key_aad(class_key, keychain, item):
    return field("tresor keychain metadata key v1") + class_key + keychain + item


AK = identifier("class key 6")


def key_wrap():
    wrapping, key = named("wrapping key"), named("wrapped key")

    def wrapped(name, aad):
        return {"aad": aad, "nonce": nonce_of(name), "wrapped": seal(wrapping, nonce_of(name), key, aad)}

    keys = {"wrapping_key": wrapping, "key": key}
    row = {
        "class_key": AK, "keychain": KEYCHAIN, "item": ITEM, "kind": 1, "class": 6, "access_control": 0,
        "access_group": "user",
    }
    row_wrap = wrapped("row key", row_key_aad(AK, row_binding()))
    table = {"class_key": AK, "keychain": KEYCHAIN, "class": 6}
    index = {"class_key": identifier("class key 7"), "keychain": KEYCHAIN}
    metadata = {"class_key": AK, "keychain": KEYCHAIN, "item": ITEM}
    good("key-wrap/row_key_good.txt", "the key of an item's secret", purpose="row key", **keys, **row, **row_wrap)
    good("key-wrap/row_key_presence_good.txt", "the same, of an item that demands the owner's presence",
         purpose="row key", **keys, **{**row, "access_control": 1},
         **wrapped("row key presence", row_key_aad(AK, row_binding(access_control=1))))
    fingers = named("enrolment state")
    bound = {**row, "access_control": 8, "enrolment": fingers}
    bound_wrap = wrapped("row key enrolment", row_key_aad(AK, row_binding(access_control=8, enrolment=fingers)))
    good("key-wrap/row_key_enrolment_good.txt", "the same, of an item that is bound to the present fingers",
         purpose="row key", **keys, **bound, **bound_wrap)
    own = identifier("keychain key")
    good("key-wrap/row_key_keychain_good.txt", "the same, of an item in a keychain with a passcode of its own",
         purpose="row key", **keys, **row, keychain_key=own,
         **wrapped("row key keychain", row_key_aad(AK, row_binding(keychain_key=own))))
    good("key-wrap/row_key_all_good.txt", "the same, bound to the present fingers and in such a keychain",
         purpose="row key", **keys, **bound, keychain_key=own,
         **wrapped("row key all", row_key_aad(AK, row_binding(access_control=8, enrolment=fingers, keychain_key=own))))
    salted = named("salt of an item") + u8(15)
    secret = {**row, "access_control": 1 << 31, "password": salted}
    good("key-wrap/row_key_password_good.txt", "the same, of an item with a password of its own", purpose="row key",
         **keys, **secret,
         **wrapped("row key password", row_key_aad(AK, row_binding(access_control=1 << 31, password=salted))))
    private = {**row, "kind": 4, "class": 9, "access_control": 1 << 30}
    private_wrap = wrapped("private key", private_key_aad(
        AK, row_binding(kind=4, protection_class=9, access_control=1 << 30)))
    good("key-wrap/private_key_good.txt", "the scalar of a P-256 key that stays in the enclave", purpose="private key",
         **keys, **private, **private_wrap)
    good("key-wrap/keychain_key_good.txt", "the key of a keychain with a passcode of its own", purpose="keychain key",
         **keys, id=own, keychain=KEYCHAIN, **wrapped("keychain key", keychain_key_aad(own, KEYCHAIN)))
    good("key-wrap/table_key_good.txt", "the key over a class's metadata keys", purpose="table key", **keys, **table,
         **wrapped("table key", table_key_aad(AK, KEYCHAIN, 6)))
    good("key-wrap/index_key_good.txt", "the key of the blind index", purpose="index key", **keys, **index,
         **wrapped("index key", index_key_aad(index["class_key"], KEYCHAIN)))
    good("key-wrap/metadata_key_good.txt", "the key of an item's attributes", purpose="metadata key", **keys,
         **metadata, **wrapped("metadata key", metadata_key_aad(AK, KEYCHAIN, ITEM)))
    bag = {"keybag": KEYBAG, "id": AK, "class": 6, "wrap": 1, "public_key": b""}
    bag_wrap = wrapped("class key", class_key_aad(KEYBAG, AK, 6, 1, b""))
    good("key-wrap/class_key_good.txt", "a class key under the device KEK", purpose="class key", **keys, **bag,
         **bag_wrap)
    public = public_key(key)
    file_b = {"keybag": KEYBAG, "id": identifier("class key 2"), "class": 2, "wrap": 2, "public_key": public}
    good("key-wrap/class_b_key_good.txt", "the private key of file class 2, its public key bound to it",
         purpose="class key", **keys, **file_b,
         **wrapped("class b key", class_key_aad(KEYBAG, file_b["id"], 2, 2, public)))

    sealed_bag = {**bag, "wrap": 2}
    sealed_wrap = wrapped("class key v2", class_key_aad(KEYBAG, AK, 6, 2, b"", 2))
    good("key-wrap/class_key_version_2_good.txt", "a class key under the passcode KEK, in a keybag with a seal",
         purpose="class key", **keys, **sealed_bag, version=2, **sealed_wrap)

    def refused(name, about, purpose, fields, wrap, error=("envelope", "notAuthentic"), under=wrapping):
        vector(f"key-wrap/{name}.txt", about, error, purpose=purpose, wrapping_key=under, **fields, wrapped=wrap)

    sealed = row_wrap["wrapped"]
    refused("row_key_of_private_key", "the scalar of a private key, opened as the key of a secret", "row key",
            private, private_wrap["wrapped"])
    refused("row_key_without_keychain_key", "opened as of a keychain without a passcode of its own", "row key", row,
            seal(wrapping, nonce_of("row key keychain"), key, row_key_aad(AK, row_binding(keychain_key=own))))
    refused("row_key_other_enrolment", "opened under another enrolment state", "row key",
            {**bound, "enrolment": named("other enrolment state")}, bound_wrap["wrapped"])
    refused("row_key_other_item", "opened as another item's", "row key", {**row, "item": OTHER_ITEM}, sealed)
    refused("row_key_other_keychain", "opened in another keychain", "row key",
            {**row, "keychain": identifier("other keychain")}, sealed)
    refused("row_key_other_kind", "opened as another kind's", "row key", {**row, "kind": 2}, sealed)
    refused("row_key_other_class", "opened as one of another class", "row key", {**row, "class": 7}, sealed)
    refused("row_key_other_group", "opened for another access group", "row key",
            {**row, "access_group": "users"}, sealed)
    refused("row_key_without_presence", "wrapped with a demand for presence, opened without", "row key", row,
            wrapped("row key presence", row_key_aad(AK, row_binding(access_control=1)))["wrapped"])
    refused("row_key_other_class_key", "another class key's name", "row key",
            {**row, "class_key": identifier("class key 9")}, sealed)
    refused("row_key_other_wrapping_key", "opened under another key", "row key", row, sealed,
            under=named("another wrapping key"))
    refused("row_key_as_table_key", "a row key opened as a table key", "table key", table, sealed)
    refused("table_key_as_index_key", "a table key opened as an index key", "index key",
            {"class_key": AK, "keychain": KEYCHAIN},
            wrapped("table key", table_key_aad(AK, KEYCHAIN, 6))["wrapped"])
    refused("class_key_other_wrap", "wrapped as device, opened as passcode", "class key", {**bag, "wrap": 2},
            bag_wrap["wrapped"])
    refused("class_key_version_2_as_1", "of a keybag with a seal, opened as of one without", "class key", sealed_bag,
            sealed_wrap["wrapped"])
    refused("class_b_key_other_public_key", "another public key beside the private one", "class key",
            {**file_b, "public_key": public_key(named("another private key"))},
            wrapped("class b key", class_key_aad(KEYBAG, file_b["id"], 2, 2, public))["wrapped"])
    refused("nonce_flipped_bit", "one bit of the nonce is flipped", "row key", row, flip(sealed, 0))
    refused("ciphertext_flipped_bit", "one bit of the ciphertext is flipped", "row key", row, flip(sealed, 12))
    refused("tag_flipped_bit", "one bit of the tag is flipped", "row key", row, flip(sealed, 59, 7))
    refused("wrapped_59_bytes", "one byte too few", "row key", row, sealed[:-1], ("length", "nil"))
    refused("wrapped_61_bytes", "one byte too many", "row key", row, sealed + b"\0", ("length", "nil"))


# specs/attributes.md -----------------------------------------------------------------------------------------------

TYPES = {"string": 1, "data": 2, "number": 3, "date": 4}


def value_bytes(kind, value):
    if kind == "string":
        return value.encode()
    return i64(value) if kind in ("number", "date") else value


def attribute(code, kind, value):
    data = value_bytes(kind, value)
    return code.encode() + u8(TYPES[kind]) + (field(data) if kind in ("string", "data") else data)


def attributes(entries):
    return u32(len(entries)) + b"".join(attribute(*entry) for entry in sorted(entries))


def listed(entries, name="attribute"):
    """The fields attribute_1, attribute_2 …: code, type and value, one space between."""
    shown = {}
    for number, (code, kind, value) in enumerate(sorted(entries), 1):
        plain = text(value.encode() if kind == "string" else value)
        shown[f"{name}_{number}"] = f"{code} {kind} {plain}"
    return shown


def comparison(attribute_type, kind, value):
    if kind == "string":
        return b"\0" + value.encode()
    if kind == "data":
        return b"\0" + value
    if kind == "date":
        return b"\2" + i64(value)
    return b"\0" + str(value).encode() if attribute_type == "blob" else b"\1" + i64(value)


MAIL = [
    ("acct", "string", "anna"), ("agrp", "string", "user"), ("cdat", "date", 1_750_000_000_000_000),
    ("labl", "string", "Mail"), ("mdat", "date", 1_750_000_000_000_000), ("pdmn", "string", "ak"),
    ("svce", "string", "mail.example"), ("sync", "number", 0),
]


def attribute_lists():
    every = [
        ("acct", "string", "anna"), ("cdat", "date", 1_750_000_000_000_000), ("gena", "data", bytes([0, 1, 255])),
        ("port", "number", -1),
    ]
    good("attributes/good_all_types.txt", "a string, a date, data and a number", encoded=attributes(every),
         **listed(every))
    good("attributes/good_empty.txt", "no attribute", encoded=attributes([]))
    good("attributes/good_empty_values.txt", "a string and data of no bytes",
         encoded=attributes([("acct", "string", ""), ("gena", "data", b"")]),
         **listed([("acct", "string", ""), ("gena", "data", b"")]))
    good("attributes/good_extreme_numbers.txt", "the least and the greatest 64-bit number",
         encoded=attributes([("crtr", "number", -(2**63)), ("type", "number", 2**63 - 1)]),
         **listed([("crtr", "number", -(2**63)), ("type", "number", 2**63 - 1)]))
    good("attributes/good_mail.txt", "the attributes of a password as they are sealed", encoded=attributes(MAIL),
         **listed(MAIL))

    def refused(name, about, encoded, error):
        vector(f"attributes/{name}.txt", about, ("decoder", error), encoded=encoded)

    acct, svce = attribute("acct", "string", "a"), attribute("svce", "string", "b")
    refused("codes_not_ascending", "svce stands before acct", u32(2) + svce + acct, "invalid")
    refused("codes_equal", "acct stands twice", u32(2) + acct + acct, "invalid")
    refused("unknown_type", "type 5", u32(1) + b"acct" + u8(5) + field("a"), "invalid")
    refused("type_zero", "type 0", u32(1) + b"acct" + u8(0) + field("a"), "invalid")
    refused("string_not_utf8", "a string of one byte 0xff", u32(1) + b"acct" + u8(1) + field(b"\xff"), "invalid")
    refused("trailing", "one byte behind the last attribute", u32(1) + acct + b"\0", "trailing")
    refused("truncated", "a value shorter than its length", u32(1) + acct[:-1], "truncated")
    refused("missing_attribute", "a count of two, and one attribute", u32(2) + acct, "truncated")
    codes = sorted(f"a{n:03d}" for n in range(129))
    refused("too_many", "129 attributes, one too many",
            u32(129) + b"".join(attribute(code, "number", 0) for code in codes), "tooLong")
    refused("value_too_long", "a value claims 65,537 bytes", u32(1) + b"acct" + u8(2) + u32(65_537), "tooLong")
    comparisons()
    conversions()


def comparisons():
    cases = {
        "string_in_blob": ("blob", "string", "anna"), "data_in_blob": ("blob", "data", b"anna"),
        "number_in_blob": ("blob", "number", -5), "string_in_number": ("number", "string", "http"),
        "number_in_number": ("number", "number", -5), "data_in_data": ("data", "data", b"\0\xff"),
        "date_in_date": ("date", "date", 1_750_000_000_000_000),
    }
    for name, (kind, value_type, value) in cases.items():
        good(f"attributes/compare_{name}.txt", f"the comparison bytes of a {value_type} in a {kind} attribute",
             attribute_type=kind, value_type=value_type,
             value=value.encode() if isinstance(value, str) else value, comparison=comparison(kind, value_type, value))


def conversions():
    def case(name, about, attribute_type, given, result):
        shown = {"attribute_type": attribute_type, "value_type": given[0],
                 "value": given[1].encode() if isinstance(given[1], str) else given[1]}
        if result is None:
            return vector(f"attributes/convert_{name}.txt", about, ("conversion", "nil"), **shown)
        converted = result[1].encode() if isinstance(result[1], str) else result[1]
        good(f"attributes/convert_{name}.txt", about, **shown, converted_type=result[0], converted=converted)

    case("number_in_blob", "kept as it is", "blob", ("number", 5), ("number", 5))
    case("string_to_data", "its UTF-8", "data", ("string", "é"), ("data", "é".encode()))
    case("decimal_string_to_number", "a canonical decimal string becomes a number", "number", ("string", "-80"),
         ("number", -80))
    case("other_string_in_number", "another string stays a string", "number", ("string", "http"), ("string", "http"))
    case("leading_zero_in_number", "080 is not canonical, and stays a string", "number", ("string", "080"),
         ("string", "080"))
    case("data_to_string", "UTF-8 data becomes a string", "string", ("data", b"user"), ("string", "user"))
    case("date_in_blob_refused", "a date is no blob", "blob", ("date", 0), None)
    case("number_in_data_refused", "a number is no data", "data", ("number", 5), None)
    case("data_in_number_refused", "data is no number", "number", ("data", b"5"), None)
    case("data_not_utf8_in_string_refused", "data that is not UTF-8", "string", ("data", b"\xff"), None)
    case("number_in_string_refused", "a number is no string", "string", ("number", 5), None)
    case("number_in_date_refused", "a number is no date", "date", ("number", 0), None)


# specs/keychain-item.md --------------------------------------------------------------------------------------------


def item_aad(purpose, keychain, item, kind, protection_class, sync, tombstone, tamper):
    return (field(purpose) + keychain + item + u8(kind) + u8(protection_class) + u8(sync) + u8(tombstone) + tamper)


METADATA, SECRET = "tresor keychain metadata v1", "tresor keychain secret v1"


def padded(secret):
    plaintext = field(secret)
    return plaintext.ljust((len(plaintext) + 63) // 64 * 64, b"\0")


def keychain_item():
    identity = {
        "keychain": KEYCHAIN, "item": ITEM, "kind": 1, "class": 6, "synchronizable": 0, "tombstone": 0,
        "tamper_check": TAMPER,
    }
    metadata_key, secret_key = named("metadata key"), named("row key")
    metadata_aad = item_aad(METADATA, *identity.values())
    secret_aad = item_aad(SECRET, *identity.values())

    def sealed(name, key, plaintext, aad):
        return {"aad": aad, "nonce": nonce_of(name), "sealed": seal(key, nonce_of(name), plaintext, aad)}

    metadata = sealed("metadata", metadata_key, attributes(MAIL), metadata_aad)
    good("keychain-item/metadata_good.txt", "the attributes of a password", part="metadata", key=metadata_key,
         **identity, attributes=attributes(MAIL), **metadata)
    tombstone = {**identity, "synchronizable": 1, "tombstone": 1}
    grave = [entry for entry in MAIL if entry[0] != "labl" and entry[0] != "sync"] + [("sync", "number", 1)]
    good("keychain-item/metadata_tombstone_good.txt", "what is left of a synchronizable item", part="metadata",
         key=metadata_key, **tombstone, attributes=attributes(grave),
         **sealed("tombstone", metadata_key, attributes(grave), item_aad(METADATA, *tombstone.values())))

    trashed = {**identity, "tombstone": 2}
    removed = MAIL + [("trsh", "date", 1_750_000_600_000_000)]
    in_trash = sealed("trashed", metadata_key, attributes(removed), item_aad(METADATA, *trashed.values()))
    good("keychain-item/metadata_trashed_good.txt", "an item that lies in the trash", part="metadata",
         key=metadata_key, **trashed, attributes=attributes(removed), **in_trash)
    good("keychain-item/secret_trashed_good.txt", "its secret, which stays as it was sealed", part="secret",
         key=secret_key, **trashed, secret=b"hunter2 & co", plaintext=padded(b"hunter2 & co"),
         **sealed("secret_good", secret_key, padded(b"hunter2 & co"), secret_aad))

    for name, about, secret in [
        ("secret_good", "a secret of twelve bytes", b"hunter2 & co"),
        ("secret_empty_good", "a secret of no bytes", b""),
        ("secret_60_bytes_good", "a secret that fills 64 bytes exactly", bytes(range(60))),
        ("secret_61_bytes_good", "one byte more, and 64 bytes more", bytes(range(61))),
    ]:
        good(f"keychain-item/{name}.txt", about, part="secret", key=secret_key, **identity, secret=secret,
             plaintext=padded(secret), **sealed(name, secret_key, padded(secret), secret_aad))

    def refused(name, about, part, data, error="notAuthentic", **changed):
        key = metadata_key if part == "metadata" else secret_key
        vector(f"keychain-item/{name}.txt", about, ("envelope", error), part=part,
               **{"key": key, **identity, **changed}, sealed=data)

    secret = sealed("secret_good", secret_key, padded(b"hunter2 & co"), secret_aad)["sealed"]
    other = identifier("other tamper check")
    refused("secret_other_tamper_check", "the secret of another write", "secret", secret, tamper_check=other)
    refused("secret_other_item", "another item's secret", "secret", secret, item=OTHER_ITEM)
    refused("secret_other_keychain", "another keychain's secret", "secret", secret,
            keychain=identifier("other keychain"))
    refused("secret_other_key", "under another key", "secret", secret, key=named("other row key"))
    refused("secret_flipped_bit", "one bit of the ciphertext is flipped", "secret", flip(secret, 12))
    refused("metadata_other_kind", "the row's kind was changed", "metadata", metadata["sealed"], kind=2)
    refused("metadata_other_class", "the row's class was changed", "metadata", metadata["sealed"], **{"class": 8})
    refused("metadata_other_sync", "the row's sync was changed", "metadata", metadata["sealed"], synchronizable=1)
    refused("metadata_made_tombstone", "the row was made a tombstone", "metadata", metadata["sealed"], tombstone=1)
    refused("metadata_made_trashed", "the row was put into the trash", "metadata", metadata["sealed"], tombstone=2)
    refused("metadata_trashed_made_item", "the row was taken out of the trash", "metadata", in_trash["sealed"])
    refused("metadata_other_tamper_check", "the metadata of another write", "metadata", metadata["sealed"],
            tamper_check=other)
    refused("metadata_as_secret", "metadata opened as a secret, under the same key", "secret", metadata["sealed"],
            key=metadata_key)
    refused("secret_27_bytes", "shorter than nonce and tag", "secret", secret[:27], "malformed")

    def padding(name, about, plaintext):
        refused(name, about, "secret", sealed(name, secret_key, plaintext, secret_aad)["sealed"], "malformed")

    padding("secret_padding_not_zero", "the last byte of the padding is 1", padded(b"hunter2 & co")[:-1] + b"\1")
    padding("secret_length_not_minimal_padding", "64 zeros more than needed", padded(b"hunter2 & co") + bytes(64))
    padding("secret_not_multiple_of_64", "one zero too few", padded(b"hunter2 & co")[:-1])
    padding("secret_length_beyond_plaintext", "a length of 61 in 64 bytes", u32(61) + bytes(60))
    padding("secret_length_beyond_limit", "a length above the plaintext's own", u32(65) + bytes(60))
    padding("secret_empty_plaintext", "no plaintext at all", b"")


# specs/blind-index.md ----------------------------------------------------------------------------------------------

COMMON_KEY = [
    ("agrp", "string", ("string", "")), ("sync", "number", ("number", 0)), ("musr", "data", ("data", b"")),
    ("vwht", "string", ("string", "")), ("tkid", "string", ("string", "")), ("ggrp", "string", ("string", "")),
]
ZERO, EMPTY, NONE = ("number", 0), ("string", ""), ("data", b"")
PRIMARY = {
    1: [("acct", "blob", EMPTY), ("svce", "blob", EMPTY)],
    2: [("acct", "blob", EMPTY), ("srvr", "blob", EMPTY), ("sdmn", "blob", EMPTY), ("ptcl", "number", ZERO),
        ("atyp", "blob", EMPTY), ("port", "number", ZERO), ("path", "blob", EMPTY)],
    3: [("ctyp", "number", ZERO), ("issr", "data", NONE), ("slnr", "data", NONE)],
    4: [("kcls", "number", ZERO), ("klbl", "data", NONE), ("atag", "blob", NONE), ("crtr", "number", ZERO),
        ("type", "number", ZERO), ("bsiz", "number", ZERO), ("esiz", "number", ZERO), ("sdat", "date", ("date", 0)),
        ("edat", "date", ("date", 0))],
}


def index_prefix(purpose, keychain, kind):
    return field(f"tresor index {purpose} v1") + keychain + u8(kind)


def primary_message(keychain, kind, entries):
    given = {code: (value_type, value) for code, value_type, value in entries}
    message = index_prefix("primary", keychain, kind)
    for code, attribute_type, default in sorted(COMMON_KEY + PRIMARY[kind]):
        message += code.encode() + field(comparison(attribute_type, *given.get(code, default)))
    # Only where it is another than the one that is always there.
    if "kchn" in given:
        message += b"kchn" + field(comparison("string", *given["kchn"]))
    return message


def attribute_message(keychain, kind, code, attribute_type, value):
    return index_prefix("attribute", keychain, kind) + code.encode() + field(comparison(attribute_type, *value))


def blind_index():
    key = named("index key")

    def primary(name, about, kind, entries, keychain=KEYCHAIN):
        message = primary_message(keychain, kind, entries)
        good(f"blind-index/{name}.txt", about, tag_of="primary key", index_key=key, keychain=keychain, kind=kind,
             **listed(entries), message=message, tag=mac(key, message)[:16])

    def single(name, about, code, attribute_type, value, kind=1):
        message = attribute_message(KEYCHAIN, kind, code, attribute_type, value)
        good(f"blind-index/{name}.txt", about, tag_of="attribute", index_key=key, keychain=KEYCHAIN, kind=kind,
             **listed([(code, *value)]), message=message, tag=mac(key, message)[:16])

    login = [("acct", "string", "anna"), ("agrp", "string", "user"), ("svce", "string", "mail.example"),
             ("sync", "number", 0)]
    primary("primary_password", "a password's primary key", 1, login)
    primary("primary_other_keychain", "the same in another keychain has another tag", 1, login,
            identifier("other keychain"))
    primary("primary_synchronizable", "the same, synchronizable, has another tag", 1,
            [entry if entry[0] != "sync" else ("sync", "number", 1) for entry in login])
    primary("primary_further_keychain", "the same in a keychain that the owner made", 1,
            login + [("kchn", "string", "Work")])
    primary("primary_all_defaults", "what is not given counts as its default", 1, [])
    primary("primary_internet_password", "an internet password with a port, its protocol kept as a string", 2,
            [("acct", "string", "anna"), ("agrp", "string", "user"), ("port", "number", 443),
             ("ptcl", "string", "htps"), ("srvr", "string", "mail.example"), ("sync", "number", 0)])
    primary("primary_certificate", "a certificate", 3,
            [("agrp", "string", "user"), ("issr", "data", b"\x30\x00"), ("slnr", "data", b"\x01"),
             ("sync", "number", 0)])
    primary("primary_key", "a key", 4,
            [("agrp", "string", "user"), ("atag", "string", "example.key"), ("bsiz", "number", 256),
             ("kcls", "number", 1), ("sync", "number", 0)])
    single("attribute_account", "an account", "acct", "blob", ("string", "anna"))
    single("attribute_account_of_internet_password", "the same account of another kind has another tag", "acct",
           "blob", ("string", "anna"), kind=2)
    single("attribute_keychain", "the keychain that an item lies in", "kchn", "string", ("string", "Work"))
    single("attribute_absent", "an account that an item lacks counts as its default, the empty string", "acct", "blob",
           EMPTY)
    single("attribute_absent_data", "an application label that a key lacks counts as its default, no bytes", "klbl",
           "data", NONE, kind=4)
    single("attribute_number_in_blob", "a number counts by its decimal digits", "acct", "blob", ("number", 5))
    message = attribute_message(KEYCHAIN, 1, "acct", "blob", ("string", "anna"))
    same = attribute_message(KEYCHAIN, 1, "acct", "blob", ("data", b"anna"))
    assert message == same
    good("blind-index/string_and_data_alike.txt", "a string and the same bytes as data have one tag",
         tag_of="attribute", index_key=key, keychain=KEYCHAIN, kind=1, attribute_1="acct string " + b"anna".hex(),
         attribute_2="acct data " + b"anna".hex(), message=message, tag=mac(key, message)[:16])


def make_all():
    key_wrap()
    attribute_lists()
    keychain_item()
    blind_index()
