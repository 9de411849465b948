"""note-lock."""

import unicodedata
import zlib

from cryptography.hazmat.primitives.keywrap import aes_key_unwrap, aes_key_wrap

from generator.core import *

NOT_AUTHENTIC, MALFORMED = ("envelope", "notAuthentic"), ("envelope", "malformed")

# specs/note-lock.md ------------------------------------------------------------------------------------------------

SUITES = {1: ("documented_128", 16, 16), 2: ("tresor_256", 32, 12)}
ROUNDS = 600_000
PASSPHRASE = "Ångström ẛ̣ 각"
NOTE = identifier("note")
ATTACHMENT = identifier("attachment")
VERSION = identifier("version")
DRAFT = identifier("draft")


def stretch(passphrase, salt, rounds, count):
    return hashlib.pbkdf2_hmac("sha256", passphrase, salt, rounds, count)


def composed(passphrase):
    return unicodedata.normalize("NFC", passphrase).encode()


def part_aad(suite, note, kind, part, revision=None):
    version = 1 if revision is None else 2
    return (field(f"tresor note lock v{version}") + u8(suite) + note + u8(kind) + part
            + (b"" if revision is None else u64(revision)))


def note_lock():
    for suite, (prefix, key_count, iv_count) in SUITES.items():
        salt = named(f"salt of suite {suite}", key_count)
        kek = stretch(composed(PASSPHRASE), salt, ROUNDS, key_count)
        dek = named(f"note key of suite {suite}", key_count)
        derivations(suite, prefix, salt, kek)
        wraps(suite, prefix, salt, kek, dek)
        parts(suite, prefix, dek, iv_count)
        revisions(suite, prefix, dek, iv_count)


def revisions(suite, prefix, dek, iv_count):
    note, body, plain = identifier("note"), bytes(16), b"the third text"
    iv = named(f"iv of a revision, suite {suite}", iv_count)

    def sealed(revision):
        return iv + AESGCM(dek).encrypt(iv, plain, part_aad(suite, note, 1, body, revision))

    shown = {"suite": suite, "key": dek, "note": note, "kind": 1, "part": body}
    good(f"note-lock/{prefix}_revision_good.txt", "a body, as of text revision 3", **shown, revision=3,
         plaintext=plain, aad=part_aad(suite, note, 1, body, 3), sealed=sealed(3))

    def refused(name, about, content, **more):
        vector(f"note-lock/{prefix}_{name}.txt", about, NOT_AUTHENTIC, **shown, **more, sealed=content)

    refused("revision_other", "a former text in the present one's place", sealed(2), revision=3)
    refused("revision_as_none", "bound to a revision, opened as 0.1 sealed it", sealed(3))
    refused("none_as_revision", "as 0.1 sealed it, opened as bound to a revision", sealed(None), revision=3)


def derivations(suite, prefix, salt, kek):
    inputs = {"suite": suite, "passphrase": composed(PASSPHRASE), "salt": salt, "rounds": ROUNDS}
    good(f"note-lock/{prefix}_kek_good.txt", "the key of a passphrase, by the fewest rounds", **inputs, kek=kek)

    def refused(name, about, error=MALFORMED, **changed):
        vector(f"note-lock/{prefix}_{name}.txt", about, error, **{**inputs, **changed})

    refused("rounds_below_floor", "one round too few", rounds=ROUNDS - 1)
    refused("rounds_above_cap", "one round too many", rounds=100_000_001)
    refused("salt_too_short", "a salt one byte too short", salt=salt[:-1])
    refused("salt_too_long", "a salt one byte too long", salt=salt + b"\0")
    if suite == 2:
        loose = unicodedata.normalize("NFD", PASSPHRASE).replace("A\u030a", "\u212b").encode()
        assert loose != composed(PASSPHRASE) == composed(loose.decode())
        good(f"note-lock/{prefix}_kek_decomposed_good.txt", "the same passphrase in other code points, the same key",
             **{**inputs, "passphrase": loose}, kek=kek)
        refused("passphrase_not_utf8", "a passphrase of one byte 0xff", passphrase=b"\xff")


def wraps(suite, prefix, salt, kek, dek):
    wrapped, verified = aes_key_wrap(kek, dek), named(f"verified by suite {suite}", len(kek))
    unlock = {"suite": suite, "passphrase": composed(PASSPHRASE), "salt": salt, "rounds": ROUNDS}
    good(f"note-lock/{prefix}_wrapped_key_good.txt", "a note's key under the passphrase's", suite=suite, kek=kek,
         wrapped=wrapped, key=dek)
    good(f"note-lock/{prefix}_verifier_good.txt", "what tells a right passphrase where there is no note yet",
         suite=suite, kek=kek, wrapped=aes_key_wrap(kek, verified), key=verified)

    def refused(name, about, error=NOT_AUTHENTIC, **fields):
        vector(f"note-lock/{prefix}_{name}.txt", about, error,
               **{"suite": suite, "kek": kek, "wrapped": wrapped, **fields})

    refused("wrapped_key_other_kek", "under another key", kek=named("other kek", len(kek)))
    refused("wrapped_key_flipped_bit", "one bit of the wrapped key is flipped", wrapped=flip(wrapped, 8))
    refused("wrapped_key_one_too_short", "one byte too few", MALFORMED, wrapped=wrapped[:-1])
    refused("wrapped_key_one_too_long", "one byte too many", MALFORMED, wrapped=wrapped + b"\0")
    refused("wrapped_key_eight_too_short", "one block too few", MALFORMED, wrapped=wrapped[:-8])
    refused("wrapped_key_eight_too_long", "a longer key, well wrapped", MALFORMED,
            wrapped=aes_key_wrap(kek, dek + bytes(8)))
    vector(f"note-lock/{prefix}_salt_flipped_bit.txt", "one bit of the salt is flipped", NOT_AUTHENTIC,
           **{**unlock, "salt": flip(salt, 0)}, wrapped=wrapped)
    if suite == 2:
        vector(f"note-lock/{prefix}_other_passphrase.txt", "another passphrase", NOT_AUTHENTIC,
               **{**unlock, "passphrase": composed(PASSPHRASE.lower())}, wrapped=wrapped)
        refused("wrapped_key_of_other_suite", "a key of 16 bytes under one of 32, well wrapped", MALFORMED,
                wrapped=aes_key_wrap(kek, named("note key of suite 1", 16)))


def parts(suite, prefix, dek, iv_count):
    content, other = b"hunter2 & co", 3 - suite

    def sealed(name, kind, part, plaintext=content, under=dek, aad_suite=suite, count=iv_count):
        iv, aad = named(f"iv {prefix} {name}", count), part_aad(aad_suite, NOTE, kind, part)
        return {"aad": aad, "iv": iv, "sealed": seal(under, iv, plaintext, aad)}

    for name, about, kind, part, plaintext in [
        ("body", "a note's body", 1, bytes(16), content), ("attachment", "an attachment", 2, ATTACHMENT, content),
        ("version", "an earlier version", 3, VERSION, content),
        ("draft", "an edit that the lock broke off", 4, DRAFT, content),
        ("empty_body", "a body of no bytes", 1, bytes(16), b""),
    ]:
        good(f"note-lock/{prefix}_{name}_good.txt", about, suite=suite, key=dek, note=NOTE, kind=kind, part=part,
             plaintext=plaintext, **sealed(name, kind, part, plaintext))
    whole = sealed("attachment", 2, ATTACHMENT)["sealed"]

    def refused(name, about, error=NOT_AUTHENTIC, **changed):
        fields = {"suite": suite, "key": dek, "note": NOTE, "kind": 2, "part": ATTACHMENT, "sealed": whole}
        vector(f"note-lock/{prefix}_{name}.txt", about, error, **{**fields, **changed})

    refused("other_key", "under another note's key", key=named("other note key", len(dek)))
    refused("other_note", "opened as another note's", note=identifier("other note"))
    refused("other_part", "opened as another attachment", part=identifier("other attachment"))
    refused("other_kind", "an attachment opened as a version", kind=3)
    refused("other_suite", "sealed in the other suite's name",
            sealed=sealed("other suite", 2, ATTACHMENT, aad_suite=other)["sealed"])
    refused("without_binding", "sealed without authenticated data, as Apple does",
            sealed=seal(dek, named(f"iv {prefix} bare", iv_count), content, None))
    refused("iv_flipped_bit", "one bit of the initialisation vector is flipped", sealed=flip(whole, 0))
    refused("ciphertext_flipped_bit", "one bit of the ciphertext is flipped", sealed=flip(whole, iv_count))
    refused("tag_flipped_bit", "one bit of the tag is flipped", sealed=flip(whole, -1, 7))
    refused("truncated", "the last byte is missing", sealed=whole[:-1])
    refused("trailing", "one byte behind the tag", sealed=whole + b"\0")
    refused("too_short", "shorter than initialisation vector and tag", MALFORMED, sealed=whole[: iv_count + 15])
    count = SUITES[other][1]
    short = named(f"note key of suite {other}", count)
    refused("key_of_other_suite", f"a key of {count} bytes, with all else in order", MALFORMED, key=short,
            sealed=sealed("short", 2, ATTACHMENT, under=short)["sealed"])


# The formats of Apple's notes: import only. Figures that others published, checked here ----------------------------

V1 = {
    "passphrase": b"password", "salt": bytes.fromhex("1165106b6b288bda1e6ecb18e65c7876"), "rounds": 20_000,
    "kek": bytes.fromhex("652be86143348a6e0106095880bcf31b"),
    "wrapped": bytes.fromhex("98c0e56b43b507e60c5465ec5e1bb0c74b756f7d4f4a9bff"),
    "key": bytes.fromhex("023aae7c450a283b23e3d7c1416ad644"),
}
V1_CONTENT = {
    "iv": bytes.fromhex("151f64de7be34d15dacdaea9b33471f9"),
    "tag": bytes.fromhex("806bf2bbd3bf83cf1240b03e7c4d6ab1"),
    "ciphertext": bytes.fromhex(
        "131b03571fc9ec47ef58e58e21fce5c10aa73a62b9e58a743bcdcc3aff1ea8ab9964f4535b8597735f3da5f6ae63b9370625a20d633e"
        "9cf2986d4d118989124f0ddfee956e47cb5cbc3617c520b075620b37ae4056f3a1af83351fda634dfb446055c75f7143a5600149db33"
        "3893c0ecb0ef3944e2a64542e9a4375bf152689858fed8b21aded0eab0afb11190"),
}
HASHCAT = {
    "passphrase": b"hashcat", "salt": bytes.fromhex("80771171105233481004850004085037"), "rounds": 20_000,
    "kek": bytes.fromhex("e9cafdc41997dba0f3990c53e1a062a8"),
    "wrapped": bytes.fromhex("d04b17af7f6b184346aad3efefe8bec0987ee73418291a41"), "key": b"\xff" * 16,
}
V1_NEO = {
    "passphrase": b"jjkhehe",
    "salt": bytes.fromhex("1faf405b502ebdb2796842e6217fa4ca274b69ac1efae128bb09dfb04989c96d"), "rounds": 20_000,
    "kek": bytes.fromhex("66c2ed1de7e3e94b63a39048edbb540b375b364ce9ffedce93d7dee4f930d576"),
    "wrapped": bytes.fromhex(
        "3e7cc8825082cd508d4f51328a287b4df4c3763eb20bacd6748adc956d44d82071f34b4039c90fe5"),
    "key": bytes.fromhex("e1d12f49ace8816f7334da221f0f7f149a266d6386de576b4d59a395d78afba2"),
}


def check(chain):
    assert stretch(chain["passphrase"], chain["salt"], chain["rounds"], len(chain["kek"])) == chain["kek"]
    assert aes_key_unwrap(chain["kek"], chain["wrapped"]) == chain["key"]


def apple_notes():
    for chain in (V1, HASHCAT, V1_NEO):
        check(chain)
    parser = "github.com/threeplanetssoftware/apple_cloud_notes_parser, spec/utilities/apple_decrypter.rb (MIT)"
    plaintext = AESGCM(V1["key"]).decrypt(V1_CONTENT["iv"], V1_CONTENT["ciphertext"] + V1_CONTENT["tag"], None)
    assert b"Encrypted title\n\nEncrypted body" in zlib.decompress(plaintext, wbits=31)
    good("note-lock/apple_v1_good.txt", "a note of macOS 12 from its passphrase to its compressed text", source=parser,
         **V1, **V1_CONTENT, binding=b"", plaintext=plaintext)
    good("note-lock/apple_v1_key_good.txt", "another passphrase, as far as the note's key",
         source="github.com/hashcat/hashcat, src/modules/module_16200.c (MIT)", **HASHCAT)
    good("note-lock/apple_v1_neo_key_good.txt", "the format since macOS 14, as far as the note's key",
         source="github.com/6over3/NotesKit, docs/encryption-research.md (figures only)", **V1_NEO)

    inputs = {name: V1[name] for name in ("passphrase", "salt", "rounds")}
    unwrap = {name: V1[name] for name in ("kek", "wrapped")}

    def refused(name, about, error, fields, **changed):
        vector(f"note-lock/apple_{name}.txt", about, error, **{**fields, **changed})

    refused("v1_other_passphrase", "another passphrase", NOT_AUTHENTIC,
            {**inputs, "kek_length": 16, "wrapped": V1["wrapped"]}, passphrase=b"passwort")
    refused("v1_wrapped_key_flipped_bit", "one bit of the wrapped key is flipped", NOT_AUTHENTIC, unwrap,
            wrapped=flip(V1["wrapped"], 23))
    refused("v1_wrapped_key_16_bytes", "no key wrapped by a passphrase, as notes of other formats have", MALFORMED,
            unwrap, wrapped=V1["wrapped"][:16])
    for name, about, rounds, salt, count in [
        ("rounds_zero", "no round at all", 0, V1["salt"], 16),
        ("rounds_above_cap", "more rounds than are ever computed", 100_000_001, V1["salt"], 16),
        ("salt_empty", "no salt", 20_000, b"", 16),
        ("kek_24_bytes", "a length of key that neither format has", 20_000, V1["salt"], 24),
    ]:
        refused(name, about, MALFORMED, inputs, rounds=rounds, salt=salt, kek_length=count)
    content = {"key": V1["key"], **V1_CONTENT, "binding": b""}
    refused("v1_ciphertext_flipped_bit", "one bit of the ciphertext is flipped", NOT_AUTHENTIC, content,
            ciphertext=flip(V1_CONTENT["ciphertext"], 0))
    refused("v1_iv_flipped_bit", "one bit of the initialisation vector is flipped", NOT_AUTHENTIC, content,
            iv=flip(V1_CONTENT["iv"], 15))
    refused("v1_other_binding", "authenticated data where the format has none", NOT_AUTHENTIC, content, binding=b"\0")
    refused("v1_tag_15_bytes", "a tag one byte too short", MALFORMED, content, tag=V1_CONTENT["tag"][:-1])


def make_all():
    note_lock()
    apple_notes()
