"""zone-record and asset."""

from cryptography.hazmat.primitives.keywrap import aes_key_wrap

from generator.core import *
from generator.zones import *

# specs/zone-record.md ----------------------------------------------------------------------------------------------


def record_aad(zone, name, record_type, generation, revision, writer, head):
    return (field("tresor zone record v1") + zone + name + u16(record_type) + u32(generation) + u64(revision) + writer
            + head)


def padded_count(content_count):
    n = 4 + content_count
    unit = max(64, 2 ** (n.bit_length() - 1) // 16)
    return -(-n // unit) * unit


def padded_content(content):
    return field(content).ljust(padded_count(len(content)), b"\0")


RECORD = {
    "zone": ZONE, "name": identifier("record"), "type": 1, "generation": 1, "revision": 7, "writer": ACCOUNT,
    "head": ZONE,
}


def zone_record():
    record_key, aad = named("record key"), record_aad(*RECORD.values())
    wrapped = aes_key_wrap(ZONE_KEY, record_key)

    def sealed(plaintext, name="record"):
        return seal(record_key, nonce_of(name), plaintext, aad)

    for name, about, content in [
        ("record_good", "a record of twelve bytes", b"hunter2 & co"),
        ("record_empty_good", "a record of no bytes", b""),
        ("record_60_bytes_good", "a content that fills 64 bytes exactly", bytes(range(60))),
        ("record_61_bytes_good", "one byte more, and 64 bytes more", bytes(range(61))),
    ]:
        good(f"zone-record/{name}.txt", about, zone_key=ZONE_KEY, **RECORD, content=content, record_key=record_key,
             wrapped_key=wrapped, plaintext=padded_content(content), aad=aad, nonce=nonce_of(name),
             sealed=sealed(padded_content(content), name))
    for count in [0, 60, 61, 1020, 1021, 2044, 2045, 65_532, 65_533, 1_000_000]:
        good(f"zone-record/padded_count_of_{count}.txt", f"how long the plaintext of {count} bytes is",
             content_count=count, padded_count=padded_count(count))
    whole = sealed(padded_content(b"hunter2 & co"))

    def refused(file, about, error=NOT_AUTHENTIC, **changed):
        fields = {"zone_key": ZONE_KEY, **RECORD, "wrapped_key": wrapped, "sealed": whole}
        vector(f"zone-record/{file}.txt", about, error, **{**fields, **changed})

    refused("other_zone_key", "under another zone key", zone_key=named("other zone key"))
    refused("other_record_key", "with the wrapped key of another record",
            wrapped_key=aes_key_wrap(ZONE_KEY, named("other record key")))
    refused("other_zone", "opened in another zone", zone=named("other zone"))
    refused("other_name", "opened as another record", name=identifier("other record"))
    refused("other_type", "opened as another type", type=2)
    refused("other_generation", "opened as another generation", generation=2)
    refused("other_revision", "opened as the revision before", revision=6)
    refused("other_writer", "opened as another writer's", writer=MEMBER)
    refused("other_head", "opened at another head of the log", head=sha256(log_entry(ADD)))
    refused("wrapped_key_flipped_bit", "one bit of the wrapped key is flipped", wrapped_key=flip(wrapped, 0))
    refused("iv_flipped_bit", "one bit of the initialisation vector is flipped", sealed=flip(whole, 0))
    refused("ciphertext_flipped_bit", "one bit of the ciphertext is flipped", sealed=flip(whole, 12))
    refused("tag_flipped_bit", "one bit of the tag is flipped", sealed=flip(whole, -1, 7))
    refused("truncated", "the last byte is missing", sealed=whole[:-1])
    refused("trailing", "one byte behind the tag", sealed=whole + b"\0")
    refused("sealed_27_bytes", "shorter than initialisation vector and tag", MALFORMED, sealed=whole[:27])
    refused("wrapped_key_39_bytes", "a wrapped key one byte too short", MALFORMED, wrapped_key=wrapped[:-1])
    refused("wrapped_key_24_bytes", "a wrapped key of 128 bits", MALFORMED,
            wrapped_key=aes_key_wrap(ZONE_KEY, named("short record key", 16)))
    refused("wrapped_key_48_bytes", "a wrapped key of 320 bits", MALFORMED,
            wrapped_key=aes_key_wrap(ZONE_KEY, record_key + bytes(8)))
    refused("shifted_context", "a zone of 31 bytes and a head of 33, so that the authenticated data stays the same",
            MALFORMED, **shifted_record(aad))
    paddings(refused, sealed)


def shifted_record(aad):
    """The fields of another record whose authenticated data would be the same, were lengths not looked at."""
    number = lambda data: int.from_bytes(data, "big")  # noqa: E731
    shifted = {"zone": aad[25:56], "name": aad[56:72], "type": number(aad[72:74]), "generation": number(aad[74:78]),
               "revision": number(aad[78:86]), "writer": aad[86:102], "head": aad[102:]}
    assert record_aad(*shifted.values()) == aad
    return shifted


def paddings(refused, sealed):
    short, long = padded_content(b"hunter2 & co"), padded_content(bytes(range(256)) * 8)
    assert len(long) == 2176
    for name, about, plaintext in [
        ("padding_not_zero", "the last byte of the padding is 1", short[:-1] + b"\1"),
        ("padding_64_too_many", "64 zeros more than needed", short + bytes(64)),
        ("padding_one_too_few", "one zero too few", short[:-1]),
        ("padding_of_too_small_a_unit", "2,052 bytes padded to a multiple of 64 instead of 128", long[:2112]),
        ("length_beyond_plaintext", "a length of 61 in 64 bytes", u32(61) + bytes(60)),
        ("length_of_32_bits", "the greatest length in 64 bytes", b"\xff" * 4 + bytes(60)),
        ("plaintext_of_3_bytes", "no room for a length", bytes(3)),
        ("plaintext_empty", "no plaintext at all", b""),
    ]:
        refused(name, about, MALFORMED, sealed=sealed(plaintext))


# specs/asset.md ----------------------------------------------------------------------------------------------------

CHUNK = 1 << 20


def asset_nonce(prefix, index, last):
    return prefix + u32(index) + u8(last)


def asset():
    key = {"key": named("asset key"), "prefix": named("asset prefix", 7), "asset": identifier("asset")}
    aad = field("tresor asset v1") + key["asset"]

    def sealed(index, last, plaintext):
        return AESGCM(key["key"]).encrypt(asset_nonce(key["prefix"], index, last), plaintext, aad)

    def chunk_good(name, about, index, last, plaintext):
        good(f"asset/{name}.txt", about, **key, index=index, last=last, plaintext=plaintext, aad=aad,
             nonce=asset_nonce(key["prefix"], index, last), sealed=sealed(index, last, plaintext))

    chunk_good("only_chunk_good", "an asset of twelve bytes", 0, 1, b"hunter2 & co")
    chunk_good("last_chunk_good", "the third and last chunk of an asset", 2, 1, b"hunter2 & co")
    chunk_good("last_chunk_of_4_pib_good", "the last chunk of the longest asset", 2**32 - 1, 1, b"\0")
    chunk_good("empty_asset_good", "an asset of no bytes is one chunk of no bytes", 0, 1, b"")

    def full(index, last):
        return {"sealed_index": index, "sealed_last": last, "fill": 0xA5, "count": CHUNK,
                "tag": sealed(index, last, b"\xa5" * CHUNK)[-16:]}

    good("asset/full_chunk_good.txt", "a chunk that is not the last is full", **key, index=1, last=0, **full(1, 0))
    good("asset/full_last_chunk_good.txt", "the last may be full, too", **key, index=1, last=1, **full(1, 1))

    def refused(name, about, error=NOT_AUTHENTIC, **changed):
        vector(f"asset/{name}.txt", about, error, **{**key, "index": 2, "last": 1, **changed})

    whole = sealed(2, 1, b"hunter2 & co")
    refused("full_chunk_as_last", "a file cut off behind a full chunk", index=1, last=1, **full(1, 0))
    refused("full_last_chunk_as_middle", "chunks put behind the last", index=1, last=0, **full(1, 1))
    refused("full_chunk_at_other_index", "two full chunks exchanged", index=2, last=0, **full(1, 0))
    refused("short_chunk_as_last", "a short chunk that was not sealed as the last", sealed=sealed(2, 0, b"hunter2"))
    refused("last_chunk_at_other_index", "the last chunk one place further on", index=3, sealed=whole)
    refused("other_asset", "opened as another asset's", asset=identifier("other asset"), sealed=whole)
    refused("other_key", "opened under another key", key=named("other asset key"), sealed=whole)
    refused("other_prefix", "opened under another prefix", prefix=named("other asset prefix", 7), sealed=whole)
    refused("ciphertext_flipped_bit", "one bit of the ciphertext is flipped", sealed=flip(whole, 0))
    refused("tag_flipped_bit", "one bit of the tag is flipped", sealed=flip(whole, -1, 7))
    refused("chunk_truncated", "the last byte is missing", sealed=whole[:-1])
    refused("chunk_trailing", "one byte behind the tag", sealed=whole + b"\0")
    refused("chunk_15_bytes", "shorter than its tag", MALFORMED, sealed=whole[:15])
    refused("short_chunk_as_middle", "a chunk that is not the last is full", MALFORMED, index=1, last=0,
            sealed=sealed(1, 0, b"hunter2 & co"))
    refused("empty_chunk_behind_others", "only an empty asset has an empty chunk", MALFORMED,
            sealed=sealed(2, 1, b""))
    refused("chunk_too_long", "a chunk of one byte more than 1 MiB", MALFORMED, zeros=CHUNK + 17)
    refused("seal_short_chunk_as_middle", "a short chunk is sealed as the last only", MALFORMED, index=1, last=0,
            plaintext=b"hunter2 & co")
    refused("seal_empty_chunk_behind_others", "an empty chunk is sealed as the first only", MALFORMED, plaintext=b"")
    for name, about, changed in [
        ("key_31_bytes", "a key one byte too short", {"key": key["key"][:-1]}),
        ("prefix_6_bytes", "a prefix one byte too short", {"prefix": key["prefix"][:-1]}),
        ("prefix_8_bytes", "a prefix one byte too long", {"prefix": key["prefix"] + b"\0"}),
    ]:
        refused(name, about, ("length", "nil"), **changed, sealed=whole)


def make_all():
    zone_record()
    asset()
