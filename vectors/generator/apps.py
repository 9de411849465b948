"""app-manifest."""

import base64

from generator.core import *
from generator.zones import ED25519_ORDER, sha256, signing_public  # noqa: F401
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

MALFORMED, NOT_AUTHENTIC = ("envelope", "malformed"), ("envelope", "notAuthentic")

DEVELOPER_KEY = named("developer key")
DEVELOPER = signing_public(DEVELOPER_KEY)
PREFIX = base64.b32encode(sha256(field("tresor developer v1") + DEVELOPER)).decode()[:16]
CREATED = 1_750_000_000_000_000


def texts(items):
    return u32(len(items)) + b"".join(field(item) for item in items)


SMALLEST = {
    "purpose": "tresor app manifest v1", "version": 1, "created": CREATED, "expires": 0, "bundle": "org.example.mail",
    "name": "Mail", "keychain_groups": [], "application_groups": [], "executables": [sha256(b"mail")],
    "sandboxes": [], "unit": "", "group": "",
}
WHOLE = {
    **SMALLEST, "version": 7, "expires": CREATED + 1, "name": "Post für alle",
    "keychain_groups": [f"{PREFIX}.shared", f"{PREFIX}.mail"], "application_groups": ["group.org.a", "group.org.b"],
    "executables": sorted([sha256(b"mail"), sha256(b"mail helper")]),
    "sandboxes": ["flatpak:org.example.Mail", "snap:mail"], "unit": "mail.service", "group": "mail-keys",
}


def manifest(base=SMALLEST, **changed):
    m = {**base, **changed}
    return (field(m["purpose"]) + DEVELOPER + u32(m["version"]) + u64(m["created"]) + u64(m["expires"])
            + field(m["bundle"]) + field(m["name"]) + texts(m["keychain_groups"]) + texts(m["application_groups"])
            + u32(len(m["executables"])) + b"".join(m["executables"]) + texts(m["sandboxes"]) + field(m["unit"])
            + field(m["group"]))


def signed(encoded, key=DEVELOPER_KEY):
    return encoded + Ed25519PrivateKey.from_private_bytes(key).sign(encoded)


def make_all():
    def right(name, about, m):
        good(f"app-manifest/{name}.txt", about, private_key=DEVELOPER_KEY, developer=DEVELOPER, prefix=PREFIX,
             version=m["version"], created=m["created"], expires=m["expires"], bundle_identifier=m["bundle"],
             identifier=f"{PREFIX}.{m['bundle']}", keychain_groups=" ".join(m["keychain_groups"]) or "none",
             application_groups=" ".join(m["application_groups"]) or "none", executables=b"".join(m["executables"]),
             sandboxes=" ".join(m["sandboxes"]) or "none", unit=m["unit"] or "none", group=m["group"] or "none",
             file=signed(manifest(m)))

    right("good", "an app with groups of both kinds, two executables, two sandboxes, a unit and a system group", WHOLE)
    right("good_smallest", "an app that is one executable and has no group but its own", SMALLEST)

    def refused(name, about, encoded, error=MALFORMED):
        vector(f"app-manifest/{name}.txt", about, error, file=encoded)

    def malformed(vector_name, about, /, **changed):
        refused(vector_name, about, signed(manifest(**changed)))

    malformed("purpose_of_other_version", "a purpose of version 2", purpose="tresor app manifest v2")
    malformed("version_zero", "version 0", version=0)
    malformed("expires_before_created", "it expires at the moment at which it was made", expires=CREATED)
    malformed("bundle_one_part", "a bundle identifier of one part", bundle="mail")
    malformed("bundle_underscore", "a bundle identifier with _", bundle="org.example_mail.x")
    malformed("name_empty", "no name", name="")
    malformed("group_of_other_prefix", "a keychain group of another prefix", keychain_groups=["AAAAAAAAAAAAAAAA.x"])
    malformed("group_prefix_alone", "a keychain group without a name", keychain_groups=[f"{PREFIX}."])
    malformed("group_with_space", "a keychain group with a space", keychain_groups=[f"{PREFIX}.a b"])
    malformed("group_twice", "a keychain group twice", keychain_groups=[f"{PREFIX}.a", f"{PREFIX}.a"])
    malformed("application_group_one_part", "an application group of one part", application_groups=["group.mail"])
    malformed("application_groups_descending", "application groups not ascending",
              application_groups=["group.org.b", "group.org.a"])
    digests = sorted([sha256(b"mail"), sha256(b"mail helper")], reverse=True)
    malformed("executables_descending", "executables not ascending", executables=digests)
    malformed("executable_twice", "an executable twice", executables=[digests[0], digests[0]])
    malformed("sandbox_empty", "a sandbox without a name", sandboxes=[""])
    malformed("nothing_to_know_it_by", "no executable, sandbox, unit or group", executables=[])
    malformed("too_many_groups", "65 keychain groups", keychain_groups=[f"{PREFIX}.{n}" for n in range(65)])
    whole = manifest(WHOLE)
    refused("truncated", "one byte is missing before the signature", signed(whole[:-1]))
    refused("trailing", "one byte stands before the signature", signed(whole + b"\0"))
    refused("empty", "no bytes", b"")
    file = signed(whole)
    refused("signature_flipped_bit", "one bit of the signature is flipped", flip(file, len(file) - 1), NOT_AUTHENTIC)
    refused("signature_by_other_key", "signed with another key", signed(whole, named("other developer key")),
            NOT_AUTHENTIC)
    refused("field_changed", "the version was raised after the signature", manifest(WHOLE, version=8) + file[-64:],
            NOT_AUTHENTIC)
