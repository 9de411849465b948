"""account and zone."""

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey

from generator.core import *

NOT_AUTHENTIC, MALFORMED = ("envelope", "notAuthentic"), ("envelope", "malformed")

# specs/account.md --------------------------------------------------------------------------------------------------

ACCOUNT = identifier("account")
ACCOUNT_KEY = named("account key")
SIGNING_KEY = named("account signing key")
BACKGROUND_KEY = named("account background agreement key")
AGREEMENT_KEY = named("account agreement key")


def signing_public(private):
    key = Ed25519PrivateKey.from_private_bytes(private).public_key()
    return key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)


def account_aad(account_id, role, public):
    return field("tresor account private key v1") + account_id + u8(role) + public


def account():
    def sealed(role, private, public):
        nonce, aad = nonce_of(f"account key {role}"), account_aad(ACCOUNT, role, public)
        return {"aad": aad, "nonce": nonce, "sealed": seal(ACCOUNT_KEY, nonce, private, aad)}

    for name, about, role, private, derive in [
        ("signing_key_good", "the private key that signs", 1, SIGNING_KEY, signing_public),
        ("background_agreement_key_good", "the private key that opens zones of class afterFirstUnlock", 2,
         BACKGROUND_KEY, public_key),
        ("agreement_key_good", "the private key that opens zones of class whenUnlocked", 3, AGREEMENT_KEY, public_key),
    ]:
        good(f"account/{name}.txt", about, account_key=ACCOUNT_KEY, account=ACCOUNT, role=role,
             public_key=derive(private), private_key=private, **sealed(role, private, derive(private)))
    public = public_key(AGREEMENT_KEY)
    whole = sealed(3, AGREEMENT_KEY, public)["sealed"]

    def refused(name, about, error=NOT_AUTHENTIC, **changed):
        fields = {"account_key": ACCOUNT_KEY, "account": ACCOUNT, "role": 3, "public_key": public, "sealed": whole}
        vector(f"account/{name}.txt", about, error, **{**fields, **changed})

    refused("other_account_key", "opened under another account's key", account_key=named("other account key"))
    refused("other_account", "opened as another account's", account=identifier("other account"))
    refused("other_role", "the agreement key opened as the one for the background", role=2)
    refused("other_public_key", "another public key beside the private one", public_key=public_key(BACKGROUND_KEY))
    refused("nonce_flipped_bit", "one bit of the nonce is flipped", sealed=flip(whole, 0))
    refused("ciphertext_flipped_bit", "one bit of the ciphertext is flipped", sealed=flip(whole, 12))
    refused("tag_flipped_bit", "one bit of the tag is flipped", sealed=flip(whole, 59, 7))
    refused("sealed_59_bytes", "one byte too few", MALFORMED, sealed=whole[:-1])
    refused("sealed_61_bytes", "one byte too many", MALFORMED, sealed=whole + b"\0")
    refused("public_key_31_bytes", "a public key one byte too short", MALFORMED, public_key=public[:-1])


# specs/zone.md: the membership log ---------------------------------------------------------------------------------

ZONE_KEY = named("zone key")
ZEROS = bytes(32)
ED25519_ORDER = 2**252 + 27742317777372353535851937790883648493


def sha256(data):
    return hashlib.sha256(data).digest()


def commitment(generation, key):
    return sha256(field("tresor zone key commitment v1") + u32(generation) + key)


GENESIS = {
    "zone": ZEROS, "number": 0, "previous": ZEROS, "operation": 1, "subject": ACCOUNT,
    "signing_key": signing_public(SIGNING_KEY), "background_agreement_key": public_key(BACKGROUND_KEY),
    "agreement_key": public_key(AGREEMENT_KEY), "role": 1, "zone_class": 1, "scope": "notes", "generation": 1,
    "commitment": commitment(1, ZONE_KEY), "time": 1_750_000_000_000_000, "signer": ACCOUNT,
}


def log_entry(fields, purpose="tresor zone log v1"):
    f = fields
    return (field(purpose) + f["zone"] + u64(f["number"]) + f["previous"] + u8(f["operation"]) + f["subject"]
            + f["signing_key"] + f["background_agreement_key"] + f["agreement_key"] + u8(f["role"])
            + u8(f["zone_class"]) + field(f["scope"]) + u32(f["generation"]) + f["commitment"] + u64(f["time"])
            + f["signer"])


def sign(private, message):
    return Ed25519PrivateKey.from_private_bytes(private).sign(message)


ZONE = sha256(log_entry(GENESIS))
MEMBER = identifier("member")
ADD = {
    **GENESIS, "zone": ZONE, "number": 1, "previous": ZONE, "operation": 2, "subject": MEMBER,
    "signing_key": signing_public(named("member signing key")),
    "background_agreement_key": public_key(named("member background agreement key")),
    "agreement_key": public_key(named("member agreement key")), "role": 3, "time": 1_750_000_001_000_000,
}


def zone_log():
    def entry_good(name, about, fields, private=None):
        entry = log_entry(fields)
        signed = {"private_key": private, "signature": sign(private, entry)} if private else {}
        good(f"zone/{name}.txt", about, **fields, entry=entry, hash=sha256(entry), **signed)

    entry_good("genesis_good", "the first entry of a zone, signed by its owner", GENESIS, SIGNING_KEY)
    entry_good("genesis_after_first_unlock_good", "the same of a zone that opens after first unlock",
               {**GENESIS, "zone_class": 2}, SIGNING_KEY)
    entry_good("genesis_scope_64_bytes_good", "the longest scope", {**GENESIS, "scope": "é" * 32}, SIGNING_KEY)
    entry_good("add_good", "a later entry, by which the owner adds a writer", ADD)

    def refused(name, about, fields, error="invalid", **changed):
        vector(f"zone/{name}.txt", about, ("decoder", error), entry=log_entry({**fields, **changed}))

    refused("genesis_zone_not_zero", "a first entry that names a zone", GENESIS, zone=named("zone"))
    refused("genesis_number_not_zero", "a zone is created by an entry of number 1", GENESIS, number=1)
    refused("genesis_previous_not_zero", "a first entry that follows another", GENESIS, previous=named("previous"))
    refused("genesis_role_not_owner", "a zone's first member is an admin", GENESIS, role=2)
    refused("genesis_generation_two", "a zone's first key is of generation 2", GENESIS, generation=2)
    refused("add_number_zero", "an entry of number 0 that creates nothing", ADD, number=0)
    refused("add_zone_zero", "a later entry without a zone", ADD, zone=ZEROS)
    refused("add_previous_zero", "a later entry that follows none", ADD, previous=ZEROS)
    refused("operation_zero", "operation 0", ADD, operation=0)
    refused("operation_seven", "operation 7", ADD, operation=7)
    refused("role_zero", "role 0", ADD, role=0)
    refused("role_five", "role 5", ADD, role=5)
    refused("class_zero", "class 0", GENESIS, zone_class=0)
    refused("class_three", "class 3", GENESIS, zone_class=3)
    refused("scope_65_bytes", "a scope one byte too long", GENESIS, "tooLong", scope="s" * 65)
    refused("scope_not_utf8", "a scope of one byte 0xff", GENESIS, scope=b"\xff")
    entry = log_entry(GENESIS)
    for name, about, error, data in [
        ("purpose_of_other_version", "the purpose ends in v2", "invalid", log_entry(GENESIS, "tresor zone log v2")),
        ("entry_truncated", "the last byte of the signer is missing", "truncated", entry[:-1]),
        ("entry_truncated_in_scope", "it ends inside the scope", "truncated", entry[:215]),
        ("entry_empty", "no byte at all", "truncated", b""),
        ("entry_trailing", "one byte behind the signer", "trailing", entry + b"\0"),
    ]:
        vector(f"zone/{name}.txt", about, ("decoder", error), entry=data)
    signatures(entry)


def signatures(entry):
    def refused(name, about, signature, signed=entry):
        vector(f"zone/{name}.txt", about, ("signature", "false"), entry=signed, signature=signature)

    right = sign(SIGNING_KEY, entry)
    refused("signature_flipped_bit", "one bit of the signature is flipped", flip(right, 0))
    refused("signature_by_other_key", "signed by another key than the entry's own", sign(named("other key"), entry))
    refused("signature_of_other_entry", "the time was changed after the signature", right,
            log_entry({**GENESIS, "time": GENESIS["time"] + 1}))
    refused("signature_63_bytes", "one byte too few", right[:-1])
    refused("signature_65_bytes", "one byte too many", right + b"\0")
    raised = int.from_bytes(right[32:], "little") + ED25519_ORDER
    refused("signature_not_reduced", "the group's order was added to the second half: RFC 8032 wants it below",
            right[:32] + raised.to_bytes(32, "little"))
    strange = log_entry({**GENESIS, "signer": MEMBER})
    refused("genesis_other_signer", "a first entry whose signer is not its subject", sign(SIGNING_KEY, strange),
            strange)
    intruder = log_entry({**ADD, "signer": MEMBER})
    refused("add_signed_by_subject", "who is added signs for it: only a first entry vouches for itself",
            sign(named("member signing key"), intruder), intruder)


def commitments():
    good("zone/commitment_good.txt", "what the log says of a zone key", zone_key=ZONE_KEY, generation=1,
         commitment=commitment(1, ZONE_KEY))
    differs = ("commitment", "differs")
    vector("zone/commitment_other_key.txt", "a member was sent another key than the log names", differs,
           zone_key=named("other zone key"), generation=1, commitment=commitment(1, ZONE_KEY))
    vector("zone/commitment_other_generation.txt", "the same key under another generation", differs,
           zone_key=ZONE_KEY, generation=2, commitment=commitment(1, ZONE_KEY))


# specs/zone.md: the keyring ----------------------------------------------------------------------------------------
# HPKE base mode as RFC 9180 describes it, with a fixed ephemeral key in the place of a random one.

KEM_SUITE = b"KEM" + u16(0x0020)
HPKE_SUITE = b"HPKE" + u16(0x0020) + u16(0x0001) + u16(0x0002)


def labeled_extract(suite, salt, label, secret):
    return mac(salt or ZEROS, b"HPKE-v1" + suite + label + secret)


def labeled_expand(suite, secret, label, info, length):
    """One block of HKDF-Expand, which is 32 bytes: none of ours is longer."""
    return mac(secret, u16(length) + b"HPKE-v1" + suite + label + info + b"\1")[:length]


def hpke_seal(public, ephemeral, info, plaintext, agreed=None):
    enc = public_key(ephemeral)
    if agreed is None:
        agreed = X25519PrivateKey.from_private_bytes(ephemeral).exchange(X25519PublicKey.from_public_bytes(public))
    else:
        enc = ZEROS
    extracted = labeled_extract(KEM_SUITE, b"", b"eae_prk", agreed)
    shared = labeled_expand(KEM_SUITE, extracted, b"shared_secret", enc + public, 32)
    context = u8(0) + labeled_extract(HPKE_SUITE, b"", b"psk_id_hash", b"")
    context += labeled_extract(HPKE_SUITE, b"", b"info_hash", info)
    secret = labeled_extract(HPKE_SUITE, shared, b"secret", b"")
    key = labeled_expand(HPKE_SUITE, secret, b"key", context, 32)
    nonce = labeled_expand(HPKE_SUITE, secret, b"base_nonce", context, 12)
    wrapped = enc + AESGCM(key).encrypt(nonce, plaintext, b"")
    return {"shared_secret": shared, "key": key, "nonce": nonce, "wrapped": wrapped}


def zone_key_info(zone, generation, member, head):
    return field("tresor zone key v1") + zone + u32(generation) + member + head


def keyring():
    context = {"zone": ZONE, "generation": 1, "member": ACCOUNT, "head": ZONE}
    info, ephemeral = zone_key_info(*context.values()), named("ephemeral key")

    def zone_key_good(name, about, private):
        public = public_key(private)
        good(f"zone/{name}.txt", about, private_key=private, public_key=public, **context, info=info,
             ephemeral_key=ephemeral, **hpke_seal(public, ephemeral, info, ZONE_KEY), zone_key=ZONE_KEY)

    zone_key_good("zone_key_good", "the key of a zone of class whenUnlocked, for its owner", AGREEMENT_KEY)
    zone_key_good("zone_key_background_good", "the same to the key of class afterFirstUnlock", BACKGROUND_KEY)
    wrapped = hpke_seal(public_key(AGREEMENT_KEY), ephemeral, info, ZONE_KEY)["wrapped"]

    def refused(name, about, error=NOT_AUTHENTIC, **changed):
        vector(f"zone/{name}.txt", about, error,
               **{"private_key": AGREEMENT_KEY, **context, "wrapped": wrapped, **changed})

    refused("zone_key_other_zone", "opened as another zone's", zone=named("other zone"))
    refused("zone_key_other_generation", "opened as another generation", generation=2)
    refused("zone_key_other_member", "opened by another name", member=MEMBER)
    refused("zone_key_other_head", "opened at another head of the log", head=sha256(log_entry(ADD)))
    refused("zone_key_other_private_key", "wrapped for another key", private_key=BACKGROUND_KEY)
    refused("zone_key_enc_top_bit", "the top bit of enc, which X25519 ignores, is flipped",
            wrapped=flip(wrapped, 31, 7))
    refused("zone_key_ciphertext_flipped_bit", "one bit of the ciphertext is flipped", wrapped=flip(wrapped, 32))
    refused("zone_key_tag_flipped_bit", "one bit of the tag is flipped", wrapped=flip(wrapped, 79, 7))
    refused("zone_key_79_bytes", "one byte too few", MALFORMED, wrapped=wrapped[:-1])
    refused("zone_key_81_bytes", "one byte too many", MALFORMED, wrapped=wrapped + b"\0")
    refused("zone_key_enc_of_low_order", "enc is zeros, so that anybody knows what was agreed: it is not used",
            wrapped=hpke_seal(public_key(AGREEMENT_KEY), ephemeral, info, ZONE_KEY, agreed=ZEROS)["wrapped"])
    shifted = {"zone": info[22:53], "generation": int.from_bytes(info[53:57], "big"), "member": info[57:73],
               "head": info[73:]}
    assert zone_key_info(*shifted.values()) == info
    refused("zone_key_shifted_context", "a zone of 31 bytes and a head of 33, so that the info stays the same",
            MALFORMED, **shifted)

    def not_wrapped(name, about, public):
        vector(f"zone/{name}.txt", about, MALFORMED, public_key=public, **context, zone_key=ZONE_KEY)

    not_wrapped("wrap_to_31_bytes", "a public key one byte too short", public_key(AGREEMENT_KEY)[:-1])
    not_wrapped("wrap_to_low_order", "a public key of zeros: the agreement would give zeros", ZEROS)


def make_all():
    account()
    zone_log()
    commitments()
    keyring()
