"""zone-members: whole membership logs, and what travels beside them."""

from cryptography.hazmat.primitives.keywrap import aes_key_wrap

from generator.core import *
from generator.records import padded_content, record_aad
from generator.zones import *

CREATE, ADD_MEMBER, REMOVE, ROLE, ROTATE, LEAVE = range(1, 7)
OWNER, ADMIN, WRITER, READER = range(1, 5)
SHARED, TIME = "shared notes", 1_750_000_000_000_000


class Keys:
    """An account's pairs, of which a log has three public keys; the fourth signs records alone."""

    def __init__(self, name):
        self.signing, self.background = named(name + " signing key"), named(name + " background agreement key")
        self.agreement, self.background_signing = named(name + " agreement key"), named(name + " background signing")
        self.public = {"signing_key": signing_public(self.signing),
                       "background_agreement_key": public_key(self.background),
                       "agreement_key": public_key(self.agreement)}


class Person:
    def __init__(self, name):
        self.name, self.id, self.keys = name, identifier(name), Keys(name)

    def renewed(self):
        """The keys that come after a device was revoked."""
        return Keys("renewed " + self.name)


OLGA, ADAM, WANDA, RITA, RUTH, STELLA = map(Person, ["olga", "adam", "wanda", "rita", "ruth", "stella"])


def zone_key(generation):
    return named(f"zone key {generation}")


class Log:
    """A log as its writers make it. It judges nothing: what an entry says counts from there on."""

    def __init__(self, scope=SHARED, zone_class=1, key=None):
        self.scope, self.zone_class, self.entries, self.members = scope, zone_class, [], {}
        self.zone = self.head = ZEROS
        self.generation, self.commitment, self.owes = 1, commitment(1, zone_key(1)), 0
        self.add(CREATE, OLGA, OLGA, role=OWNER, key=key)
        self.zone = self.head

    def add(self, operation, signer, subject, role=None, keys=None, key=None, spoil=None, **changed):
        """One entry more; without `keys` and `role` those in force. `changed` goes into its fields as it is.

        `keys` are pairs, `key` is the private key that signs.
        """
        known = self.members.get(subject.id, {"role": READER, "keys": subject.keys, "since": None})
        keys, role = keys or known["keys"], role or known["role"]
        in_force = self.members.get(signer.id, {"keys": signer.keys})["keys"]
        if operation == ROTATE:
            changed = {"generation": self.generation + 1,
                       "commitment": commitment(self.generation + 1, zone_key(self.generation + 1)), **changed}
        fields = {"zone": self.zone, "number": len(self.entries), "previous": self.head, "operation": operation,
                  "subject": subject.id, **keys.public, "role": role, "zone_class": self.zone_class,
                  "scope": self.scope, "generation": self.generation, "commitment": self.commitment,
                  "time": TIME + len(self.entries) * 1_000_000, "signer": signer.id, **changed}
        entry = log_entry(fields)
        signature = sign(key or in_force.signing, entry)
        self.entries.append((entry, spoil(signature) if spoil else signature))
        self.head = sha256(entry)
        self.generation, self.commitment = fields["generation"], fields["commitment"]
        self.owes = 0 if operation == ROTATE else int(self.owes or operation == LEAVE or (
            operation == ROLE and signer is subject))
        if operation in (REMOVE, LEAVE):
            self.members.pop(subject.id, None)
        elif (role, keys) != (known["role"], known["keys"]) or known["since"] is None:
            self.members[subject.id] = {"role": role, "keys": keys, "since": len(self.entries) - 1}
        return self

    def fields(self):
        lines = {"zone": self.zone, "entries": len(self.entries)}
        for number, (entry, signature) in enumerate(self.entries):
            lines |= {f"entry_{number}": entry, f"signature_{number}": signature}
        return lines

    def state(self):
        lines = {"members": len(self.members)}
        for place, (account_id, member) in enumerate(sorted(self.members.items()), 1):
            public = " ".join(key.hex() for key in member["keys"].public.values())
            lines[f"member_{place}"] = f"{account_id.hex()} {member['role']} {member['since']} {public}"
        return {**lines, "generation": self.generation, "commitment": self.commitment, "head": self.head,
                "owes_rotation": self.owes}


def family(**settings):
    """A log with a member of each role; Ruth is a second reader."""
    log = Log(**settings)
    for person, role in [(ADAM, ADMIN), (WANDA, WRITER), (RITA, READER), (RUTH, READER)]:
        log.add(ADD_MEMBER, OLGA, person, role=role)
    return log


def crowd(count):
    log = Log()
    for number in range(1, count):
        log.add(ADD_MEMBER, OLGA, Person(f"guest {number}"), role=READER)
    return log


def log_good(name, about, log):
    good(f"zone-members/{name}.txt", about, **log.fields(), **log.state())


def log_refused(name, about, rule, log):
    """The last entry is the one that is refused; those before it are good."""
    vector(f"zone-members/{name}.txt", about, ("log", f"rule {rule}"), **log.fields())


def good_logs():
    log_good("one_member", "a zone that nobody else was added to", Log())
    log_good("one_member_of_notes", "the log of a zone of today", Log("notes"))
    log_good("add_reader", "the owner adds a reader", Log().add(ADD_MEMBER, OLGA, RITA, role=READER))
    log_good("add_writer_by_admin", "an admin adds a writer",
             family().add(ADD_MEMBER, ADAM, STELLA, role=WRITER))
    log_good("role_up", "the owner makes a reader an admin", family().add(ROLE, OLGA, RITA, role=ADMIN))
    log_good("role_down", "an admin makes a writer a reader", family().add(ROLE, ADAM, WANDA, role=READER))
    log_good("own_keys", "a reader changes its own keys: somebody has to change the zone key",
             family().add(ROLE, RITA, RITA, keys=RITA.renewed()))
    log_good("remove_and_rotate", "an admin removes a writer and changes the zone key",
             family().add(REMOVE, ADAM, WANDA).add(ROTATE, ADAM, ADAM))
    log_good("rotate_with_own_keys", "the owner changes the zone key and its own keys in one entry, and signs again",
             family().add(ROTATE, OLGA, OLGA, keys=OLGA.renewed()).add(ROLE, OLGA, WANDA, role=READER))
    log_good("leave", "a writer leaves: somebody has to change the zone key", family().add(LEAVE, WANDA, WANDA))
    log_good("leave_then_rotate", "an admin changes the zone key after a member left",
             family().add(LEAVE, WANDA, WANDA).add(ROTATE, ADAM, ADAM))
    log_good("added_again", "who was removed is added again, under the keys of before",
             family().add(REMOVE, OLGA, WANDA).add(ROTATE, OLGA, OLGA).add(ADD_MEMBER, OLGA, WANDA, role=READER))
    log_good("members_256", "as many members as a zone may have", crowd(256))
    long = family()
    for number in range(995):
        long.add(ROLE, OLGA if number % 3 else ADAM, WANDA, role=WRITER if number % 2 else READER)
    log_good("log_of_1000", "a member whose role changes all the time", long)


def order():
    """Rules 1 and 2."""
    def refused(name, about, rule=1, log=None, **changed):
        log_refused(name, about, rule, (log or family()).add(ROLE, OLGA, RITA, role=WRITER, **changed))

    refused("number_gap", "an entry is missing before the last", number=6)
    refused("number_twice", "the last entry has the number of the one before", number=4)
    refused("other_previous", "the last entry follows the one before the last", previous=sha256(family().entries[3][0]))
    refused("other_zone", "an entry of another zone", zone=named("other zone"))
    refused("class_changed", "the zone opens after first unlock from here on", 2, zone_class=2)
    refused("scope_changed", "the zone is for something else from here on", 2, scope="notes")
    twice = family()
    twice.entries.append(twice.entries[0])
    log_refused("second_genesis", "the genesis entry comes again", 1, twice)
    trailing = family().add(ROLE, OLGA, RITA, role=WRITER)
    entry = trailing.entries[-1][0] + b"\0"
    trailing.entries[-1] = (entry, sign(OLGA.keys.signing, entry))
    log_refused("entry_trailing", "one byte behind the last entry, signed with it", 1, trailing)
    renamed = Log()
    renamed.zone = named("other zone")
    log_refused("genesis_of_other_zone", "a genesis entry whose hash is not the zone's name", 1, renamed)


def signers():
    """Rules 3 and 4."""
    log_refused("signer_stranger", "somebody who never was a member adds itself", 3,
                family().add(ADD_MEMBER, STELLA, STELLA, role=READER))
    removed = family().add(REMOVE, OLGA, ADAM).add(ROTATE, OLGA, OLGA)
    log_refused("signer_removed", "an admin goes on after its removal", 3,
                removed.add(ROLE, ADAM, RITA, role=WRITER, key=ADAM.keys.signing))
    log_refused("signer_left", "a reader that left changes its keys", 3,
                family().add(LEAVE, RITA, RITA).add(ROLE, RITA, RITA, keys=RITA.renewed()))
    log_refused("signer_not_yet_added", "a member signs before it is added", 3,
                Log().add(LEAVE, RITA, RITA))
    genesis = Log()
    genesis.entries = []
    genesis.zone, genesis.head, genesis.members = ZEROS, ZEROS, {}
    genesis.add(CREATE, ADAM, OLGA, role=OWNER, key=OLGA.keys.signing)
    genesis.zone = genesis.head
    log_refused("genesis_signer_not_subject", "a zone that somebody else makes for its owner", 3, genesis)

    own = family().add(ROLE, ADAM, ADAM, keys=ADAM.renewed())
    log_refused("signature_by_former_key", "an admin signs under the key that it has changed", 4,
                own.add(ROLE, ADAM, RITA, role=WRITER, key=ADAM.keys.signing))
    log_refused("signature_by_new_key_of_same_entry", "new keys vouch for themselves", 4,
                family().add(ROLE, ADAM, ADAM, keys=ADAM.renewed(), key=ADAM.renewed().signing))
    log_refused("rotate_signed_by_new_key", "a rotation with new keys is signed under them", 4,
                family().add(ROTATE, ADAM, ADAM, keys=ADAM.renewed(), key=ADAM.renewed().signing))

    def refused(name, about, **changed):
        log_refused(name, about, 4, family().add(ADD_MEMBER, OLGA, STELLA, role=READER, **changed))

    refused("signature_by_subject", "who is added signs for it", key=STELLA.keys.signing)
    refused("signature_by_background_key", "the owner signs under the key for records of a locked device",
            key=OLGA.keys.background_signing)
    refused("signature_by_other_member", "an admin signs in the owner's name", key=ADAM.keys.signing)
    refused("signature_flipped_bit", "one bit of the signature is flipped", spoil=lambda whole: flip(whole, 0))
    refused("signature_trailing", "one byte behind the signature", spoil=lambda whole: whole + b"\0")
    log_refused("genesis_signature_by_other_key", "a genesis entry that is not signed under the key in it", 4,
                Log(key=OLGA.keys.background_signing))


def table():
    """Rules 5 to 8: what the table of signers says."""
    def refused(rule, name, about, *entry, **changed):
        log_refused(name, about, rule, family().add(*entry, **changed))

    refused(5, "add_by_writer", "a writer adds a reader", ADD_MEMBER, WANDA, STELLA, role=READER)
    refused(5, "add_by_reader", "a reader adds a reader", ADD_MEMBER, RITA, STELLA, role=READER)
    refused(5, "remove_by_writer", "a writer removes a reader", REMOVE, WANDA, RITA)
    refused(5, "remove_by_reader", "a reader removes a reader", REMOVE, RITA, RUTH)
    refused(5, "role_by_writer", "a writer makes a reader a writer", ROLE, WANDA, RITA, role=WRITER)
    refused(5, "rotate_by_writer", "a writer changes the zone key", ROTATE, WANDA, WANDA)
    refused(5, "rotate_by_reader", "a reader changes the zone key", ROTATE, RITA, RITA)
    refused(5, "leave_of_owner", "the owner leaves, and nobody could follow", LEAVE, OLGA, OLGA)

    refused(6, "add_of_member", "a member is added once more", ADD_MEMBER, OLGA, RITA, role=WRITER)
    refused(6, "remove_of_stranger", "somebody is removed who is no member", REMOVE, OLGA, STELLA)
    refused(6, "remove_of_owner", "an admin removes the owner", REMOVE, ADAM, OLGA)
    refused(6, "remove_of_oneself", "the owner removes itself", REMOVE, OLGA, OLGA)
    refused(6, "remove_of_oneself_by_admin", "an admin removes itself: it may leave", REMOVE, ADAM, ADAM)
    refused(6, "role_of_stranger", "a role for somebody who is no member", ROLE, OLGA, STELLA, role=WRITER)
    refused(6, "role_of_owner", "an admin makes the owner a reader", ROLE, ADAM, OLGA, role=READER)
    refused(6, "leave_of_other", "a writer signs that another one leaves", LEAVE, WANDA, RITA)
    refused(6, "rotate_of_other", "a rotation whose subject is another member", ROTATE, ADAM, OLGA)
    two = family().add(ADD_MEMBER, OLGA, STELLA, role=ADMIN)
    log_refused("remove_of_admin_by_admin", "an admin removes another", 6, two.add(REMOVE, ADAM, STELLA))
    two = family().add(ADD_MEMBER, OLGA, STELLA, role=ADMIN)
    log_refused("role_of_admin_by_admin", "an admin makes another a reader", 6,
                two.add(ROLE, ADAM, STELLA, role=READER))

    refused(7, "role_with_other_keys", "the owner changes a reader's role and keys", ROLE, OLGA, RITA, role=WRITER,
            keys=RITA.renewed())
    refused(7, "remove_with_other_keys", "a removal with keys that are not the member's", REMOVE, OLGA, RITA,
            keys=RITA.renewed())
    refused(7, "leave_with_other_keys", "who leaves changes its keys", LEAVE, RITA, RITA, keys=RITA.renewed())
    refused(7, "own_keys_unchanged", "a role of oneself that changes nothing", ROLE, RITA, RITA)
    refused(7, "own_keys_one_unchanged", "one of the own keys stays", ROLE, RITA, RITA, keys=RITA.renewed(),
            agreement_key=RITA.keys.public["agreement_key"])
    refused(7, "rotate_with_one_own_key", "a rotation with one new key of its signer, and two old ones", ROTATE, ADAM,
            ADAM, signing_key=ADAM.renewed().public["signing_key"])
    refused(7, "own_keys_of_other_member", "a reader takes the keys of a writer", ROLE, RITA, RITA, keys=WANDA.keys)
    refused(7, "rotate_with_keys_of_other_member", "an admin takes the keys of a writer", ROTATE, ADAM, ADAM,
            keys=WANDA.keys)
    for name, about, key in [
        ("add_with_key_of_member", "who is added has the signing key of a member", "signing_key"),
        ("add_with_agreement_key_of_member", "who is added has the agreement key of a member", "agreement_key"),
        ("add_with_background_key_of_member", "who is added has the background agreement key of a member",
         "background_agreement_key"),
    ]:
        refused(7, name, about, ADD_MEMBER, OLGA, STELLA, role=READER, **{key: RITA.keys.public[key]})
    refused(7, "add_with_agreement_key_as_background_key",
            "the agreement key of a member is the background agreement key of who is added", ADD_MEMBER, OLGA, STELLA,
            role=READER, background_agreement_key=RITA.keys.public["agreement_key"])

    refused(8, "add_owner", "a second owner is added", ADD_MEMBER, OLGA, STELLA, role=OWNER)
    refused(8, "add_admin_by_admin", "an admin adds an admin", ADD_MEMBER, ADAM, STELLA, role=ADMIN)
    refused(8, "role_to_owner", "a second owner by a change of role", ROLE, OLGA, ADAM, role=OWNER)
    refused(8, "role_unchanged", "a role that the member has", ROLE, OLGA, RITA)
    refused(8, "own_keys_with_other_role", "a reader makes itself a writer", ROLE, RITA, RITA, role=WRITER,
            keys=RITA.renewed())
    refused(8, "role_to_admin_by_admin", "an admin makes a writer an admin", ROLE, ADAM, WANDA, role=ADMIN)
    refused(8, "rotate_with_other_role", "an admin makes itself the owner", ROTATE, ADAM, ADAM, role=OWNER)
    refused(8, "remove_with_other_role", "a removal with another role than the member's", REMOVE, OLGA, RITA,
            role=WRITER)


def key_changes():
    """Rules 9 to 11."""
    def refused(rule, name, about, log, *entry, **changed):
        log_refused(name, about, rule, log.add(*entry, **changed))

    first = commitment(1, zone_key(1))
    refused(9, "add_with_other_generation", "somebody is added, and a generation more counts", family(), ADD_MEMBER,
            OLGA, STELLA, role=READER, generation=2)
    refused(9, "add_with_other_commitment", "somebody is added, and another zone key counts", family(), ADD_MEMBER,
            OLGA, STELLA, role=READER, commitment=commitment(1, zone_key(2)))
    refused(9, "rotate_same_generation", "a new key under the generation in force", family(), ROTATE, OLGA, OLGA,
            generation=1)
    refused(9, "rotate_two_ahead", "a generation is left out", family(), ROTATE, OLGA, OLGA, generation=3)
    refused(9, "rotate_same_commitment", "a new generation of the key in force", family(), ROTATE, OLGA, OLGA,
            commitment=first)
    refused(9, "rotate_to_former_commitment", "a new generation of the first key",
            family().add(ROTATE, OLGA, OLGA), ROTATE, OLGA, OLGA, commitment=first)
    refused(9, "remove_with_new_commitment", "a removal that changes the zone key itself", family(), REMOVE, OLGA,
            RITA, generation=2, commitment=commitment(2, zone_key(2)))

    log_refused("remove_alone", "a log that ends with a removal: it was cut, or the zone key is still the same", 10,
                family().add(REMOVE, OLGA, RITA))
    refused(10, "remove_then_add", "another member is added before the zone key changes",
            family().add(REMOVE, OLGA, RITA), ADD_MEMBER, OLGA, STELLA, role=READER)
    refused(10, "rotate_by_other_after_remove", "another member changes the zone key",
            family().add(REMOVE, OLGA, RITA), ROTATE, ADAM, ADAM)

    log_refused("member_257", "one member more than a zone may have", 11, crowd(257))
    for name, about, scope, zone_class in [
        ("second_member_of_notes", "somebody is added to a zone of notes that is not shared", "notes", 1),
        ("second_member_of_keychain", "somebody is added to a zone of the keychain", "keychain", 1),
        ("second_member_of_unknown_scope", "somebody is added to a zone of a scope that there is not", "photos", 1),
    ]:
        refused(11, name, about, Log(scope, zone_class), ADD_MEMBER, OLGA, RITA, role=READER)


# What comes beside the entries of a batch --------------------------------------------------------------------------


def wrap(log, generation, person, head, keys=None, key=None):
    public = (keys or log.members[person.id]["keys"]).public["agreement_key"]
    info = zone_key_info(log.zone, generation, person.id, head)
    ephemeral = named(f"ephemeral key {generation} {person.name}")
    wrapped = hpke_seal(public, ephemeral, info, key or zone_key(generation))
    return [str(generation), person.id, head, wrapped["wrapped"]]


def link(generation, key=None):
    return [str(generation), aes_key_wrap(zone_key(generation), key or zone_key(generation - 1))]


def batches():
    """Rule 12. The entries from `batch_from` on come in one batch."""
    def told(log, start, wraps, links, keys, reader=RITA):
        def lines(word, rows):
            shown = [" ".join(text(cell) for cell in row) for row in rows]
            return {word + "s": len(rows), **{f"{word}_{place}": row for place, row in enumerate(shown, 1)}}

        return {**log.fields(), "batch_from": start, **lines("wrap", wraps), **lines("link", links),
                "member": reader.id, "private_key": keys.agreement}

    def removal(signer=OLGA):
        log = family().add(REMOVE, signer, WANDA).add(ROTATE, signer, signer)
        return log, [wrap(log, 2, person, log.head) for person in (OLGA, ADAM, RITA, RUTH)]

    def batch_good(name, about, log, start, wraps, links, reader=RITA, **keys):
        good(f"zone-members/{name}.txt", about, **told(log, start, wraps, links, reader.keys, reader), **keys)

    def refused(name, about, log, start, wraps, links, keys=RITA.keys, reader=RITA):
        vector(f"zone-members/{name}.txt", about, ("batch", "rule 12"),
               **told(log, start, wraps, links, keys, reader))

    log, wraps = removal()
    batch_good("batch_of_removal", "a removal with all that belongs to it; a reader opens both keys", log, 5, wraps,
               [link(2)], zone_key_2=zone_key(2), zone_key_1=zone_key(1))
    refused("rotate_without_one_wrap", "a member that stays gets no key", log, 5, wraps[:2] + wraps[3:], [link(2)])
    refused("rotate_without_link", "nothing leads to the key of before", log, 5, wraps, [])
    refused("link_of_other_generation", "the link is one of a generation that is not new", log, 5, wraps, [link(3)])
    refused("rotate_wrap_at_former_head", "a wrap is bound to the log before the batch", log, 5,
            [wrap(log, 2, person, sha256(log.entries[4][0])) for person in (OLGA, ADAM, RITA, RUTH)], [link(2)])
    refused("link_of_other_key", "the link has another key than the one before", log, 5, wraps,
            [link(2, named("other zone key"))])

    own = family().add(ROLE, RITA, RITA, keys=RITA.renewed()).add(ROTATE, OLGA, OLGA)
    wraps = [wrap(own, 2, person, own.head) for person in (OLGA, ADAM, WANDA, RITA, RUTH)]
    wraps[3] = wrap(own, 2, RITA, own.head, keys=RITA.keys)
    refused("wrap_to_former_key", "a member that changed its keys gets the new key under the former ones", own, 6,
            wraps, [link(2)], keys=RITA.renewed())

    log = family()
    before = log.head
    log.add(ADD_MEMBER, ADAM, STELLA, role=WRITER)
    wraps = [wrap(log, 1, STELLA, before)]
    batch_good("batch_of_add", "somebody is added, and gets the key in force", log, 5, wraps, [], STELLA,
               zone_key_1=zone_key(1))
    refused("add_without_wrap", "somebody is added and gets no key", log, 5, [], [], STELLA.keys, STELLA)
    refused("wrap_of_other_key", "the wrap opens, and has another key than the log names", log, 5,
            [wrap(log, 1, STELLA, before, key=named("other zone key"))], [], STELLA.keys, STELLA)
    refused("add_wrap_at_new_head", "the wrap is bound to the log behind the batch", log, 5,
            [wrap(log, 1, STELLA, log.head)], [], STELLA.keys, STELLA)

    log = family().add(ROTATE, OLGA, OLGA).add(ADD_MEMBER, OLGA, STELLA, role=READER)
    wraps = [wrap(log, 2, person, log.head) for person in (OLGA, ADAM, WANDA, RITA, RUTH, STELLA)]
    batch_good("batch_of_rotate_and_add", "who is added behind a rotation gets the wrap of the rotation", log, 5,
               wraps, [link(2)], STELLA, zone_key_2=zone_key(2), zone_key_1=zone_key(1))


# Records of more than one writer -----------------------------------------------------------------------------------


def travelling():
    def record(log, writer, record_type=1, generation=None, revision=7, head=None, key=None, background=0):
        fields = {"name": identifier("record"), "type": record_type, "generation": generation or log.generation,
                  "revision": revision, "writer": writer.id, "head": head or log.head}
        aad = record_aad(log.zone, *fields.values())
        record_key, secret = named("record key"), zone_key(fields["generation"])
        wrapped = aes_key_wrap(secret, record_key)
        sealed = seal(record_key, nonce_of("record"), padded_content(b"hunter2 & co"), aad)
        signature = sign(key or writer.keys.signing, sha256(aad + wrapped + sealed))
        return {**log.fields(), **fields, "wrapped_key": wrapped, "sealed": sealed, "signature": signature,
                "background": background, "card_key": signing_public(writer.keys.background_signing),
                "known_revision": 6}

    def record_good(name, about, log, writer, **changed):
        good(f"zone-members/{name}.txt", about, **record(log, writer, **changed))

    def refused(check, name, about, log, writer, known=6, **changed):
        vector(f"zone-members/{name}.txt", about, ("record", f"check {check}"),
               **{**record(log, writer, **changed), "known_revision": known})

    log = family()
    record_good("by_writer_good", "a record by a writer, one revision further", log, WANDA)
    record_good("by_owner_good", "a record by the owner", log, OLGA)
    background = {"key": OLGA.keys.background_signing, "background": 1}
    record_good("by_background_key_good", "a record of a locked device", Log("notes", 2), OLGA, **background)
    rotated = family().add(ROTATE, OLGA, OLGA)
    former = sha256(rotated.entries[4][0])
    refused(1, "head_of_before", "a record that was written before the last entry", rotated, WANDA, head=former)
    refused(1, "head_of_other_log", "a record under the head of another log", log, WANDA, head=Log("notes").head)
    refused(2, "by_reader", "a record by a reader", log, RITA)
    removed = family().add(REMOVE, OLGA, WANDA).add(ROTATE, OLGA, OLGA)
    refused(2, "by_removed", "a record by a writer that was removed", removed, WANDA)
    refused(2, "by_stranger", "a record by somebody who never was a member", log, STELLA)
    refused(3, "generation_of_before", "a record under the key of before the rotation", rotated, WANDA, generation=1)
    refused(3, "generation_to_come", "a record under a generation that there is not yet", log, WANDA, generation=2)
    refused(4, "signed_by_other_member", "a reader signs in the name of a writer", log, WANDA, key=RITA.keys.signing)
    refused(4, "signed_by_former_key", "a writer signs under the key that it has changed",
            family().add(ROLE, WANDA, WANDA, keys=WANDA.renewed()), WANDA)
    refused(4, "background_key_in_whenunlocked", "the key for records of a locked device, in a zone that it shuts",
            Log("notes"), OLGA, **background)
    refused(4, "background_key_without_flag", "the background key signs, and the flag does not say so",
            Log("notes", 2), OLGA, key=OLGA.keys.background_signing)
    refused(4, "signing_key_with_flag", "the signing key signs, and the flag says that it was the other",
            Log("notes", 2), OLGA, background=1)
    refused(5, "revision_equal", "a record with the revision that is known", log, WANDA, known=7)
    refused(5, "revision_lower", "an earlier revision than the one that is known", log, WANDA, known=8)
    refused(6, "lock_in_shared_zone", "a lock in a shared zone", log, WANDA, record_type=3)
    refused(6, "lock_key_in_shared_zone", "a lock key in a shared zone", log, WANDA, record_type=4)
    record_good("lock_in_own_zone_good", "a lock in a zone of one member", Log("notes"), OLGA, record_type=3)


# Invitations by link -----------------------------------------------------------------------------------------------


def tags():
    secret, invitation = named("invitation secret"), identifier("invitation")
    claim = {"zone": family().zone, "account": STELLA.id, **STELLA.keys.public,
             "background_signing_key": signing_public(STELLA.keys.background_signing)}

    def tag(secret=secret, **changed):
        parts = {**claim, **changed}
        return mac(hkdf(secret, invitation, "tresor invitation v1"),
                   field("tresor invitation claim v1") + b"".join(parts.values()))

    fields = {"secret": secret, "invitation": invitation, **claim, "tag": tag()}
    good("zone-members/tag_good.txt", "whoever has the link answers it with its keys", **fields)

    def refused(name, about, **changed):
        vector(f"zone-members/{name}.txt", about, ("tag", "differs"), **{**fields, "tag": tag(**changed)})

    refused("tag_other_key", "the server swaps the agreement key", agreement_key=ADAM.keys.public["agreement_key"])
    refused("tag_other_account", "the claim is another account's", account=ADAM.id)
    refused("tag_other_zone", "the claim is for another zone", zone=Log("notes").zone)
    refused("tag_other_secret", "the link is another", secret=named("other invitation secret"))


def make_all():
    good_logs()
    order()
    signers()
    table()
    key_changes()
    batches()
    travelling()
    tags()
