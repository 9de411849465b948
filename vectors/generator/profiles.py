"""profile: the record of an installation."""

from generator.core import *

# specs/profile.md, Record ------------------------------------------------------------------------------------------

INSTALLATION = identifier("installation")
WIFI = b"genp" + identifier("wifi item")
CERTIFICATE = b"cert" + identifier("certificate item")


def item(kind, role, protection_class, payload, reference=None):
    return (u8(kind) + u8(role) + u8(protection_class) + field(payload)
            + (u8(1) + reference if reference else u8(0)))


def items(*entries):
    return u32(len(entries)) + b"".join(entries)


DONE = items(item(1, 3, 10, "W", WIFI), item(3, 1, 8, "C", CERTIFICATE))


def record(purpose="tresor profile record v2", state=2, identifier_text="org.example.office", name="Office",
           removal=1, rule=2, length=6, idle=300, former=u8(1) + u32(900), present=DONE, superseded=items()):
    return (field(purpose) + u8(state) + INSTALLATION + field(identifier_text) + field("P") + field(name)
            + field("Example") + u8(removal) + u8(rule) + i64(1_750_000_000_000_000) + u8(length) + u32(idle) + former
            + present + superseded)


def profile():
    shown = {"identifier": "org.example.office", "name": "Office", "items": 2, "superseded": 0, "rule": "ios"}
    good("profile/record_good.txt", "an installed profile with a policy, a network and a certificate", record=record(),
         state=2, **shown)
    good("profile/record_installing_good.txt", "items are being added, and those of the edition before will go",
         record=record(state=1, rule=1, former=u8(0), present=items(item(1, 3, 10, "W")),
                       superseded=items(item(1, 3, 8, "W", WIFI))), state=1,
         **{**shown, "items": 1, "superseded": 1, "rule": "macos"})
    good("profile/record_former_good.txt", "a record of version 1", record=record(purpose="tresor profile record v1"),
         state=2, **shown)
    good("profile/record_root_good.txt", "a profile with a root",
         record=record(present=items(item(3, 4, 8, "R", CERTIFICATE))), state=2, **{**shown, "items": 1})
    good("profile/record_empty_good.txt", "a profile that demands something of the passcode alone",
         record=record(present=items()), state=2, **{**shown, "items": 0})

    def refused(name, about, data):
        vector(f"profile/{name}.txt", about, ("decoder", "damagedRecord"), record=data)

    whole = record()
    refused("empty", "no byte at all", b"")
    refused("truncated", "the last byte is missing", whole[:-1])
    refused("trailing", "one byte follows", whole + b"\0")
    refused("other_purpose", "another purpose", record(purpose="tresor profile record v3"))
    refused("state_three", "state 3", record(state=3))
    refused("rule_three", "rule 3", record(rule=3))
    refused("removal_two", "a flag of 2", record(removal=2))
    refused("unknown_kind", "an item of kind 5", record(present=items(item(5, 3, 10, "W", WIFI))))
    refused("unknown_role", "an item of role 5", record(present=items(item(1, 5, 10, "W", WIFI))))
    refused("former_role_four", "a root in a record of version 1, which knew none",
            record(purpose="tresor profile record v1", present=items(item(3, 4, 8, "R", CERTIFICATE))))
    refused("unknown_class", "an item of class 5", record(present=items(item(1, 3, 5, "W", WIFI))))
    refused("reference_of_another_kind", "a password by the reference of a certificate",
            record(present=items(item(1, 3, 10, "W", CERTIFICATE))))
    refused("installed_without_reference", "installed, and an item was never added",
            record(present=items(item(1, 3, 10, "W"))))
    refused("superseded_without_reference", "an item of the edition before that was never added",
            record(superseded=items(item(1, 3, 10, "W"))))
    refused("identifier_too_long", "an identifier of 256 bytes", record(identifier_text="a" * 256))
    refused("name_too_long", "a name of 4,097 bytes", record(name="a" * 4097))
    refused("too_many_items", "1,001 items are announced", record(present=u32(1001)))
    refused("name_no_utf8", "a name that is no UTF-8", record(name=b"\xff"))


def make_all():
    profile()
