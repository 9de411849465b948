"""enclave-protocol and wire."""

from generator.core import *
from generator.items import *
from generator.keychains import keychain_record
from generator.keys import PRESENCE_ID, SECRET, description, presence_record

# specs/enclave-protocol.md -----------------------------------------------------------------------------------------


REFUSALS = ["locked", "wrongPasscode", "delayed", "noPasscodeSet", "passcodeAlreadySet", "passcodeTooShort",
            "notAuthentic", "destroyed", "unknownClassKey", "presenceRequired", "badRequest", "storage", "outOfMemory",
            "erased", "foreignGroup", "biometryRefused", "enrolmentChanged", "keychainLocked", "passwordRequired",
            "wrongItemPassword"]


def enclave_protocol():
    def request(name, about, opcode, body, **fields):
        good(f"enclave-protocol/{name}.txt", about, message="request", frame=frame(u8(opcode) + body), opcode=opcode,
             **fields)

    def refused(name, about, payload, error, message="request"):
        vector(f"enclave-protocol/{name}.txt", about, ("decoder", error), message=message, frame=frame(payload))

    wrapped = seal(named("wrapping key"), nonce_of("row key"), named("wrapped key"), row_key_aad(AK, row_binding()))
    stored = {"keychain": KEYCHAIN, "class": 6, "class_key": AK, "wrapped": wrapped}
    row = {"binding": row_binding(), "class_key": AK, "wrapped": wrapped, "connection": 5, "operation": 1,
           "group_1": "user"}
    row_body = field(row["binding"]) + AK + field(wrapped) + u64(5) + u8(1) + u32(1) + field("user")
    stored_body = KEYCHAIN + u8(6) + AK + field(wrapped)
    gone = [identifier("destroyed 1"), identifier("destroyed 2")]
    new = b"new passcode"
    request("state_good", "the state is asked for", 1, b"")
    request("unlock_good", "unlock", 2, field(PASSCODE), passcode=PASSCODE)
    request("lock_good", "lock", 3, b"")
    request("set_passcode_good", "set a passcode", 4, field(new), new_passcode=new)
    request("change_passcode_good", "change the passcode", 5, field(PASSCODE) + field(new), passcode=PASSCODE,
            new_passcode=new)
    request("remove_passcode_good", "remove the passcode", 6, field(PASSCODE), passcode=PASSCODE)
    request("reset_good", "give the passcode up", 7, b"")
    request("make_row_key_good", "make a row key", 8, field(row_binding()) + u64(5), binding=row_binding(),
            connection=5)
    request("open_row_key_good", "open a row key", 9, row_body, **row)
    request("make_table_key_good", "make a table key", 10, KEYCHAIN + u8(6), keychain=KEYCHAIN, **{"class": 6})
    request("open_table_key_good", "open a table key", 11, stored_body, **stored)
    request("make_index_key_good", "make an index key", 12, KEYCHAIN + u8(7), keychain=KEYCHAIN, **{"class": 7})
    request("open_index_key_good", "open an index key", 13, stored_body, **stored)
    request("prove_presence_good", "prove presence for one reading", 14, field(PASSCODE) + u64(5) + ITEM + u8(1),
            passcode=PASSCODE, connection=5, item=ITEM, operation=1)
    request("change_settings_good", "change the settings", 15, field(PASSCODE) + u8(2) + u8(1) + u8(6),
            passcode=PASSCODE, delay_policy=2, erases_after_ten=1, minimum_passcode=6)
    request("forget_destroyed_good", "no row under two destroyed keys is left", 16, u32(2) + b"".join(gone),
            destroyed=2, destroyed_1=gone[0], destroyed_2=gone[1])

    request("check_biometry_good", "may a finger stand for the owner", 17, b"")
    fingers = named("enrolment state")
    request("biometry_matched_good", "a finger matched, for one reading", 18, u64(5) + ITEM + u8(1) + fingers,
            connection=5, item=ITEM, operation=1, enrolment=fingers)
    request("biometry_failed_good", "another finger was on the reader", 19, b"")
    refused("biometry_matched_short", "an enrolment state of 31 bytes", u8(18) + u64(5) + ITEM + u8(1) + fingers[:31],
            "truncated")
    refused("reply_biometry_unknown_reason", "biometry refused for reason 7", u8(4) + u8(16) + u64(7), "invalid",
            "reply")
    record = keychain_record()
    own = identifier("keychain key")
    request("make_keychain_key_good", "make the key of a keychain with a passcode of its own", 20,
            KEYCHAIN + field("") + field(PASSCODE), keychain=KEYCHAIN, record=b"", passcode=PASSCODE)
    request("open_keychain_key_good", "open it", 21, KEYCHAIN + field(record) + field(PASSCODE), keychain=KEYCHAIN,
            record=record, passcode=PASSCODE)
    request("close_keychain_key_good", "shut it", 22, own, id=own)
    request("change_keychain_passcode_good", "the same key under another passcode", 23,
            KEYCHAIN + field(record) + field(PASSCODE) + field(new), keychain=KEYCHAIN, record=record,
            passcode=PASSCODE, new_passcode=new)
    request("open_keychains_good", "which are open", 24, b"")
    private = row_binding(kind=4, protection_class=9, access_control=1 << 30)
    request("make_private_key_good", "make a P-256 key that stays", 25, field(private) + u64(5), binding=private,
            connection=5)
    use_body = field(private) + AK + field(wrapped) + u64(5) + u8(4) + u32(1) + field("user")
    digest = named("a digest")
    request("use_private_key_good", "sign a hash", 26, use_body + u8(1) + field(digest), binding=private,
            class_key=AK, wrapped=wrapped, connection=5, operation=4, group_1="user", work=1, input=digest)
    refused("use_private_key_unknown_work", "work 3", u8(26) + use_body + u8(3) + field(digest), "invalid")
    refused("use_private_key_long_input", "an input of 129 bytes", u8(26) + use_body + u8(1) + field(bytes(129)),
            "tooLong")
    refused("keychain_record_too_long", "a record of 129 bytes", u8(21) + KEYCHAIN + field(bytes(129)), "tooLong")
    request("enrol_presence_key_good", "let a security key stand for the owner", 27, field(PASSCODE) + field(SECRET),
            passcode=PASSCODE, secret=SECRET)
    request("prove_presence_key_good", "a security key gave its secret, for one reading", 28,
            field(presence_record()) + field(SECRET) + u64(5) + ITEM + u8(1), record=presence_record(), secret=SECRET,
            connection=5, item=ITEM, operation=1)
    request("forget_keychain_key_good", "its keychain is gone", 29, own, id=own)
    request("give_item_password_good", "an item's own password, for one opening", 30, field(PASSCODE) + u64(5) + ITEM,
            password=PASSCODE, connection=5, item=ITEM)
    request("forget_connection_good", "a connection has ended", 31, u64(5), connection=5)
    refused("unknown_opcode", "opcode 200", u8(200), "invalid")
    request("promises_good", "what the enclave insists on", 32, b"")
    request("keep_promises_good", "it shall insist on both", 33, u8(3), promises=3)
    request("witness_store_good", "by which a store's record is known again", 34, KEYCHAIN, keychain=KEYCHAIN)
    witness = named("witness")
    request("check_store_good", "what a store has recorded", 35, KEYCHAIN + u64(7) + field(witness), keychain=KEYCHAIN,
            generation=7, witness=witness)
    request("check_store_bare_good", "the same, of a store of 0.1", 35, KEYCHAIN + u64(7) + field(b""),
            keychain=KEYCHAIN, generation=7, witness=b"")
    refused("check_store_witness_31", "a witness of 31 bytes", u8(35) + KEYCHAIN + u64(7) + field(witness[:31]), "invalid")
    refused("check_store_witness_33", "a witness of 33 bytes", u8(35) + KEYCHAIN + u64(7) + field(witness + b"\0"),
            "tooLong")
    request("copies_good", "what was found of the two copies of the files", 36, b"")
    refused("opcode_zero", "opcode 0", u8(0), "invalid")
    refused("trailing", "one byte behind an unlock", u8(2) + field(PASSCODE) + b"\0", "trailing")
    refused("trailing_lock", "one byte behind a lock, which has no fields", u8(3) + b"\0", "trailing")
    refused("truncated", "a passcode shorter than its length", u8(2) + u32(4) + b"abc", "truncated")
    refused("missing_second_passcode", "a change without the new passcode", u8(5) + field(PASSCODE), "truncated")
    good("enclave-protocol/passcode_1024_bytes.txt", "the longest passcode", message="request", opcode=2,
         frame=frame(u8(2) + field(b"a" * 1024)), passcode=b"a" * 1024)
    refused("passcode_too_long", "a passcode of 1,025 bytes", u8(2) + field(b"a" * 1025), "tooLong")
    refused("binding_too_long", "a binding of 513 bytes", u8(8) + field(bytes(513)), "tooLong")
    refused("wrapped_too_long", "a wrapped key of 129 bytes", u8(11) + KEYCHAIN + u8(6) + AK + field(bytes(129)),
            "tooLong")
    refused("too_many_destroyed", "257 destroyed keys", u8(16) + u32(257), "tooLong")
    refused("too_many_groups", "161 access groups", u8(9) + row_body[:-12] + u32(161), "tooLong")
    refused("group_too_long", "an access group of 257 bytes", u8(9) + row_body[:-8] + field("a" * 257), "tooLong")
    refused("erase_flag_two", "the erase flag is 2", u8(15) + field(PASSCODE) + u8(1) + u8(2) + u8(1), "invalid")
    enclave_replies(refused)


def enclave_replies(refused):
    def reply(name, about, tag, body, **fields):
        good(f"enclave-protocol/reply_{name}.txt", about, message="reply", frame=frame(u8(tag) + body), tag=tag,
             **fields)

    gone = identifier("destroyed 1")
    state = (u8(2) + u8(1) + KEYBAG + u64(3) + u32(4) + u64(60_000) + u8(1) + u8(0) + u8(6) + u8(17) + u32(190)
             + u8(1) + u8(5) + u32(1) + gone)
    key, wrapped = named("wrapped key"), named("sixty bytes a") + named("sixty bytes b", 28)
    reply("done_good", "done", 0, b"")
    reply("state_good", "locked, four wrong passcodes, a minute to wait", 1, state, lock=2, has_passcode=1,
          keybag=KEYBAG, generation=3, failures=4, delay=60_000, delay_policy=1, erases_after_ten=0,
          minimum_passcode=6, log_rounds=17, milliseconds_per_try=190, memory_kind=1, landlock=5, destroyed=1,
          destroyed_1=gone)
    reply("new_key_good", "a fresh key and how it is kept", 2, field(key) + AK + field(wrapped), key=key,
          class_key=AK, wrapped=wrapped)
    reply("key_good", "an opened key", 3, field(key), key=key)
    details = {"wrongPasscode": 60_000, "delayed": 59_999, "passcodeTooShort": 6, "storage": 28, "biometryRefused": 2}
    for code, name in enumerate(REFUSALS, 1):
        detail = details.get(name, 0)
        snake = "".join("_" + c.lower() if c.isupper() else c for c in name)
        reply(f"refused_{snake}", f"the refusal {name}", 4, u8(code) + u64(detail), refusal=name, code=code,
              detail=detail)
    reply("bytes_good", "a record that was made", 5, field(keychain_record()), bytes=keychain_record())
    point = b"\4" + named("x") + named("y")
    reply("new_private_key_good", "a P-256 key that stays, and how it is kept", 6, field(point) + AK + field(wrapped),
          public_key=point, class_key=AK, wrapped=wrapped)
    reply("identifiers_good", "one keychain key is open", 7, u32(1) + identifier("keychain key"), open=1,
          open_1=identifier("keychain key"))
    refused("reply_too_many_open", "257 open keychain keys", u8(7) + u32(257), "tooLong", "reply")
    refused("reply_unknown_tag", "tag 8", u8(8), "invalid", "reply")
    refused("reply_unknown_refusal", "refusal 21", u8(4) + u8(21) + u64(0), "invalid", "reply")
    refused("reply_detail_of_locked", "the refusal locked with a detail, which it does not have",
            u8(4) + u8(1) + u64(1), "invalid", "reply")
    refused("reply_minimum_above_255", "a passcode too short by a minimum of 256", u8(4) + u8(6) + u64(256), "invalid",
            "reply")
    refused("reply_error_number_above_32_bits", "a storage refusal whose error number has 33 bits",
            u8(4) + u8(12) + u64(1 << 32), "invalid", "reply")
    refused("reply_unknown_lock_state", "lock state 3", u8(1) + u8(3) + state[1:], "invalid", "reply")
    refused("reply_key_too_long", "a key of 129 bytes", u8(3) + field(bytes(129)), "tooLong", "reply")
    refused("reply_trailing", "one byte behind done", u8(0) + b"\0", "trailing", "reply")
    limit = 64 * 1024
    vector("enclave-protocol/frame_zero_length.txt", "a frame of no bytes", ("frame", "empty"), message="frame",
           limit=limit, frame=u32(0))
    vector("enclave-protocol/frame_too_long.txt", "a header that announces 65,537 bytes", ("frame", "tooLong"),
           message="frame", limit=limit, frame=u32(limit + 1))


# specs/wire.md -----------------------------------------------------------------------------------------------------


KEY_REFERENCE = b"keys" + ITEM


def query(kind="genp", reference=None, entries=(), any_sync=0, limit=1, has_limit=0, returns=0, skips_locked=0,
          skips_controlled=0, tombstones=0, profile=0, cursor=0, raw_attributes=None):
    return ((kind.encode() if kind else u32(0)) + (u8(1) + reference if reference else u8(0))
            + (attributes(list(entries)) if raw_attributes is None else raw_attributes) + u8(any_sync) + u32(limit)
            + u8(has_limit) + u8(returns) + u8(skips_locked) + u8(skips_controlled) + u8(tombstones) + u8(profile)
            + u64(cursor))


LOGIN = [("acct", "string", "anna"), ("svce", "string", "mail.example")]
REFERENCE = b"genp" + ITEM


def native(opcode, body, number=1, version=1):
    return frame(u8(version) + u32(number) + u8(opcode) + body)


def wire():
    def request(name, about, opcode, body, **fields):
        good(f"wire/request_{name}.txt", about, message="request", frame=native(opcode, body), id=1, opcode=opcode,
             **fields)

    def refused(name, about, data, error, message="request"):
        vector(f"wire/{name}.txt", about, ("decoder", error), message=message, frame=data)

    one = {"query_kind": "genp", "limit": 1, "returns": 2}
    request("get_good", "the secret of one password, any sync", 11, query(entries=LOGIN, any_sync=1, returns=2),
            **one, any_synchronizable=1, **listed(LOGIN))
    request("get_by_reference_good", "attributes and secret by persistent reference", 11,
            query(kind=None, reference=REFERENCE, returns=3), reference=REFERENCE, limit=1, returns=3)
    request("list_good", "every password's attributes, second page, locked ones left out", 11,
            query(limit=0, has_limit=1, returns=1, skips_locked=1, cursor=512), query_kind="genp", limit=0,
            has_limit=1, returns=1, skips_locked=1, cursor=512)
    request("add_good", "add a password", 10, b"genp" + attributes(LOGIN) + u8(1) + field("hunter2") + u8(0),
            query_kind="genp", **listed(LOGIN), secret=b"hunter2", returns=0)
    request("add_without_data_good", "add an item without data", 10, b"genp" + attributes(LOGIN) + u8(0) + u8(0),
            query_kind="genp", **listed(LOGIN), returns=0)
    label = [("labl", "string", "Mail")]
    request("update_good", "change one item's label and secret", 12,
            query(kind=None, reference=REFERENCE) + attributes(label) + u8(1) + field("hunter3"),
            reference=REFERENCE, limit=1, **listed(label, "change"), secret=b"hunter3")
    request("remove_good", "remove passwords, without tombstones", 13, query(entries=LOGIN, tombstones=1),
            query_kind="genp", limit=1, tombstones=1, **listed(LOGIN))
    request("status_good", "status", 1, b"")
    request("lock_good", "lock", 2, b"")
    request("unlock_good", "unlock", 3, field(PASSCODE), passcode=PASSCODE)
    request("set_passcode_good", "set a passcode", 4, field(PASSCODE), new_passcode=PASSCODE)
    new = b"new passcode"
    request("change_passcode_good", "change the passcode", 5, field(PASSCODE) + field(new), passcode=PASSCODE,
            new_passcode=new)
    request("remove_passcode_good", "remove the passcode", 6, field(PASSCODE), passcode=PASSCODE)
    request("reset_passcode_good", "give the passcode up", 7, b"")
    request("change_settings_good", "change the settings", 8, field(PASSCODE) + u8(2) + u8(1) + u8(6),
            passcode=PASSCODE, delay_policy=2, erases_after_ten=1, minimum_passcode=6)
    request("set_idle_lock_good", "lock after five minutes", 9, u32(300), seconds=300)
    request("prove_presence_good", "prove presence for one change", 14, field(PASSCODE) + u64(0) + ITEM + u8(2),
            passcode=PASSCODE, connection=0, item=ITEM, operation=2)
    request("subscribe_good", "tell the lock state, now and at each change", 15, b"")
    request("echo_good", "the same bytes back", 16, field("ping"), payload=b"ping")
    request("stop_good", "end the daemon", 17, b"")
    key, wrapped = named("session key"), named("a key under the session") + named("its end", 8)
    request("open_session_good", "a session of eight minutes", 18, field(key) + u32(480_000), session_key=key,
            milliseconds=480_000)
    request("make_session_key_good", "a fresh key of session 7", 19, u64(7), session=7)
    request("unwrap_session_key_good", "a key under session 7", 20, u64(7) + field(wrapped), session=7,
            wrapped=wrapped)
    request("extend_session_good", "eight minutes more", 21, u64(7) + u32(480_000), session=7, milliseconds=480_000)
    request("close_session_good", "end session 7", 22, u64(7), session=7)
    request("hold_good", "wait for this program at a lock", 23, b"")
    request("identify_good", "say who I am", 24, b"")
    grant = field("path./usr/bin/gh") + field("user")
    request("register_app_good", "register an app, with the passcode", 25, u8(1) + field(PASSCODE) + field("manifest"),
            passcode=PASSCODE, manifest=b"manifest")
    request("register_app_without_passcode_good", "the same where no passcode is set", 25, u8(0) + field("manifest"),
            manifest=b"manifest")
    request("remove_app_good", "register an app no more", 26, u8(0) + field("ABCDEFGHIJKLMNOP.org.example.mail"),
            program="ABCDEFGHIJKLMNOP.org.example.mail")
    request("apps_good", "the first page of registered apps", 27, field(""), after="none")
    request("change_grant_good", "let a program into the owner's group", 28, u8(1) + field(PASSCODE) + grant + u8(1),
            passcode=PASSCODE, program="path./usr/bin/gh", group="user", granted=1)
    request("groups_good", "the access groups of all items", 29, b"")
    request("purge_group_good", "remove every item of a group", 30, u8(0) + field("ABCDEFGHIJKLMNOP.mail"),
            group="ABCDEFGHIJKLMNOP.mail")
    request("identifiers_good", "the identifiers that this program is given", 31, b"")
    request("change_advertising_good", "a new identifier for advertising, and no tracking", 32, u8(1) + u8(1), resets=1,
            tracking=1)
    request("prove_biometry_good", "wait half a minute for a finger, for one reading", 33, ITEM + u8(1) + u32(30_000),
            item=ITEM, operation=1, milliseconds=30_000)
    request("biometry_good", "what can be said of fingers", 34, b"")
    request("keychains_good", "the keychains", 35, b"")
    request("create_keychain_good", "make a keychain with a passcode of its own", 36,
            u8(1) + field(PASSCODE) + field("Work"), passcode=PASSCODE, keychain="Work")
    request("delete_keychain_good", "delete a keychain and what is in it", 37, u8(0) + field("Work"), keychain="Work")
    request("choose_keychain_good", "new items lie in it from now on", 38, field("Work"), keychain="Work")
    request("open_keychain_good", "open it with its own passcode", 39, field(PASSCODE) + field("Work"),
            passcode=PASSCODE, keychain="Work")
    request("close_keychain_good", "shut it", 40, field("Work"), keychain="Work")
    request("change_keychain_passcode_good", "give it another passcode of its own", 41,
            field(PASSCODE) + field(b"new passcode") + field("Work"), passcode=PASSCODE, new_passcode=b"new passcode",
            keychain="Work")
    digest = named("a digest")
    request("use_key_good", "sign a hash with a key of the enclave's", 42,
            KEY_REFERENCE + u8(1) + field(digest), reference=KEY_REFERENCE, work=1, input=digest)
    refused("request_use_key_unknown_work", "work 3", native(42, KEY_REFERENCE + u8(3) + field(digest)), "invalid")
    request("security_keys_good", "the security keys that count", 43, b"")
    request("enrol_security_key_good", "let a security key count", 44, field(PASSCODE) + field(SECRET) + description(),
            passcode=PASSCODE, secret=SECRET, called="Blue", credential=b"credential", verifies=1)
    request("remove_security_key_good", "let it count no more", 45, u8(1) + field(PASSCODE) + PRESENCE_ID,
            passcode=PASSCODE, key_id=PRESENCE_ID)
    request("prove_security_key_good", "it gave its secret, for one reading", 46,
            PRESENCE_ID + field(SECRET) + ITEM + u8(1), key_id=PRESENCE_ID, secret=SECRET, item=ITEM, operation=1)
    request("owner_input_good", "the owner has typed into a screen of ours", 48, b"")
    request("give_item_password_good", "an item's own password", 47, field(PASSCODE) + u64(0) + ITEM,
            password=PASSCODE, connection=0, item=ITEM)
    request("count_try_good", "a try of a password that the program checks itself", 49, field("diary") + u32(3),
            called="diary", known=3)
    request("end_try_good", "it was the right one", 50, field("diary") + u8(1), called="diary", right=1)
    request("look_good", "open every item behind a row", 51, u64(12), row=12)
    refused("request_count_try_without_name", "a count without a name", native(49, field("") + u32(0)), "invalid")
    refused("request_count_try_long_name", "a name of 65 bytes", native(49, field("a" * 65) + u32(0)), "tooLong")
    refused("request_security_key_without_credential", "a credential of no bytes",
            native(44, field(PASSCODE) + field(SECRET) + description(credential=b"")), "invalid")
    refused("request_security_key_long_credential", "a credential of 1,025 bytes",
            native(44, field(PASSCODE) + field(SECRET) + description(credential=bytes(1025))), "tooLong")
    refused("request_keychain_name_too_long", "a keychain's name of 65 bytes", native(38, field("a" * 65)), "tooLong")
    refused("request_advertising_tracking_three", "tracking 3", native(32, u8(0) + u8(3)), "invalid")
    refused("request_manifest_too_long", "a manifest of 65,537 bytes", native(25, u8(0) + field(b"a" * 65_537)),
            "tooLong")
    refused("request_program_too_long", "a program's name of 513 bytes", native(26, u8(0) + field(b"a" * 513)),
            "tooLong")
    refused("request_grant_flag_two", "a grant that is neither given nor taken", native(28, u8(0) + grant + u8(2)),
            "invalid")
    refused("request_group_no_utf8", "a group that is no UTF-8", native(30, u8(0) + field(b"\xff")), "invalid")
    refused("request_session_key_of_24", "a session key of 24 bytes", native(18, field(key[:24]) + u32(1)), "invalid")
    refused("request_session_key_too_long", "a session key of 33 bytes", native(18, field(key + b"a") + u32(1)),
            "tooLong")
    refused("request_session_wrap_of_32", "a wrapped key of 32 bytes", native(20, u64(7) + field(wrapped[:32])),
            "invalid")
    refused("request_session_wrap_too_long", "a wrapped key of 48 bytes", native(20, u64(7) + field(wrapped + b"a" * 8)),
            "tooLong")

    request("trash_good", "put passwords into the trash", 52, query(entries=LOGIN), query_kind="genp", limit=1,
            **listed(LOGIN))
    request("trashed_good", "what lies in the trash behind a row", 53, u64(12), row=12)
    request("restore_good", "take an item out of the trash", 54, REFERENCE, reference=REFERENCE)
    request("empty_trash_good", "remove for good what lies in the trash", 55, b"")
    request("trash_time_good", "after how many days it goes", 56, u8(0))
    request("change_trash_time_good", "after seven days", 56, u8(1) + u32(7), days=7)
    request("find_names_good", "items whose names begin so, behind a row", 57, field("git") + u64(12), beginning="git", row=12)
    refused("request_find_names_too_long", "a beginning of 65 bytes", native(57, field("a" * 65) + u64(0)), "tooLong")
    refused("request_trash_time_flag_two", "neither asked nor changed", native(56, u8(2)), "invalid")
    refused("request_restore_of_no_kind", "a reference of no kind", native(54, b"gone" + ITEM), "invalid")
    refused("request_unknown_opcode", "opcode 200", native(200, b""), "invalid")
    refused("request_opcode_zero", "opcode 0", native(0, b""), "invalid")
    refused("request_id_zero", "id 0, which marks events", native(1, b"", number=0), "invalid")
    refused("request_add_unknown_return", "bit 3 of what an Add returns",
            native(10, b"genp" + attributes(LOGIN) + u8(0) + u8(8)), "invalid")
    refused("request_wrong_version", "version 2", native(1, b"", version=2), "invalid")
    refused("request_trailing", "one byte behind a status request", native(1, b"\0"), "trailing")
    refused("request_truncated", "the frame ends inside the request's number", frame(u8(1) + u8(0)), "truncated")
    refused("request_passcode_too_long", "a passcode of 1,025 bytes", native(3, field(b"a" * 1025)), "tooLong")
    refused("request_unknown_return", "bit 3 of what a query returns", native(11, query(returns=8)), "invalid")
    refused("request_flag_two", "a flag that is neither 0 nor 1", native(11, query(any_sync=2)), "invalid")
    refused("request_unknown_profile", "profile 2", native(11, query(profile=2)), "invalid")
    refused("request_unknown_tombstones", "tombstones 3", native(11, query(tombstones=3)), "invalid")
    refused("request_reference_of_no_kind", "a persistent reference that begins with idnt",
            native(11, query(kind=None, reference=b"idnt" + ITEM)), "invalid")
    refused("request_attributes_not_ascending", "a query whose attributes are not in their order",
            native(11, query(raw_attributes=u32(2) + attribute(*LOGIN[1]) + attribute(*LOGIN[0]))), "invalid")
    limit = 1 << 20
    vector("wire/frame_zero_length.txt", "a frame of no bytes", ("frame", "empty"), message="frame", limit=limit,
           frame=u32(0))
    vector("wire/frame_too_long.txt", "a header that announces 1,048,577 bytes", ("frame", "tooLong"),
           message="frame", limit=limit, frame=u32(limit + 1))
    good("wire/frame_longest.txt", "a header that announces 1,048,576 bytes", message="frame", limit=limit,
         frame=u32(limit), frame_length=limit + 4)
    good("wire/frame_header_incomplete.txt", "three bytes of a header: nothing can be said yet", message="frame",
         limit=limit, frame=u32(1)[:3], frame_length="nil")
    wire_replies(refused)


def wire_replies(refused):
    def answer(tag, body, number=1, version=1):
        return frame(u8(version) + u32(number) + u8(tag) + body)

    def reply(name, about, tag, body, number=1, **fields):
        good(f"wire/{name}.txt", about, message="reply", frame=answer(tag, body, number), id=number, tag=tag, **fields)

    error = struct.pack(">i", -25308) + u8(1) + u64(0) + u8(6) + u8(3) + i64(1_750_000_000_000_000)
    item = REFERENCE + u8(1) + field(attributes(MAIL)) + u8(1) + field("hunter2")
    bare = b"genp" + OTHER_ITEM + u8(0) + u8(0)
    reply("reply_done_good", "done", 0, b"")
    reply("reply_error_locked_good", "locked, an item of class ak, locked since", 1, error, status=-25308, reason=1,
          detail=0, **{"class": 6}, lock_state=2, since=1_750_000_000_000_000)
    plain = struct.pack(">i", -25300) + u8(0) + u64(0) + u8(0) + u8(0) + i64(0)
    reply("reply_error_not_found_good", "nothing matches", 1, plain, status=-25300, reason=0, detail=0,
          **{"class": 0}, lock_state="none", since=0)
    reply("reply_page_good", "an item with attributes and secret, one with neither, and more to come", 3,
          u32(2) + item + bare + u64(42) + u32(3) + u32(1), items=2, item_1=REFERENCE,
          item_1_attributes=attributes(MAIL), item_1_secret=b"hunter2", item_2=b"genp" + OTHER_ITEM,
          item_2_attributes="none", item_2_secret="none", next=42, locked=3, damaged=1)
    reply("reply_echo_good", "the same bytes", 4, field("ping"), payload=b"ping")
    reply("reply_lock_state_good", "the answer to a subscription: locked now", 5, u8(2), lock_state=2)
    reply("event_lock_state_good", "an event: unlocked", 5, u8(1), number=0, lock_state=1)
    state = (u8(1) + u8(0) + KEYBAG + u64(1) + u32(0) + u64(0) + u8(1) + u8(0) + u8(1) + u8(0) + u32(0) + u8(2) + u8(0)
             + u32(0))
    status = (state + i64(1_750_000_000_000_000) + u32(300) + u32(1000) + u32(1001)
              + b"".join(u64(n) for n in (5, 1, 0, 0, 0, 0, 0)) + u32(1) + REFERENCE + u8(0) + field("0.1.0"))
    reply("reply_status_good", "a device without a passcode, six items, one of them damaged", 2, status, lock=1,
          has_passcode=0, keybag=KEYBAG, generation=1, failures=0, delay=0, delay_policy=1, erases_after_ten=0,
          minimum_passcode=1, log_rounds=0, milliseconds_per_try=0, memory_kind=2, landlock=0, destroyed=0,
          since=1_750_000_000_000_000, idle_lock_seconds=300, daemon_process=1000, enclave_process=1001,
          items_of_class_6=5, items_of_class_7=1, quarantined=1, quarantined_1=REFERENCE, rollback=0, version="0.1.0")
    refused("reply_wrong_version", "version 2", answer(0, b"", version=2), "invalid", "reply")
    key, wrapped = named("session key"), named("a key under the session") + named("its end", 8)
    reply("reply_session_good", "session 7 is open", 6, u64(7), session=7)
    reply("reply_session_key_good", "a key, and the same under the session's", 7, field(key) + field(wrapped), key=key,
          wrapped=wrapped)
    reply("event_evict_good", "an event: wipe what the lock shuts", 8, b"", number=0)
    groups = u32(2) + field("tresor.notes") + field("user")
    reply("reply_identity_good", "one of our own programs, which reaches two groups", 9,
          field("tresor-notes") + u8(2) + groups + u8(1), program="tresor-notes", grade=2, group_1="tresor.notes", group_2="user",
          holds_here=1)
    reply("reply_identity_unknown_good", "a program of which nothing is known", 9, field("") + u8(0) + u32(0) + u8(0),
          program="none", grade=0, holds_here=0)
    refused("reply_identity_unknown_grade", "grade 5", answer(9, field("a") + u8(5) + groups), "invalid", "reply")
    refused("reply_identity_many_groups", "161 groups", answer(9, field("a") + u8(2) + u32(161)), "tooLong", "reply")
    refused("reply_identity_trailing", "a byte behind the last field", answer(9, field("a") + u8(2) + groups + u8(0) + b"\0"),
            "trailing", "reply")
    grant = field("path./usr/bin/gh") + field("user")
    reply("reply_apps_good", "an app, a grant, and a program that asked in vain", 10,
          u8(1) + u32(1) + field("manifest") + field("") + u32(1) + grant + u32(1) + grant + u8(2)
          + i64(1_750_000_000_000_000), complete=1, manifests=1, manifest_1=b"manifest", next="none", grants=1, wishes=1)
    reply("reply_apps_more_good", "a page with more behind it, before first unlock", 10,
          u8(0) + u32(0) + field("ABCDEFGHIJKLMNOP.a.b") + u32(0) + u32(0), complete=0, manifests=0,
          next="ABCDEFGHIJKLMNOP.a.b", grants=0, wishes=0)
    reply("reply_groups_good", "two groups, and three items of which nothing is seen", 11,
          u32(2) + field("ABCDEFGHIJKLMNOP.a") + u32(5) + u8(3) + field("user") + u32(7) + u8(0) + u32(3), groups=2,
          group_1="ABCDEFGHIJKLMNOP.a", group_2="user", items_1=5, items_2=7, hidden=3)
    refused("reply_groups_unknown_ownership", "ownership 5", answer(11, u32(1) + field("a") + u32(1) + u8(5) + u32(0)),
            "invalid", "reply")
    refused("reply_apps_too_many", "513 apps", answer(10, u8(1) + u32(513)), "tooLong", "reply")
    reply("reply_identifiers_good", "an app's vendor, and for advertising, without tracking", 12,
          u8(1) + ITEM + OTHER_ITEM + u8(0), vendor=ITEM, advertising=OTHER_ITEM, tracking=0)
    reply("reply_identifiers_no_app_good", "a program that is no app", 12, u8(0) + OTHER_ITEM + u8(1), vendor="none",
          advertising=OTHER_ITEM, tracking=1)
    fingers = named("enrolment state")
    reply("reply_biometry_good", "fingers are enrolled, and five others came", 13, u8(0) + u8(2) + u8(1) + fingers,
          unavailable=0, refusal=2, enrolment=fingers)
    reply("reply_biometry_no_reader_good", "there is no reader", 13, u8(5) + u8(0) + u8(0), unavailable=5, refusal=0,
          enrolment="none")
    refused("reply_biometry_unknown_refusal", "refusal 7", answer(13, u8(0) + u8(7) + u8(0)), "invalid", "reply")
    reply("reply_keychains_good", "two keychains", 14,
          u32(2) + field("login") + u8(0) + u8(0) + u8(1) + u32(5) + field("Work") + u8(1) + u8(1) + u8(0) + u32(7),
          keychains=2, keychain_1="login", keychain_2="Work", items_1=5, items_2=7)
    refused("reply_keychains_too_many", "129 keychains", answer(14, u32(129)), "tooLong", "reply")
    reply("reply_key_result_good", "what a key made", 15, field(named("a shared secret")),
          result=named("a shared secret"))
    reply("reply_security_keys_good", "one security key", 16, u32(1) + PRESENCE_ID + description(), keys=1, called="Blue",
          credential=b"credential", verifies=1)
    refused("reply_security_keys_too_many", "17 security keys", answer(16, u32(17)), "tooLong", "reply")
    reply("reply_tries_good", "four wrong ones, and a minute to wait", 17, u32(4) + u64(60_000), failures=4, wait=60_000)
    looked = u64(40) + u32(25) + u32(3) + u32(2) + u64(90) + u8(1)
    reply("reply_look_good", "a part of a look at all items: two are damaged, one was taken from a copy", 18,
          looked + u32(2) + b"genp" + ITEM + b"inet" + KEYCHAIN + u32(1) + b"inet" + ITEM, next=40, rows=25, shut=3, guarded=2, total=90, lost=1,
          damaged_1=b"genp" + ITEM, damaged_2=b"inet" + KEYCHAIN, taken_1=b"inet" + ITEM)
    refused("reply_look_too_many", "257 damaged items", answer(18, looked + u32(257)), "tooLong", "reply")
    reply("reply_trash_time_good", "what lies in the trash goes after thirty days", 19, u32(30), days=30)
    refused("reply_unknown_tag", "tag 20", answer(20, b""), "invalid", "reply")
    refused("reply_error_unknown_status", "status −1", answer(1, struct.pack(">i", -1) + error[4:]), "invalid",
            "reply")
    refused("reply_error_unknown_reason", "reason 36", answer(1, error[:4] + u8(36) + error[5:]), "invalid", "reply")
    for name, about, reason in [("replaced", "the device's files were replaced", 33),
                                ("undecided", "whether it has happened is not known", 34),
                                ("try_again", "the program could not be looked up", 35)]:
        reply(f"reply_error_{name}_good", about, 1, struct.pack(">i", -25291) + u8(reason) + plain[5:], status=-25291,
              reason=reason, detail=0, **{"class": 0}, lock_state="none", since=0)
    refused("reply_error_unknown_class", "class 5", answer(1, error[:13] + u8(5) + error[14:]), "invalid", "reply")
    refused("reply_error_unknown_lock_state", "lock state 3, as the byte 4", answer(1, error[:14] + u8(4) + error[15:]),
            "invalid", "reply")
    refused("reply_page_inner_trailing", "a byte behind an item's attributes, inside their field",
            answer(3, u32(1) + REFERENCE + u8(1) + field(attributes(LOGIN) + b"\0") + u8(0) + u64(0) + u32(0) + u32(0)),
            "trailing", "reply")


def make_all():
    enclave_protocol()
    wire()
