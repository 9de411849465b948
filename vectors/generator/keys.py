"""security-key."""

from generator.core import *

# specs/security-key.md ---------------------------------------------------------------------------------------------

SECRET = named("what the security key derived")
PRESENCE_ID = identifier("presence key")
PRESENCE_KEK = hkdf(SECRET + ROOT, PRESENCE_ID, "tresor presence kek v1")
PRESENCE_KEY = named("presence key")


def presence_aad(key_id):
    return field("tresor presence key v1") + key_id


def presence_record(version=1, key_id=PRESENCE_ID):
    return u8(version) + key_id + seal(PRESENCE_KEK, nonce_of("presence key"), PRESENCE_KEY, presence_aad(PRESENCE_ID))


def description(name="Blue", credential=b"credential", public=None, verifies=1):
    public = public or named("x of the key") + named("y of the key")
    return field(name) + field(credential) + public + named("salt of the key") + u8(verifies)


def security_key():
    record = presence_record()
    shown = {"id": PRESENCE_ID, "root_key": ROOT, "secret": SECRET}
    good("security-key/record_good.txt", "what only one security key opens", record=record, **shown, kek=PRESENCE_KEK,
         key=PRESENCE_KEY)

    def refused(name, about, data, layer, error, **changed):
        vector(f"security-key/{name}.txt", about, (layer, error), record=data, **{**shown, **changed})

    refused("empty", "no byte at all", b"", "decoder", "truncated")
    refused("truncated", "the last byte is missing", record[:-1], "decoder", "truncated")
    refused("trailing", "one byte follows", record + b"\0", "decoder", "trailing")
    refused("version_two", "version 2", presence_record(version=2), "decoder", "invalid")
    refused("other_key", "another security key's secret", record, "envelope", "notAuthentic",
            secret=named("what another derived"))
    refused("other_id", "under the id of another record", presence_record(key_id=identifier("another record")),
            "envelope", "notAuthentic")


# specs/key-wrap.md, an item's own password --------------------------------------------------------------------------


def item_password():
    salt, key, password = named("salt of an item"), named("class key 6"), b"an item's own"
    stretched = Scrypt(salt=salt, length=32, n=1 << 15, r=8, p=1).derive(password)
    good("item-password/good.txt", "the key that wraps the row key of an item with a password of its own", key=key,
         password=password, parameters=salt + u8(15), item=ITEM,
         joined=hkdf(key + stretched, ITEM, "tresor item password v1"))

    def refused(name, about, parameters):
        vector(f"item-password/{name}.txt", about, ("envelope", "malformed"), key=key, password=password,
               parameters=parameters, item=ITEM)

    refused("short", "a salt of 31 bytes", salt[:31] + u8(15))
    refused("empty", "no parameters", b"")
    refused("cost_below", "2 to the power of 14", salt + u8(14))
    refused("cost_above", "2 to the power of 21", salt + u8(21))


def make_all():
    item_password()
    security_key()
