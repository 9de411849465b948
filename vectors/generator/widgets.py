"""widget-store."""

from generator.core import *
from generator.records import padded_content
from generator.zones import MALFORMED, NOT_AUTHENTIC, ZEROS, hpke_seal

PURPOSE = b"tresor widget timeline v1"
OPEN, SECRETS = 1, 2
NONE, FIRST_UNLOCK, UNLESS_OPEN, COMPLETE = range(4)
KIND = "notes.recent"
TIMELINE = identifier("widget timeline")
OTHER_TIMELINE = identifier("other widget timeline")
KEY = named("widget class key")
PRIVATE_KEY = named("widget agreement key")
EPHEMERAL = {OPEN: named("ephemeral key of the open half"), SECRETS: named("ephemeral key of the secret half")}
LIMIT = 17 << 20

# The example of specs/widget-timeline.md: a title, and an amount that is sealed.
PUBLIC = bytes.fromhex("01 01ffffffffffffffff 0001 0006379da05b6000 01 00 00000024 060100040002"
                       "01000000 0742616c616e6365 02000000 0b01 0100000003e28094 01000000")
SEALED = bytes.fromhex("01 0001 0000000b 01000000023432 01000000")


def binding(part, protection, timeline, kind):
    return field(PURPOSE) + u8(part) + u8(protection) + timeline + field(kind)


def half(part, plaintext, protection=COMPLETE, timeline=TIMELINE, kind=KIND):
    """One half as it stands in the file, and what it is made of."""
    plaintext = padded_content(plaintext)
    name, info = {OPEN: "open", SECRETS: "secrets"}[part], binding(part, protection, timeline, kind)
    if protection == UNLESS_OPEN:
        made = hpke_seal(public_key(PRIVATE_KEY), EPHEMERAL[part], info, plaintext)
        extra = {"ephemeral_key": EPHEMERAL[part], "shared_secret": made["shared_secret"], "hpke_key": made["key"]}
        fields = {"binding": info, **extra, "nonce": made["nonce"]}
        return made["wrapped"], {f"{name}_{field}": value for field, value in fields.items()}
    nonce = nonce_of(f"widget {name} {protection} {timeline.hex()} {kind}")
    return seal(KEY, nonce, plaintext, info), {f"{name}_binding": info, f"{name}_nonce": nonce}


def file(open_half, secret_half, protection=COMPLETE, timeline=TIMELINE, version=1):
    return u8(version) + u8(protection) + timeline + field(open_half) + field(secret_half)


def halves(protection=COMPLETE, timeline=TIMELINE, kind=KIND, public=PUBLIC):
    return [half(part, plaintext, protection, timeline, kind)[0]
            for part, plaintext in [(OPEN, public), (SECRETS, SEALED)]]


def opened():
    def timeline_good(name, about, protection, kind=KIND, public=PUBLIC, sealed=SEALED):
        one, first = half(OPEN, public, protection, kind=kind)
        two, second = half(SECRETS, sealed, protection, kind=kind)
        keys = {"key": KEY}
        if protection == UNLESS_OPEN:
            keys = {"key": PRIVATE_KEY, "public_key": public_key(PRIVATE_KEY)}
        good(f"widget-store/{name}.txt", about, kind=kind, **keys, file=file(one, two, protection),
             protection=protection, id=TIMELINE, open=public, secrets=sealed, **first, **second)

    timeline_good("none_good", "a timeline that opens at any time", NONE)
    timeline_good("after_first_unlock_good", "one that opens from the first unlock on", FIRST_UNLOCK)
    timeline_good("unless_open_good", "one sealed to a public key, on a device that is locked by then", UNLESS_OPEN)
    timeline_good("complete_good", "one that opens while the device is unlocked", COMPLETE)
    timeline_good("kind_64_bytes_good", "the longest kind", COMPLETE, "k" * 64)
    timeline_good("one_byte_good", "the least that a half may hold", COMPLETE, public=b"\1", sealed=b"\1")
    timeline_good("unless_open_one_byte_good", "the same behind a public key", UNLESS_OPEN, public=b"\1", sealed=b"\1")


def not_decoded():
    one, two = halves()
    whole = file(one, two)
    for name, about, error, data in [
        ("version_zero", "version 0", "invalid", file(one, two, version=0)),
        ("version_two", "version 2", "invalid", file(one, two, version=2)),
        ("protection_four", "a class that there is not", "invalid", file(one, two, protection=4)),
        ("protection_255", "the last number for a class", "invalid", file(one, two, protection=255)),
        ("empty", "no byte at all", "truncated", b""),
        ("truncated", "the last byte of the secrets is missing", "truncated", whole[:-1]),
        ("truncated_in_id", "it ends inside the id", "truncated", whole[:17]),
        ("truncated_behind_open", "the secrets' half is missing", "truncated", whole[:22 + len(one)]),
        ("trailing", "one byte behind the secrets", "trailing", whole + b"\0"),
        ("open_too_long", "an open half of 17 MiB and a byte, by its length", "tooLong", whole[:18] + u32(LIMIT + 1)),
        ("secrets_too_long", "the same of the secrets", "tooLong", whole[:22 + len(one)] + u32(LIMIT + 1)),
    ]:
        vector(f"widget-store/{name}.txt", about, ("decoder", error), kind=KIND, key=KEY, file=data)


def not_opened():
    one, two = halves()

    def refused(name, about, data, error=NOT_AUTHENTIC, **changed):
        vector(f"widget-store/{name}.txt", about, error, **{"kind": KIND, "key": KEY, **changed}, file=data)

    whole = file(one, two)
    refused("other_kind", "opened as another widget's", whole, kind="notes.pinned")
    refused("kind_longer", "opened as a widget whose kind goes on", whole, kind=KIND + "s")
    refused("other_key", "opened under another key", whole, key=named("other widget class key"))
    other, others_secrets = halves(timeline=OTHER_TIMELINE)
    refused("secrets_of_another_timeline", "the secrets' half is another timeline's of this widget",
            file(one, others_secrets))
    refused("open_of_another_timeline", "the open half is another timeline's of this widget", file(other, two))
    refused("other_id", "both halves under another timeline's id", file(one, two, timeline=OTHER_TIMELINE))
    refused("open_as_secrets", "the open half stands in both places", file(one, one))
    refused("secrets_as_open", "the secrets' half stands in both places", file(two, two))
    refused("halves_exchanged", "each half stands in the other's place", file(two, one))
    refused("other_protection", "the number of the class complete is that of after first unlock",
            file(one, two, FIRST_UNLOCK))
    refused("protection_none", "the number of the class complete is that of none", file(one, two, NONE))
    refused("protection_unless_open", "the number of the class complete is that of one sealed to a public key",
            file(one, two, UNLESS_OPEN))
    refused("open_nonce_flipped_bit", "one bit of the open half's nonce is flipped", file(flip(one, 0), two))
    refused("open_ciphertext_flipped_bit", "one bit of its ciphertext is flipped", file(flip(one, 12), two))
    refused("secrets_ciphertext_flipped_bit", "one bit of the secrets' ciphertext is flipped", file(one, flip(two, 12)))
    refused("secrets_tag_flipped_bit", "one bit of their tag is flipped", file(one, flip(two, len(two) - 1, 7)))
    refused("open_empty", "an open half of no byte", file(b"", two), MALFORMED)
    refused("open_27_bytes", "an open half too short for nonce and tag", file(one[:27], two), MALFORMED)
    refused("secrets_27_bytes", "secrets too short for nonce and tag", file(one, two[:27]), MALFORMED)


def not_opened_unless_open():
    one, two = halves(UNLESS_OPEN)

    def refused(name, about, data, error=NOT_AUTHENTIC, **changed):
        vector(f"widget-store/unless_open_{name}.txt", about, error, **{"kind": KIND, "key": PRIVATE_KEY, **changed},
               file=data)

    whole = file(one, two, UNLESS_OPEN)
    refused("other_kind", "opened as another widget's", whole, kind="notes.pinned")
    refused("other_private_key", "sealed to another key", whole, key=named("other widget agreement key"))
    refused("secrets_of_another_timeline", "the secrets' half is another timeline's of this widget",
            file(one, halves(UNLESS_OPEN, OTHER_TIMELINE)[1], UNLESS_OPEN))
    refused("open_as_secrets", "the open half stands in both places", file(one, one, UNLESS_OPEN))
    refused("as_complete", "its number is that of the class complete", file(one, two, COMPLETE))
    refused("enc_top_bit", "the top bit of enc, which X25519 ignores, is flipped",
            file(flip(one, 31, 7), two, UNLESS_OPEN))
    refused("ciphertext_flipped_bit", "one bit of the secrets' ciphertext is flipped",
            file(one, flip(two, 32), UNLESS_OPEN))
    refused("48_bytes", "an open half of enc and tag, with nothing between them", file(one[:48], two, UNLESS_OPEN),
            MALFORMED)
    low = hpke_seal(public_key(PRIVATE_KEY), EPHEMERAL[OPEN], binding(OPEN, UNLESS_OPEN, TIMELINE, KIND),
                    padded_content(PUBLIC),
                    agreed=ZEROS)["wrapped"]
    refused("enc_of_low_order", "enc is zeros, so that anybody knows what was agreed: it is not used",
            file(low, two, UNLESS_OPEN))

    def not_sealed(name, about, public):
        vector(f"widget-store/{name}.txt", about, MALFORMED, kind=KIND, public_key=public, protection=UNLESS_OPEN,
               open=PUBLIC, secrets=SEALED)

    not_sealed("seal_to_31_bytes", "a public key one byte too short", public_key(PRIVATE_KEY)[:-1])
    not_sealed("seal_to_low_order", "a public key of zeros: the agreement would give zeros", ZEROS)


def make_all():
    opened()
    not_decoded()
    not_opened()
    not_opened_unless_open()
