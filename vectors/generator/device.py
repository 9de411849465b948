"""root-key, slot-file and keybag."""

from generator.core import *
from generator.items import class_key_aad

# specs/root-key.md -------------------------------------------------------------------------------------------------


def root_check(key):
    return mac(hkdf(key, b"", "tresor enclave state v1"), field("tresor root key check v1"))[:16]


def root_key():
    file = b"TRRK" + u8(1) + ROOT
    checked = b"TRRK" + u8(2) + ROOT + root_check(ROOT)
    good("root-key/good.txt", "a root key file of version 1, without a check", file=file, key=ROOT, is_checked=0,
         encoded=checked)
    good("root-key/version_2_good.txt", "a root key file", file=checked, key=ROOT, is_checked=1, encoded=checked)
    cases = {
        "empty": ("no byte at all", b""),
        "truncated": ("the last byte of the key is missing", file[:-1]),
        "trailing_byte": ("one byte follows the key", file + b"\0"),
        "wrong_magic": ("the magic is TRRX", b"TRRX" + file[4:]),
        "wrong_version": ("version 3", file[:4] + u8(3) + file[5:]),
        "version_2_without_check": ("version 2, and the check is missing", checked[:-16]),
        "version_2_truncated": ("the last byte of the check is missing", checked[:-1]),
        "version_2_trailing_byte": ("one byte follows the check", checked + b"\0"),
        "version_2_key_flipped_bit": ("one bit of the key is flipped", flip(checked, 5)),
        "version_2_check_flipped_bit": ("one bit of the check is flipped", flip(checked, len(checked) - 1)),
        "version_2_key_of_zeros": ("the key is zeros", checked[:5] + bytes(32) + checked[37:]),
    }
    errors = {name: "truncated" for name in ("empty", "truncated", "version_2_without_check", "version_2_truncated")}
    errors |= {name: "trailing" for name in ("trailing_byte", "version_2_trailing_byte")}
    for name, (about, data) in cases.items():
        vector(f"root-key/{name}.txt", about, ("decoder", errors.get(name, "invalid")), file=data)


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


# specs/keybag.md ---------------------------------------------------------------------------------------------------

PASSCODE_CLASSES = (1, 2, 3, 6, 7, 9, 10, 12)


def entry(key_class, wrap, name=None, public=None, version=1):
    key, key_id = named(f"class key {key_class}"), identifier(f"class key {key_class}")
    if public is None:
        public = public_key(key) if key_class == 2 else b""
    kek = DEVICE_KEK if wrap == 1 else PASSCODE_KEK
    purpose = version if wrap == 2 else 1
    nonce = nonce_of(name or f"class key {key_class} wrap {wrap}" + (" version 2" if purpose == 2 else ""))
    wrapped = seal(kek, nonce, key, class_key_aad(KEYBAG, key_id, key_class, wrap, public, purpose))
    return {"class": key_class, "id": key_id, "wrap": wrap, "public": public, "wrapped": wrapped, "key": key}


def encode_entry(e):
    return u8(e["class"]) + e["id"] + u8(e["wrap"]) + field(e["public"]) + e["wrapped"]


def bag(entries, passcode=b"\0", settings=u8(1) + u8(0) + u8(1), destroyed=(), version=1):
    return (u8(version) + KEYBAG + passcode + settings + u8(len(entries)) + b"".join(map(encode_entry, entries))
            + u16(len(destroyed)) + b"".join(destroyed))


SEALING_CLASS = 10


def promise_seal(promises, salt=b"", class_key=named(f"class key {SEALING_CLASS}"),
                 class_key_id=identifier(f"class key {SEALING_CLASS}"), keybag_id=KEYBAG):
    key = hkdf(class_key, keybag_id, "tresor keybag seal key v1")
    return mac(key, field("tresor keybag seal v1") + keybag_id + class_key_id + field(salt) + u8(promises))


def bag2(entries, passcode=b"\0", promises=0, salt=b"", **more):
    return bag(entries, passcode, version=2, **more) + u8(promises) + promise_seal(promises, salt)


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

    good("keybag/version_2_good_no_passcode.txt", "a new device of version 2, which has promised nothing",
         root_key=ROOT, body=bag2(device), id=KEYBAG, has_passcode=0, **settings, entries=len(device),
         **shown_entries(device), destroyed=0, promises=0, sealing_key=named(f"class key {SEALING_CLASS}"))
    sealed = [entry(c, 2 if c in PASSCODE_CLASSES else 1, version=2) for c in (1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12)]
    good("keybag/version_2_good_with_passcode.txt", "both promises, under a passcode",
         root_key=ROOT, passcode=PASSCODE, body=bag2(sealed, parameters(), 3, SALT), id=KEYBAG, has_passcode=1,
         salt=SALT, log_rounds=15, milliseconds_per_try=80, **settings, entries=len(sealed), **shown_entries(sealed),
         destroyed=0, promises=3, sealing_key=named(f"class key {SEALING_CLASS}"))
    good("keybag/seal.txt", "what the keybag promises, under a key that only the passcode opens",
         class_key=named(f"class key {SEALING_CLASS}"), id=identifier(f"class key {SEALING_CLASS}"), keybag=KEYBAG,
         salt=SALT, promises=3, seal=promise_seal(3, SALT))
    store = identifier("keychain")
    good("keybag/witness.txt", "by which the store's record of generation 7 is known again", state_key=STATE_KEY,
         keybag=KEYBAG, store=store, generation=7,
         witness=mac(STATE_KEY, field("tresor store generation v1") + KEYBAG + store + u64(7)))

    def refused(name, about, body, error="invalid"):
        vector(f"keybag/{name}.txt", about, ("decoder", error), body=body)

    four, six = entry(4, 1), entry(6, 1)
    refused("version_unknown", "version 3", bag(device, version=3) + bytes(33))
    refused("version_2_without_seal", "version 2 that ends where version 1 does", bag(device, version=2), "truncated")
    refused("version_2_seal_31_bytes", "a seal one byte too short", bag2(device)[:-1], "truncated")
    refused("version_2_promise_unknown", "a promise that nobody knows", bag2(device, promises=4))
    refused("version_2_trailing", "one byte behind the seal", bag2(device) + b"\0", "trailing")
    refused("passcode_flag_two", "the flag before the passcode's parameters is 2", bag(device, passcode=b"\2"))
    refused("entries_not_ascending", "class 6 stands before class 4", bag([six, four]))
    refused("entries_equal", "class 6 stands twice", bag([six, six]))
    refused("class_unknown", "class 5 is none", bag([entry(5, 1)]))
    refused("wrap_unknown", "wrap 3", bag([{**six, "wrap": 3}]))
    refused("wrap_passcode_without_passcode", "class 6 under the passcode KEK, and no passcode is set",
            bag([entry(6, 2)]))
    refused("wrap_device_with_passcode", "class 6 under the device KEK, although a passcode is set",
            bag([six], parameters()))
    refused("wrap_passcode_for_always", "class 8 under the passcode KEK, though it needs none",
            bag([entry(8, 2)], parameters()))
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
    refused("minimum_zero", "a minimum passcode of 0 characters", bag(device, settings=u8(1) + u8(0) + u8(0)))
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


def make_all():
    root_key()
    slot_file()
    keybag()
