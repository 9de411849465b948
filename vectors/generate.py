#!/usr/bin/env python3
"""Writes every vector under this folder, from the formats as specs/ describes them.

It shares no code with the programs, on purpose: what both agree on was written twice. Nothing is random: keys, nonces and
identifiers follow from names, so that two runs write the same bytes. Needs the package `cryptography`.

    python3 vectors/generate.py            writes the files
    python3 vectors/generate.py --check    writes nothing; fails when a file differs, is missing or is not ours
"""

import hashlib
import hmac
import struct
import sys
from pathlib import Path

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

HERE = Path(__file__).resolve().parent
files = {}


# Vector files ------------------------------------------------------------------------------------------------------


def text(value):
    if isinstance(value, bytes):
        return value.hex() or "-"
    if isinstance(value, bool):
        return "1" if value else "0"
    return str(value)


def vector(path, about, expect, **fields):
    """One behaviour. `expect` is "success", or (layer, error) for a refusal."""
    lines = [f"spec: {path.split('/')[0]}"]
    if expect == "success":
        lines.append("expect: success")
    else:
        lines += [f"expect: refused by {expect[0]}", f"error: {expect[1]}"]
    lines.append(f"about: {about}")
    lines += [f"{name}: {text(value)}" for name, value in fields.items()]
    assert path not in files, path
    files[path] = "\n".join(lines) + "\n"


def good(path, about, **fields):
    vector(path, about, "success", **fields)


# Encoding ----------------------------------------------------------------------------------------------------------


def u8(value):
    return struct.pack(">B", value)


def u16(value):
    return struct.pack(">H", value)


def u32(value):
    return struct.pack(">I", value)


def u64(value):
    return struct.pack(">Q", value)


def i64(value):
    return struct.pack(">q", value)


def field(value):
    if isinstance(value, str):
        value = value.encode()
    return u32(len(value)) + value


def flip(data, offset, bit=0):
    changed = bytearray(data)
    changed[offset] ^= 1 << bit
    return bytes(changed)


# Cryptography ------------------------------------------------------------------------------------------------------


def named(name, count=32):
    """Fixed bytes in the place of random ones."""
    return hashlib.sha256(b"tresor vector " + name.encode()).digest()[:count]


def identifier(name):
    return named("identifier " + name, 16)


def nonce_of(name):
    return named("nonce " + name, 12)


def seal(key, nonce, plaintext, aad):
    return nonce + AESGCM(key).encrypt(nonce, plaintext, aad)


def hkdf(secret, salt, info):
    return HKDF(algorithm=hashes.SHA256(), length=32, salt=salt, info=info.encode()).derive(secret)


def mac(key, message):
    return hmac.new(key, message, hashlib.sha256).digest()


def public_key(private):
    key = X25519PrivateKey.from_private_bytes(private).public_key()
    return key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)


ROOT = bytes(range(32))
KEYBAG = identifier("keybag")
KEYCHAIN = identifier("keychain")
ITEM = identifier("item")
OTHER_ITEM = identifier("other item")
TAMPER = identifier("tamper check")
SALT = named("salt")
PASSCODE = b"correct horse"

DEVICE_KEK = hkdf(ROOT, KEYBAG, "tresor device kek v1")
STATE_KEY = hkdf(ROOT, b"", "tresor enclave state v1")
STRETCHED = Scrypt(salt=SALT, length=32, n=1 << 15, r=8, p=1).derive(PASSCODE)
PASSCODE_KEK = hkdf(STRETCHED + ROOT, KEYBAG, "tresor passcode kek v1")


# specs/root-key.md -------------------------------------------------------------------------------------------------


def root_key():
    file = b"TRRK" + u8(1) + ROOT
    damaged = ("decoder", "damaged")
    good("root-key/good.txt", "a root key file", file=file, key=ROOT)
    cases = {
        "empty": ("no byte at all", b""),
        "truncated": ("the last byte of the key is missing", file[:-1]),
        "trailing_byte": ("one byte follows the key", file + b"\0"),
        "wrong_magic": ("the magic is TRRX", b"TRRX" + file[4:]),
        "wrong_version": ("version 2", file[:4] + u8(2) + file[5:]),
    }
    for name, (about, data) in cases.items():
        vector(f"root-key/{name}.txt", about, damaged, file=data)


# specs/slot-file.md ------------------------------------------------------------------------------------------------


def slot_mac(key, purpose, signed):
    return mac(key, field(f"tresor slot {purpose} v1") + signed)


def slot(key, purpose, generation, content, magic=b"TRSL", version=1):
    signed = magic + u8(version) + u64(generation) + field(content)
    return signed + slot_mac(key, purpose, signed)


def slot_file():
    size, generation, content = 128, 7, u32(3)
    encoded = slot(STATE_KEY, "tries", generation, content)
    padded = encoded.ljust(size, b"\0")
    inputs = {"purpose": "tries", "mac_key": STATE_KEY}
    good(
        "slot-file/good_slot.txt", "a slot of the try counter, three wrong passcodes", **inputs,
        generation=generation, content=content, encoded=encoded, slot=padded)
    empty = slot(STATE_KEY, "tries", 1, b"")
    good(
        "slot-file/empty_content.txt", "the format allows a content of no bytes", **inputs, generation=1,
        content=b"", encoded=empty, slot=empty.ljust(size, b"\0"))
    good(
        "slot-file/padding_cut_off.txt", "a file that ends inside the zeros behind a whole slot is read", **inputs,
        generation=generation, content=content, encoded=encoded, slot=padded[: len(encoded) + 5])

    def refused(name, about, data, **changed):
        vector(f"slot-file/{name}.txt", about, ("slot", "nil"), **{**inputs, **changed}, slot=data)

    refused("mac_flipped_bit", "one bit of the MAC is flipped", flip(padded, len(encoded) - 1))
    refused("content_flipped_bit", "one bit of the content is flipped", flip(padded, 20))
    refused("generation_flipped_bit", "one bit of the generation is flipped", flip(padded, 12))
    refused("trailing_nonzero", "the last byte behind the slot is 1", padded[:-1] + b"\1")
    refused("wrong_magic", "the magic is TRSX, and the MAC is right for it",
            slot(STATE_KEY, "tries", generation, content, magic=b"TRSX").ljust(size, b"\0"))
    refused("wrong_version", "version 2, and the MAC is right for it",
            slot(STATE_KEY, "tries", generation, content, version=2).ljust(size, b"\0"))
    refused("other_purpose", "written as a keybag, read as the try counter",
            slot(STATE_KEY, "keybag", generation, content).ljust(size, b"\0"))
    refused("other_device", "written under another root key's state key",
            slot(hkdf(named("other root"), b"", "tresor enclave state v1"), "tries", generation, content)
            .ljust(size, b"\0"))
    refused("length_beyond_slot", "the content claims to be longer than the slot",
            padded[:13] + u32(size + 1) + padded[17:])
    refused("length_into_mac", "the content claims to reach into the MAC, of which too little is left",
            padded[:13] + u32(size - 17 - 31) + padded[17:])
    refused("truncated_in_mac", "a torn write: the slot ends inside its MAC", encoded[:-1])
    refused("never_written", "zeros only", bytes(size))


# specs/key-wrap.md -------------------------------------------------------------------------------------------------


def class_key_aad(keybag, key_id, key_class, wrap, public):
    return field("tresor keybag class key v1") + keybag + key_id + u8(key_class) + u8(wrap) + field(public)


def row_binding(keychain=KEYCHAIN, item=ITEM, kind=1, protection_class=6, access_control=0, access_group="user"):
    return keychain + item + u8(kind) + u8(protection_class) + u32(access_control) + field(access_group)


def row_key_aad(class_key, binding):
    return field("tresor keychain row key v1") + class_key + binding


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

    def refused(name, about, purpose, fields, wrap, error=("envelope", "notAuthentic"), under=wrapping):
        vector(f"key-wrap/{name}.txt", about, error, purpose=purpose, wrapping_key=under, **fields, wrapped=wrap)

    sealed = row_wrap["wrapped"]
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


def listed(entries):
    """The fields attribute_1, attribute_2 …: code, type and value, one space between."""
    shown = {}
    for number, (code, kind, value) in enumerate(sorted(entries), 1):
        plain = text(value.encode() if kind == "string" else value)
        shown[f"attribute_{number}"] = f"{code} {kind} {plain}"
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
    single("attribute_absent", "an indexed attribute that an item lacks counts as an empty string", "labl", "blob",
           EMPTY)
    single("attribute_number_in_blob", "a number counts by its decimal digits", "acct", "blob", ("number", 5))
    message = attribute_message(KEYCHAIN, 1, "acct", "blob", ("string", "anna"))
    same = attribute_message(KEYCHAIN, 1, "acct", "blob", ("data", b"anna"))
    assert message == same
    good("blind-index/string_and_data_alike.txt", "a string and the same bytes as data have one tag",
         tag_of="attribute", index_key=key, keychain=KEYCHAIN, kind=1, attribute_1="acct string " + b"anna".hex(),
         attribute_2="acct data " + b"anna".hex(), message=message, tag=mac(key, message)[:16])


# specs/keybag.md ---------------------------------------------------------------------------------------------------

PASSCODE_CLASSES = (1, 2, 3, 6, 7, 9, 10, 12)


def entry(key_class, wrap, name=None, public=None):
    key, key_id = named(f"class key {key_class}"), identifier(f"class key {key_class}")
    if public is None:
        public = public_key(key) if key_class == 2 else b""
    kek = DEVICE_KEK if wrap == 1 else PASSCODE_KEK
    nonce = nonce_of(name or f"class key {key_class} wrap {wrap}")
    wrapped = seal(kek, nonce, key, class_key_aad(KEYBAG, key_id, key_class, wrap, public))
    return {"class": key_class, "id": key_id, "wrap": wrap, "public": public, "wrapped": wrapped, "key": key}


def encode_entry(e):
    return u8(e["class"]) + e["id"] + u8(e["wrap"]) + field(e["public"]) + e["wrapped"]


def bag(entries, passcode=b"\0", settings=u8(1) + u8(0) + u8(1), destroyed=(), version=1):
    return (u8(version) + KEYBAG + passcode + settings + u8(len(entries)) + b"".join(map(encode_entry, entries))
            + u16(len(destroyed)) + b"".join(destroyed))


def parameters(salt=SALT, log_rounds=15, milliseconds=80):
    return u8(1) + field(salt) + u8(log_rounds) + u32(milliseconds)


def shown_entries(entries):
    """The fields entry_1, entry_1_key …: class, identifier, wrap, public key and wrapped key, one space between."""
    shown = {}
    for number, e in enumerate(entries, 1):
        parts = [str(e["class"]), e["id"].hex(), str(e["wrap"]), text(e["public"]), e["wrapped"].hex()]
        shown[f"entry_{number}"] = " ".join(parts)
        shown[f"entry_{number}_key"] = e["key"]
    return shown


def keybag():
    device = [entry(c, 1) for c in (1, 2, 3, 4, 6, 7, 8, 9, 10, 11)]
    settings = {"delay_policy": 1, "erases_after_ten": 0, "minimum_passcode": 1}
    good("keybag/good_no_passcode.txt", "a new device: every class key under the device KEK", root_key=ROOT,
         body=bag(device), id=KEYBAG, has_passcode=0, **settings, entries=len(device), **shown_entries(device),
         destroyed=0)
    both = [entry(c, 2 if c in PASSCODE_CLASSES else 1) for c in (1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12)]
    gone = [identifier("destroyed 1"), identifier("destroyed 2")]
    good("keybag/good_with_passcode.txt", "a passcode is set, akpu exists, and two destroyed keys are listed",
         root_key=ROOT, passcode=PASSCODE,
         body=bag(both, parameters(), u8(2) + u8(1) + u8(6), gone), id=KEYBAG, has_passcode=1, salt=SALT,
         log_rounds=15, milliseconds_per_try=80, delay_policy=2, erases_after_ten=1, minimum_passcode=6,
         entries=len(both), **shown_entries(both), destroyed=len(gone), destroyed_1=gone[0], destroyed_2=gone[1])

    def refused(name, about, body, error="invalid"):
        vector(f"keybag/{name}.txt", about, ("decoder", error), body=body)

    four, six = entry(4, 1), entry(6, 1)
    refused("version_unknown", "version 2", bag(device, version=2))
    refused("passcode_flag_two", "the flag before the passcode's parameters is 2", bag(device, passcode=b"\2"))
    refused("entries_not_ascending", "class 6 stands before class 4", bag([six, four]))
    refused("entries_equal", "class 6 stands twice", bag([six, six]))
    refused("class_unknown", "class 5 is none", bag([entry(5, 1)]))
    refused("wrap_unknown", "wrap 3", bag([{**six, "wrap": 3}]))
    refused("public_key_missing_for_class_b", "class 2 without its public key", bag([entry(2, 1, public=b"")]))
    refused("public_key_31_bytes", "class 2 with a public key of 31 bytes", bag([entry(2, 1, public=bytes(31))]))
    refused("public_key_33_bytes", "class 2 with a public key of 33 bytes", bag([entry(2, 1, public=bytes(33))]),
            "tooLong")
    refused("public_key_of_other_class", "class 6 with a public key", bag([entry(6, 1, public=bytes(32))]))
    refused("salt_31_bytes", "a salt one byte too short", bag(both, parameters(salt=SALT[:-1])))
    refused("salt_33_bytes", "a salt one byte too long", bag(both, parameters(salt=SALT + b"\0")), "tooLong")
    refused("log_rounds_below_floor", "a cost of 2^14", bag(both, parameters(log_rounds=14)))
    refused("log_rounds_above_cap", "a cost of 2^21", bag(both, parameters(log_rounds=21)))
    refused("delay_policy_unknown", "delay policy 3", bag(device, settings=u8(3) + u8(0) + u8(1)))
    refused("erase_flag_two", "the erase flag is 2", bag(device, settings=u8(1) + u8(2) + u8(1)))
    refused("too_many_destroyed", "257 destroyed keys, one too many",
            bag([six], destroyed=[identifier(f"destroyed {n}") for n in range(257)]), "tooLong")
    refused("trailing", "one byte behind the last field", bag(device) + b"\0", "trailing")
    refused("truncated", "the last byte is missing", bag(device)[:-1], "truncated")
    derivations()
    tries()


def derivations():
    good("keybag/device_kek.txt", "the key over the class keys that need no passcode", root_key=ROOT, keybag=KEYBAG,
         kek=DEVICE_KEK)
    good("keybag/passcode_kek.txt", "the key over the class keys that need the passcode", passcode=PASSCODE,
         salt=SALT, log_rounds=15, root_key=ROOT, keybag=KEYBAG, stretched=STRETCHED, kek=PASSCODE_KEK)
    good("keybag/state_key.txt", "the key that authenticates the enclave's slots", root_key=ROOT, key=STATE_KEY)
    key = named("fingerprint key")
    good("keybag/fingerprint.txt", "how the last wrong passcode is recognised", fingerprint_key=key,
         passcode=PASSCODE, fingerprint=mac(key, PASSCODE))
    inputs = {"passcode": PASSCODE, "root_key": ROOT, "keybag": KEYBAG}
    for name, about, salt, log_rounds in [
        ("derive_log_rounds_below_floor", "a cost of 2^14 is not computed", SALT, 14),
        ("derive_log_rounds_above_cap", "a cost of 2^21 is not computed", SALT, 21),
        ("derive_salt_31_bytes", "a short salt is not used", SALT[:-1], 15),
    ]:
        vector(f"keybag/{name}.txt", about, ("envelope", "malformed"), **inputs, salt=salt, log_rounds=log_rounds)


def tries():
    good("keybag/tries_good.txt", "the try counter's body: three wrong passcodes", tries=u32(3), failures=3)
    vector("keybag/tries_truncated.txt", "three bytes", ("decoder", "nil"), tries=u32(3)[:-1])
    vector("keybag/tries_trailing.txt", "five bytes", ("decoder", "nil"), tries=u32(3) + b"\0")


# specs/enclave-protocol.md -----------------------------------------------------------------------------------------


def frame(payload):
    return u32(len(payload)) + payload


REFUSALS = ["locked", "wrongPasscode", "delayed", "noPasscodeSet", "passcodeAlreadySet", "passcodeTooShort",
            "notAuthentic", "destroyed", "unknownClassKey", "presenceRequired", "badRequest", "storage", "outOfMemory",
            "erased"]


def enclave_protocol():
    def request(name, about, opcode, body, **fields):
        good(f"enclave-protocol/{name}.txt", about, message="request", frame=frame(u8(opcode) + body), opcode=opcode,
             **fields)

    def refused(name, about, payload, error, message="request"):
        vector(f"enclave-protocol/{name}.txt", about, ("decoder", error), message=message, frame=frame(payload))

    wrapped = seal(named("wrapping key"), nonce_of("row key"), named("wrapped key"), row_key_aad(AK, row_binding()))
    stored = {"keychain": KEYCHAIN, "class": 6, "class_key": AK, "wrapped": wrapped}
    row = {"binding": row_binding(), "class_key": AK, "wrapped": wrapped, "connection": 5, "operation": 1}
    row_body = field(row["binding"]) + AK + field(wrapped) + u64(5) + u8(1)
    stored_body = KEYCHAIN + u8(6) + AK + field(wrapped)
    gone = [identifier("destroyed 1"), identifier("destroyed 2")]
    new = b"new passcode"
    request("state_good", "the state is asked for", 1, b"")
    request("unlock_good", "unlock", 2, field(PASSCODE), passcode=PASSCODE)
    request("lock_good", "lock", 3, b"")
    request("set_passcode_good", "set a passcode", 4, field(new), new_passcode=new)
    request("change_passcode_good", "change the passcode", 5, field(PASSCODE) + field(new), passcode=PASSCODE,
            new_passcode=new)
    request("remove_passcode_good", "remove the passcode", 6, field(PASSCODE), passcode=PASSCODE)
    request("reset_good", "give the passcode up", 7, b"")
    request("make_row_key_good", "make a row key", 8, field(row_binding()), binding=row_binding())
    request("open_row_key_good", "open a row key", 9, row_body, **row)
    request("make_table_key_good", "make a table key", 10, KEYCHAIN + u8(6), keychain=KEYCHAIN, **{"class": 6})
    request("open_table_key_good", "open a table key", 11, stored_body, **stored)
    request("make_index_key_good", "make an index key", 12, KEYCHAIN + u8(7), keychain=KEYCHAIN, **{"class": 7})
    request("open_index_key_good", "open an index key", 13, stored_body, **stored)
    request("prove_presence_good", "prove presence for one reading", 14, field(PASSCODE) + u64(5) + ITEM + u8(1),
            passcode=PASSCODE, connection=5, item=ITEM, operation=1)
    request("change_settings_good", "change the settings", 15, field(PASSCODE) + u8(2) + u8(1) + u8(6),
            passcode=PASSCODE, delay_policy=2, erases_after_ten=1, minimum_passcode=6)
    request("forget_destroyed_good", "no row under two destroyed keys is left", 16, u32(2) + b"".join(gone),
            destroyed=2, destroyed_1=gone[0], destroyed_2=gone[1])

    refused("unknown_opcode", "opcode 17", u8(17), "invalid")
    refused("opcode_zero", "opcode 0", u8(0), "invalid")
    refused("trailing", "one byte behind an unlock", u8(2) + field(PASSCODE) + b"\0", "trailing")
    refused("trailing_lock", "one byte behind a lock, which has no fields", u8(3) + b"\0", "trailing")
    refused("truncated", "a passcode shorter than its length", u8(2) + u32(4) + b"abc", "truncated")
    refused("missing_second_passcode", "a change without the new passcode", u8(5) + field(PASSCODE), "truncated")
    good("enclave-protocol/passcode_1024_bytes.txt", "the longest passcode", message="request", opcode=2,
         frame=frame(u8(2) + field(b"a" * 1024)), passcode=b"a" * 1024)
    refused("passcode_too_long", "a passcode of 1,025 bytes", u8(2) + field(b"a" * 1025), "tooLong")
    refused("binding_too_long", "a binding of 513 bytes", u8(8) + field(bytes(513)), "tooLong")
    refused("wrapped_too_long", "a wrapped key of 129 bytes", u8(11) + KEYCHAIN + u8(6) + AK + field(bytes(129)),
            "tooLong")
    refused("too_many_destroyed", "257 destroyed keys", u8(16) + u32(257), "tooLong")
    refused("erase_flag_two", "the erase flag is 2", u8(15) + field(PASSCODE) + u8(1) + u8(2) + u8(1), "invalid")
    enclave_replies(refused)


def enclave_replies(refused):
    def reply(name, about, tag, body, **fields):
        good(f"enclave-protocol/reply_{name}.txt", about, message="reply", frame=frame(u8(tag) + body), tag=tag,
             **fields)

    gone = identifier("destroyed 1")
    state = (u8(2) + u8(1) + KEYBAG + u64(3) + u32(4) + u64(60_000) + u8(1) + u8(0) + u8(6) + u8(17) + u32(190)
             + u8(1) + u8(5) + u32(1) + gone)
    key, wrapped = named("wrapped key"), named("sixty bytes a") + named("sixty bytes b", 28)
    reply("done_good", "done", 0, b"")
    reply("state_good", "locked, four wrong passcodes, a minute to wait", 1, state, lock=2, has_passcode=1,
          keybag=KEYBAG, generation=3, failures=4, delay=60_000, delay_policy=1, erases_after_ten=0,
          minimum_passcode=6, log_rounds=17, milliseconds_per_try=190, memory_kind=1, landlock=5, destroyed=1,
          destroyed_1=gone)
    reply("new_key_good", "a fresh key and how it is kept", 2, field(key) + AK + field(wrapped), key=key,
          class_key=AK, wrapped=wrapped)
    reply("key_good", "an opened key", 3, field(key), key=key)
    details = {"wrongPasscode": 60_000, "delayed": 59_999, "passcodeTooShort": 6, "storage": 28}
    for code, name in enumerate(REFUSALS, 1):
        detail = details.get(name, 0)
        snake = "".join("_" + c.lower() if c.isupper() else c for c in name)
        reply(f"refused_{snake}", f"the refusal {name}", 4, u8(code) + u64(detail), refusal=name, code=code,
              detail=detail)
    refused("reply_unknown_tag", "tag 5", u8(5), "invalid", "reply")
    refused("reply_unknown_refusal", "refusal 15", u8(4) + u8(15) + u64(0), "invalid", "reply")
    refused("reply_unknown_lock_state", "lock state 3", u8(1) + u8(3) + state[1:], "invalid", "reply")
    refused("reply_key_too_long", "a key of 129 bytes", u8(3) + field(bytes(129)), "tooLong", "reply")
    refused("reply_trailing", "one byte behind done", u8(0) + b"\0", "trailing", "reply")
    limit = 64 * 1024
    vector("enclave-protocol/frame_zero_length.txt", "a frame of no bytes", ("frame", "empty"), message="frame",
           limit=limit, frame=u32(0))
    vector("enclave-protocol/frame_too_long.txt", "a header that announces 65,537 bytes", ("frame", "tooLong"),
           message="frame", limit=limit, frame=u32(limit + 1))


# specs/wire.md -----------------------------------------------------------------------------------------------------


def query(kind="genp", reference=None, entries=(), any_sync=0, limit=1, has_limit=0, returns=0, skips_locked=0,
          skips_controlled=0, tombstones=0, profile=0, cursor=0, raw_attributes=None):
    return ((kind.encode() if kind else u32(0)) + (u8(1) + reference if reference else u8(0))
            + (attributes(list(entries)) if raw_attributes is None else raw_attributes) + u8(any_sync) + u32(limit)
            + u8(has_limit) + u8(returns) + u8(skips_locked) + u8(skips_controlled) + u8(tombstones) + u8(profile)
            + u64(cursor))


LOGIN = [("acct", "string", "anna"), ("svce", "string", "mail.example")]
REFERENCE = b"genp" + ITEM


def native(opcode, body, number=1, version=1):
    return frame(u8(version) + u32(number) + u8(opcode) + body)


def wire():
    def request(name, about, opcode, body, **fields):
        good(f"wire/request_{name}.txt", about, message="request", frame=native(opcode, body), id=1, opcode=opcode,
             **fields)

    def refused(name, about, data, error, message="request"):
        vector(f"wire/{name}.txt", about, ("decoder", error), message=message, frame=data)

    one = {"query_kind": "genp", "limit": 1, "returns": 2}
    request("get_good", "the secret of one password, any sync", 11, query(entries=LOGIN, any_sync=1, returns=2),
            **one, any_synchronizable=1, **listed(LOGIN))
    request("get_by_reference_good", "attributes and secret by persistent reference", 11,
            query(kind=None, reference=REFERENCE, returns=3), reference=REFERENCE, limit=1, returns=3)
    request("list_good", "every password's attributes, second page, locked ones left out", 11,
            query(limit=0, has_limit=1, returns=1, skips_locked=1, cursor=512), query_kind="genp", limit=0,
            has_limit=1, returns=1, skips_locked=1, cursor=512)
    request("add_good", "add a password", 10, b"genp" + attributes(LOGIN) + u8(1) + field("hunter2") + u8(0),
            query_kind="genp", **listed(LOGIN), secret=b"hunter2", returns=0)
    request("add_without_data_good", "add an item without data", 10, b"genp" + attributes(LOGIN) + u8(0) + u8(0),
            query_kind="genp", **listed(LOGIN), returns=0)
    label = [("labl", "string", "Mail")]
    request("update_good", "change one item's label and secret", 12,
            query(kind=None, reference=REFERENCE) + attributes(label) + u8(1) + field("hunter3"),
            reference=REFERENCE, **listed(label), secret=b"hunter3")
    request("remove_good", "remove passwords, without tombstones", 13, query(entries=LOGIN, tombstones=1),
            query_kind="genp", limit=1, tombstones=1, **listed(LOGIN))
    request("status_good", "status", 1, b"")
    request("lock_good", "lock", 2, b"")
    request("unlock_good", "unlock", 3, field(PASSCODE), passcode=PASSCODE)
    request("set_passcode_good", "set a passcode", 4, field(PASSCODE), new_passcode=PASSCODE)
    new = b"new passcode"
    request("change_passcode_good", "change the passcode", 5, field(PASSCODE) + field(new), passcode=PASSCODE,
            new_passcode=new)
    request("remove_passcode_good", "remove the passcode", 6, field(PASSCODE), passcode=PASSCODE)
    request("reset_passcode_good", "give the passcode up", 7, b"")
    request("change_settings_good", "change the settings", 8, field(PASSCODE) + u8(2) + u8(1) + u8(6),
            passcode=PASSCODE, delay_policy=2, erases_after_ten=1, minimum_passcode=6)
    request("set_idle_lock_good", "lock after five minutes", 9, u32(300), seconds=300)
    request("prove_presence_good", "prove presence for one change", 14, field(PASSCODE) + u64(0) + ITEM + u8(2),
            passcode=PASSCODE, connection=0, item=ITEM, operation=2)
    request("subscribe_good", "tell the lock state", 15, b"")
    request("echo_good", "the same bytes back", 16, field("ping"), payload=b"ping")
    request("stop_good", "end the daemon", 17, b"")

    refused("request_unknown_opcode", "opcode 18", native(18, b""), "invalid")
    refused("request_opcode_zero", "opcode 0", native(0, b""), "invalid")
    refused("request_wrong_version", "version 2", native(1, b"", version=2), "invalid")
    refused("request_trailing", "one byte behind a status request", native(1, b"\0"), "trailing")
    refused("request_truncated", "the frame ends inside the request's number", frame(u8(1) + u8(0)), "truncated")
    refused("request_passcode_too_long", "a passcode of 1,025 bytes", native(3, field(b"a" * 1025)), "tooLong")
    refused("request_unknown_return", "bit 3 of what a query returns", native(11, query(returns=8)), "invalid")
    refused("request_flag_two", "a flag that is neither 0 nor 1", native(11, query(any_sync=2)), "invalid")
    refused("request_unknown_profile", "profile 2", native(11, query(profile=2)), "invalid")
    refused("request_unknown_tombstones", "tombstones 3", native(11, query(tombstones=3)), "invalid")
    refused("request_reference_of_no_kind", "a persistent reference that begins with idnt",
            native(11, query(kind=None, reference=b"idnt" + ITEM)), "invalid")
    refused("request_attributes_not_ascending", "a query whose attributes are not in their order",
            native(11, query(raw_attributes=u32(2) + attribute(*LOGIN[1]) + attribute(*LOGIN[0]))), "invalid")
    limit = 1 << 20
    vector("wire/frame_zero_length.txt", "a frame of no bytes", ("frame", "empty"), message="frame", limit=limit,
           frame=u32(0))
    vector("wire/frame_too_long.txt", "a header that announces 1,048,577 bytes", ("frame", "tooLong"),
           message="frame", limit=limit, frame=u32(limit + 1))
    good("wire/frame_longest.txt", "a header that announces 1,048,576 bytes", message="frame", limit=limit,
         frame=u32(limit), frame_length=limit + 4)
    good("wire/frame_header_incomplete.txt", "three bytes of a header: nothing can be said yet", message="frame",
         limit=limit, frame=u32(1)[:3], frame_length="nil")
    wire_replies(refused)


def wire_replies(refused):
    def answer(tag, body, number=1, version=1):
        return frame(u8(version) + u32(number) + u8(tag) + body)

    def reply(name, about, tag, body, number=1, **fields):
        good(f"wire/{name}.txt", about, message="reply", frame=answer(tag, body, number), id=number, tag=tag, **fields)

    error = struct.pack(">i", -25308) + u8(1) + u64(0) + u8(6) + u8(3) + i64(1_750_000_000_000_000)
    item = REFERENCE + u8(1) + field(attributes(MAIL)) + u8(1) + field("hunter2")
    bare = b"genp" + OTHER_ITEM + u8(0) + u8(0)
    reply("reply_done_good", "done", 0, b"")
    reply("reply_error_locked_good", "locked, an item of class ak, locked since", 1, error, status=-25308, reason=1,
          detail=0, **{"class": 6}, lock_state=2, since=1_750_000_000_000_000)
    plain = struct.pack(">i", -25300) + u8(0) + u64(0) + u8(0) + u8(0) + i64(0)
    reply("reply_error_not_found_good", "nothing matches", 1, plain, status=-25300, reason=0, detail=0,
          **{"class": 0}, lock_state="none", since=0)
    reply("reply_page_good", "an item with attributes and secret, one with neither, and more to come", 3,
          u32(2) + item + bare + u64(42) + u32(3) + u32(1), items=2, item_1=REFERENCE,
          item_1_attributes=attributes(MAIL), item_1_secret=b"hunter2", item_2=b"genp" + OTHER_ITEM,
          item_2_attributes="none", item_2_secret="none", next=42, locked=3, damaged=1)
    reply("reply_echo_good", "the same bytes", 4, field("ping"), payload=b"ping")
    reply("event_lock_state_good", "an event: unlocked", 5, u8(1), number=0, lock_state=1)
    state = (u8(1) + u8(0) + KEYBAG + u64(1) + u32(0) + u64(0) + u8(1) + u8(0) + u8(1) + u8(0) + u32(0) + u8(2) + u8(0)
             + u32(0))
    status = (state + i64(1_750_000_000_000_000) + u32(300) + u32(1000) + u32(1001)
              + b"".join(u64(n) for n in (5, 1, 0, 0, 0, 0, 0)) + u32(1) + REFERENCE + u8(0) + field("0.1.0"))
    reply("reply_status_good", "a device without a passcode, six items, one of them damaged", 2, status, lock=1,
          has_passcode=0, keybag=KEYBAG, generation=1, failures=0, delay=0, delay_policy=1, erases_after_ten=0,
          minimum_passcode=1, log_rounds=0, milliseconds_per_try=0, memory_kind=2, landlock=0, destroyed=0,
          since=1_750_000_000_000_000, idle_lock_seconds=300, daemon_process=1000, enclave_process=1001,
          items_of_class_6=5, items_of_class_7=1, quarantined=1, quarantined_1=REFERENCE, rollback=0, version="0.1.0")
    refused("reply_wrong_version", "version 2", answer(0, b"", version=2), "invalid", "reply")
    refused("reply_unknown_tag", "tag 6", answer(6, b""), "invalid", "reply")
    refused("reply_error_unknown_status", "status −1", answer(1, struct.pack(">i", -1) + error[4:]), "invalid", "reply")
    refused("reply_error_unknown_reason", "reason 18", answer(1, error[:4] + u8(18) + error[5:]), "invalid", "reply")
    refused("reply_error_unknown_class", "class 5", answer(1, error[:13] + u8(5) + error[14:]), "invalid", "reply")
    refused("reply_page_inner_trailing", "a byte behind an item's attributes, inside their field",
            answer(3, u32(1) + REFERENCE + u8(1) + field(attributes(LOGIN) + b"\0") + u8(0) + u64(0) + u32(0) + u32(0)),
            "trailing", "reply")


# -------------------------------------------------------------------------------------------------------------------


def main():
    for make in (root_key, slot_file, key_wrap, attribute_lists, keychain_item, blind_index, keybag,
                 enclave_protocol, wire):
        make()
    found = {str(path.relative_to(HERE)): path for path in HERE.glob("*/*.txt")}
    if "--check" in sys.argv[1:]:
        wrong = sorted(set(found) ^ set(files))
        wrong += [path for path in files if path in found and found[path].read_text() != files[path]]
        for path in wrong:
            print(f"differs: {path}")
        return 1 if wrong else print(f"{len(files)} vectors are as generated")
    for path, content in files.items():
        (HERE / path).parent.mkdir(exist_ok=True)
        (HERE / path).write_text(content)
    for path in sorted(set(found) - set(files)):
        print(f"not generated: {path}")
    print(f"{len(files)} vectors written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
