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


def make_all():
    keychain_key()
