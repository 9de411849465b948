"""account-key and password-hash."""

import base64

from generator.core import *
from generator.zones import ACCOUNT, ACCOUNT_KEY, MALFORMED, NOT_AUTHENTIC

# specs/account.md, "Sealed account key" ----------------------------------------------------------------------------

WAYS = {1: ("tresor account password kek v1", 32), 2: ("tresor account recovery kek v1", 16)}


def sealed_account_key(way, secret, account_id, key=ACCOUNT_KEY):
    info, _ = WAYS[way]
    kek = hkdf(secret, account_id, info)
    aad = field("tresor account key v1") + account_id + u8(way)
    nonce = nonce_of(f"account key way {way}")
    return {"kek": kek, "aad": aad, "nonce": nonce, "sealed": seal(kek, nonce, key, aad)}


def account_key():
    secrets = {way: named(f"account key secret {way}", count) for way, (_, count) in WAYS.items()}
    for way, name in [(1, "password"), (2, "recovery_key")]:
        good(f"account-key/{name}_good.txt", f"an account key that the {name.replace('_', ' ')} opens", way=way,
             secret=secrets[way], account=ACCOUNT, account_key=ACCOUNT_KEY,
             **sealed_account_key(way, secrets[way], ACCOUNT))
    whole = sealed_account_key(1, secrets[1], ACCOUNT)["sealed"]

    def refused(name, about, error=NOT_AUTHENTIC, **changed):
        fields = {"way": 1, "secret": secrets[1], "account": ACCOUNT, "sealed": whole}
        vector(f"account-key/{name}.txt", about, error, **{**fields, **changed})

    refused("other_secret", "opened with what another password stretches to", secret=named("other secret"))
    refused("other_account", "opened as another account's", account=identifier("other account"))
    refused("other_way", "sealed for a password, opened with the same bytes as a recovery key", way=2,
            secret=secrets[1][:16])
    refused("ciphertext_flipped_bit", "one bit of the ciphertext is flipped", sealed=flip(whole, 12))
    refused("tag_flipped_bit", "one bit of the tag is flipped", sealed=flip(whole, 59, 7))
    refused("sealed_59_bytes", "one byte too few", MALFORMED, sealed=whole[:-1])
    refused("sealed_61_bytes", "one byte too many", MALFORMED, sealed=whole + b"\0")
    refused("secret_31_bytes", "a stretched password one byte too short", MALFORMED, secret=secrets[1][:-1])
    refused("recovery_key_32_bytes", "a recovery key of 32 bytes", MALFORMED, way=2)


# specs/password-hash.md --------------------------------------------------------------------------------------------

PASSWORD = "grey cats sleep"


def unpadded(data):
    return base64.b64encode(data).decode().rstrip("=")


def stretched(password, salt, log_rounds, parallelism):
    return Scrypt(salt=salt, length=64, n=2**log_rounds, r=8, p=parallelism).derive(password.encode())


def hash_text(salt, verifier, log_rounds=14, parallelism=1):
    return f"$scrypt$ln={log_rounds},r=8,p={parallelism}${unpadded(salt)}${unpadded(verifier)}"


def password_hash():
    salt = named("password salt", 16)
    both = stretched(PASSWORD, salt, 14, 1)
    whole = hash_text(salt, both[:32])

    def accepted(name, about, password=PASSWORD, log_rounds=14, parallelism=1):
        out = stretched(password, salt, log_rounds, parallelism)
        good(f"password-hash/{name}.txt", about, password=password.encode(),
             text=hash_text(salt, out[:32], log_rounds, parallelism).encode(), key=out[32:])

    accepted("good", "a password, its hash and its key; N is small here so that tests are fast")
    accepted("two_lanes", "the same with p = 2", parallelism=2)
    accepted("default_cost", "the cost of new hashes", log_rounds=16, parallelism=2)
    accepted("utf8", "a password is the bytes of its UTF-8", password="Grüße aus Tromsø")
    vector("password-hash/other_password.txt", "another password", ("comparison", "nil"), text=whole.encode(),
           password=b"grey cats sleeP")
    vector("password-hash/line_feed_behind.txt", "a line feed behind the password makes it another", ("comparison", "nil"),
           text=whole.encode(), password=PASSWORD.encode() + b"\n")
    middle = f"${unpadded(salt)}${unpadded(both[:32])}"
    for name, about, text_ in [
        ("other_algorithm", "another function", "$argon2id$ln=14,r=8,p=1" + middle),
        ("other_block_size", "r is not 8", "$scrypt$ln=14,r=16,p=1" + middle),
        ("cost_below", "N below its bound", "$scrypt$ln=13,r=8,p=1" + middle),
        ("cost_above", "N above its bound: 2 GiB of memory", "$scrypt$ln=21,r=8,p=1" + middle),
        ("lanes_none", "no lane at all", "$scrypt$ln=14,r=8,p=0" + middle),
        ("leading_zero", "one hash has one text", "$scrypt$ln=014,r=8,p=1" + middle),
        ("other_order", "the costs in another order", "$scrypt$r=8,ln=14,p=1" + middle),
        ("padded", "Base64 with its padding", whole + "="),
        ("trailing", "something behind it", whole + "$"),
        ("trailing_line_feed", "a line feed behind it", whole + "\n"),
        ("stray_bits", "bits behind the last byte that are not zero", whole[:-1] + chr(ord(whole[-1]) + 1)),
        ("salt_15_bytes", "a salt too short", f"$scrypt$ln=14,r=8,p=1${unpadded(salt[:15])}${unpadded(both[:32])}"),
        ("hash_31_bytes", "a hash too short", f"$scrypt$ln=14,r=8,p=1${unpadded(salt)}${unpadded(both[:31])}"),
        ("empty", "nothing", ""),
    ]:
        vector(f"password-hash/{name}.txt", about, ("decoder", "nil"), text=text_.encode())
    # The book's section 7.4.2.
    for name, about, salt_, password in [
        ("book_example", "the book's example, which was made with a line feed behind the password", b"", b"123456\n"),
        ("book_without_line_feed", "the same password as it is typed", b"", b"123456"),
        ("book_salt", "salt, then password", b"fixed salt", b"123456"),
    ]:
        good(f"password-hash/{name}.txt", about, salt=salt_, password=password,
             digest=hashlib.sha256(salt_ + password).digest())


def make_all():
    account_key()
    password_hash()
