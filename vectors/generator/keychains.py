"""keychain-key."""

from generator.core import *
from generator.items import keychain_key_aad

# specs/keychain-key.md ---------------------------------------------------------------------------------------------

OWN_PASSCODE = b"a keychain's own"
OWN_KEY = named("key of a keychain")
OWN_ID = identifier("keychain key")
OWN_SALT = named("salt of a keychain")


def keychain_kek(passcode=OWN_PASSCODE, salt=OWN_SALT, log_rounds=15, root=ROOT, key_id=OWN_ID):
    stretched = Scrypt(salt=salt, length=32, n=1 << log_rounds, r=8, p=1).derive(passcode)
    return hkdf(stretched + root, key_id, "tresor keychain passcode kek v1")


KEK = keychain_kek()


def keychain_record(version=1, log_rounds=15, salt=OWN_SALT, keychain=KEYCHAIN):
    wrapped = seal(KEK, nonce_of("keychain key"), OWN_KEY, keychain_key_aad(OWN_ID, keychain))
    return u8(version) + OWN_ID + u8(log_rounds) + salt + wrapped


def keychain_key():
    record = keychain_record()
    shown = {"id": OWN_ID, "log_rounds": 15, "salt": OWN_SALT, "keychain": KEYCHAIN, "root_key": ROOT,
             "passcode": OWN_PASSCODE}
    good("keychain-key/record_good.txt", "the key of a keychain, under its own passcode", record=record, **shown,
         kek=KEK, key=OWN_KEY)
    good("keychain-key/joined_good.txt", "the key that wraps its items' row keys", class_key=named("class key 6"),
         keychain_key=OWN_KEY, id=OWN_ID,
         joined=hkdf(named("class key 6") + OWN_KEY, OWN_ID, "tresor keychain joined key v1"))

    def refused(name, about, data, layer, error):
        vector(f"keychain-key/{name}.txt", about, (layer, error), record=data, **shown)

    refused("empty", "no byte at all", b"", "decoder", "truncated")
    refused("truncated", "the last byte is missing", record[:-1], "decoder", "truncated")
    refused("trailing", "one byte follows", record + b"\0", "decoder", "trailing")
    refused("version_two", "version 2", keychain_record(version=2), "decoder", "invalid")
    refused("cost_below", "scrypt's cost is 2 to the power of 14", keychain_record(log_rounds=14), "decoder", "invalid")
    refused("cost_above", "scrypt's cost is 2 to the power of 21", keychain_record(log_rounds=21), "decoder", "invalid")
    refused("flipped_bit", "one bit of the wrapped key is flipped", flip(record, len(record) - 1), "envelope",
            "notAuthentic")
    refused("other_store", "of another store", keychain_record(keychain=identifier("other keychain")), "envelope",
            "notAuthentic")


RECORD_TABLE_KEY = named("table key of class 10")
BINDING_KEY = hkdf(RECORD_TABLE_KEY, KEYCHAIN, "tresor keychain binding key v1")


def bound(content, service="tresor.keychain", name="Vault", key=BINDING_KEY):
    signed = field("tresor keychain record v2") + field(service) + field(name) + field(content)
    return u8(2) + field(content) + mac(key, signed)


def bound_record():
    record, place = keychain_record(), {"service": "tresor.keychain", "name": b"Vault"}
    key = {"table_key": RECORD_TABLE_KEY, "store": KEYCHAIN, "key": BINDING_KEY}

    def read(file, about, secret, content, is_bound, **changed):
        good(f"keychain-record/{file}.txt", about, **{**place, **key, **changed}, secret=secret, content=content,
             bound=is_bound)

    read("own_passcode_good", "of a keychain with a passcode of its own", bound(record), record, True)
    read("with_the_device_good", "of a keychain that opens with the device", bound(b""), b"", True)
    read("chosen_good", "which keychain takes what names none",
         bound(b"Vault", "tresor.keychain.default", ""), b"Vault", True, service="tresor.keychain.default", name=b"")
    read("version_1_record", "as 0.1 wrote it: bound to nothing", record, record, False)
    read("version_1_empty", "the same, without a passcode: what anybody with the root key can write", b"", b"", False)
    read("other_name", "moved to another keychain", bound(record, name="Other"), record, False)
    read("other_service", "of another service", bound(record, "tresor.keychain.default"), record, False)
    read("other_content", "emptied, its tag kept", u8(2) + field(b"") + bound(record)[-32:], b"", False)
    read("other_key", "under the key of another store", bound(record, key=hkdf(
        RECORD_TABLE_KEY, identifier("other keychain"), "tresor keychain binding key v1")), record, False)
    read("tag_flipped_bit", "one bit of the tag is flipped", flip(bound(record), len(bound(record)) - 1), record, False)
    good("keychain-record/before_first_unlock.txt", "read without a key: nothing is bound yet", **place,
         secret=bound(record), content=record, bound=False)

    def refused(name, about, secret, error):
        vector(f"keychain-record/{name}.txt", about, ("decoder", error), **place, **key, secret=secret)

    refused("tag_31_bytes", "a tag one byte too short", bound(record)[:-1], "truncated")
    refused("trailing", "one byte behind the tag", bound(record) + b"\0", "trailing")
    refused("content_too_long", "a content of 1,025 bytes", bound(bytes(1025)), "tooLong")


def make_all():
    keychain_key()
    bound_record()
