"""notes-import."""

from generator.core import *

# specs/notes-import.md ---------------------------------------------------------------------------------------------


def mark(key, purpose, *fields):
    return hmac.new(key, field(purpose) + b"".join(fields), hashlib.sha256).digest()


def make_all():
    key = named("import key")
    source = identifier("import source")
    name = "Work/Plan.md"
    good("notes-import/mark_good.txt", "a note of a folder", key=key, source=source, name=name.encode(),
         mark=mark(key, "tresor imported note v1", source, field(name)))
    name = "apple:account/note"
    good("notes-import/mark_of_unique_name_good.txt", "a note whose name alone is like no other", key=key,
         name=name.encode(), mark=mark(key, "tresor imported note v1", bytes(16), field(name)))
    digest = hashlib.sha256(b"a picture").digest()
    good("notes-import/file_good.txt", "a file", key=key, file_name=b"a.png", digest=digest,
         mark=mark(key, "tresor imported file v1", field("a.png"), digest))
    state = field("Plan") + field("Work") + field("# Plan\n") + field("") + u32(1) + field("red") + bytes(3)
    good("notes-import/state_good.txt", "all that was imported of a note without files", key=key, state=state,
         mark=mark(key, "tresor imported state v1", state))
    vector("notes-import/key_too_short.txt", "a key one byte too short", ("envelope", "malformed"), key=key[:-1])
    vector("notes-import/key_too_long.txt", "a key one byte too long", ("envelope", "malformed"), key=key + b"\0")
